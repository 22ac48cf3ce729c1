/** Converts answers of the calls into what a card shows: chart, legend and table with the same numbers. */
import type { ResponseOf } from "@malote/contracts/contract";
import type {
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
} from "@malote/contracts/indicators";
import {
  banksInComparison,
  banksInDistribution,
  compareBanks,
  largestShares,
  others,
  percentageOf,
  type Share,
} from "@malote/domain/indicators";
import { shorten } from "@malote/domain/shorten";
import { formatCount, formatDate, formatMonth } from "../ui/format.ts";

/** Colours of the desk, by the names of their tokens. */
export type Tone = "brand-600" | "yellow" | "blue" | "violet" | "red" | "green" | "grey";

/** Texts of one value: in its line of the table, and beside the pointer. */
interface Line {
  /** Short label in the chart. */
  label: string;
  name: string;
  values: readonly number[];
  /** IND-013: formats a percentage with two decimals. */
  percentage?: string;
}

export interface Figure {
  kind: "bar" | "line" | "stacked" | "doughnut";
  /** Heading of the lines: the first one of the table. */
  heading: string;
  series: readonly { name: string; tone: Tone }[];
  lines: readonly Line[];
  /** Colours of a doughnut, one for each line. */
  tones?: readonly Tone[];
}

type Quantities = ResponseOf<typeof readQuantityPerDay>;

const payments = [{ name: "Pagamentos", tone: "brand-600" }] as const;
const failures = [{ name: "Pagamentos com falha", tone: "red" }] as const;

/** IND-014: true when there is nothing to draw. */
export const isBlank = (figure: Figure): boolean =>
  figure.lines.every(({ values }) => values.every((value) => value === 0));

export const formatPercentage = (value: number): string => `${value.toFixed(2).replace(".", ",")}%`;

export function figurePerMonth({ data }: Quantities): Figure {
  const lines = data.map(({ date, quantity }) => {
    const name = formatMonth(date.slice(0, 7));
    return { label: `${name.slice(0, 3)}/${date.slice(2, 4)}`, name, values: [quantity] };
  });
  return { kind: "bar", heading: "Mês", series: payments, lines };
}

/** Future days are left out, because a line falling to zero there would claim that nothing was paid. */
export function figurePerDay({ data }: Quantities, today: string): Figure {
  const lastPaid = data.findLast(({ quantity }) => quantity > 0)?.date ?? "";
  const lines = data
    .filter(({ date }) => date <= today || date <= lastPaid)
    .map(({ date, quantity }) => {
      const name = formatDate(date);
      return { label: name.slice(0, 5), name, values: [quantity] };
    });
  return { kind: "line", heading: "Dia", series: payments, lines };
}

const sliceTones: readonly Tone[] = ["brand-600", "yellow", "blue", "violet", "red"];

function slices(shares: readonly Share[], labelOf: (name: string) => string) {
  const total = shares.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    lines: shares.map(({ name, quantity }) => ({
      label: labelOf(name),
      name,
      values: [quantity],
      percentage: formatPercentage(percentageOf(quantity, total)),
    })),
    tones: shares.map(({ name }, index) => (name === others ? "grey" : (sliceTones[index] ?? "grey"))),
  };
}

export function figurePerBank({ data }: ResponseOf<typeof readDistributionPerBank>): Figure {
  const shares = largestShares(data, banksInDistribution);
  return { kind: "doughnut", heading: "Banco", series: payments, ...slices(shares, (name) => name) };
}

export function figureOfFailedBanks(
  finished: ResponseOf<typeof readDistributionPerBank>,
  returned: ResponseOf<typeof readDistributionPerBank>,
): Figure {
  return {
    kind: "stacked",
    heading: "Banco",
    series: [
      { name: "Finalizados", tone: "brand-600" },
      { name: "Devolvidos", tone: "red" },
    ],
    lines: compareBanks(finished.data, returned.data).map((bank) => ({
      label: shorten(bank.name, bankNameLengthMax),
      name: bank.name,
      values: [bank.finished, bank.returned],
    })),
  };
}

export function figureByStatus({ finished, returned }: ResponseOf<typeof readCountByStatus>): Figure {
  const shares = [
    { name: "Finalizado", quantity: finished },
    { name: "Devolvido", quantity: returned },
  ];
  return {
    kind: "doughnut",
    heading: "Situação",
    series: payments,
    ...slices(shares, (name) => name),
    tones: ["green", "red"],
  };
}

export function figurePerReason({ data }: ResponseOf<typeof readFailedPerStatusDescription>): Figure {
  const named = data.map(({ description, quantity }) => ({ name: description, quantity }));
  // Limited to the same number as the other chart of failures, whose title names the main ones.
  const shares = largestShares(named, banksInComparison);
  return {
    kind: "doughnut",
    heading: "Motivo",
    series: failures,
    ...slices(shares, (name) => shorten(name, reasonLengthMax)),
  };
}

/** IND-013: longer labels of reasons are cut. */
const reasonLengthMax = 10;
/** Longest name that fits below a bar of a narrow card. */
const bankNameLengthMax = 16;

/** Describes a chart to people who cannot see it, before its table. */
export function describe(figure: Figure): string {
  const totals = figure.series.map(({ name }, at) => {
    const total = figure.lines.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
    return `${name}: ${formatCount(total)}`;
  });
  return `${kinds[figure.kind]}. ${totals.join("; ")}. Os números estão também em tabela.`;
}

const kinds = {
  bar: "Gráfico de barras",
  line: "Gráfico de linha",
  stacked: "Gráfico de barras empilhadas",
  doughnut: "Gráfico de rosca",
} as const;

/**
 * Marks of values that were not entered for one payment alone, or that a person typed over the sheet's value, so that a
 * person can confirm them before money leaves.
 */

import { accountTypeNames } from "./bank-account.ts";
import { formatBoletoLine } from "./boleto-code.ts";
import { formatDate, parseDate } from "./calendar.ts";
import { cents, formatBrl } from "./money.ts";
import { shownPixKey } from "./pix-key.ts";
import { transferFieldNames } from "./transfer-fields.ts";

export const markOrigins = ["guessed", "suggested", "corrected", "automatic", "changed"] as const;

/**
 * - `guessed`: the sheet reader corrected it by itself (zeros that a cell had lost).
 * - `suggested`: a person accepted the proposed value.
 * - `corrected`: a person gave one answer for many payments at once.
 * - `automatic`: automatic correction set a digit by the bank's own rule (SET-012).
 * - `changed`: a person typed a value that differs from the sheet's.
 */
export type MarkOrigin = (typeof markOrigins)[number];

export interface DataMark {
  /** A wire name (`cpf_cnpj`, `account_digit` …). */
  field: string;
  origin: MarkOrigin;
  before: string | null;
  after: string | null;
  /** Null for the sheet reader's guesses and automatic corrections. */
  by: { id: string; name: string } | null;
  /** An instant, ISO 8601. */
  at: string;
}

const originNames: Readonly<Record<MarkOrigin, string>> = {
  guessed: "Dado completado",
  suggested: "Dado sugerido",
  corrected: "Corrigido em grupo",
  automatic: "Corrigido automaticamente",
  changed: "Alterado",
};

/** Portuguese field names by wire name, as the forms show them. */
const markFieldNames: Readonly<Record<string, string>> = {
  ...transferFieldNames,
  barcode: "código do boleto",
};

const typeNames: ReadonlyMap<string, string> = new Map(Object.entries(accountTypeNames));

/** Formats a value; the value before may be the sheet's own text ("R$ 1.234,50", "30/11"), which is shown unchanged. */
function valueText(field: string, value: string | null): string {
  if (!value) return field === "payment_date" ? "hoje" : "vazio";
  if (field === "payment_date") {
    const date = parseDate(value);
    return date ? formatDate(date) : value;
  }
  if (field === "account_type") return typeNames.get(value) ?? value;
  if (field === "value" && /^\d{1,15}$/.test(value)) return formatBrl(cents(Number(value)));
  if (field === "pix_key") return shownPixKey(value);
  if (field === "barcode") return formatBoletoLine(value);
  return value;
}

/**
 * Returns `Dado sugerido, dígito da conta: 9 → 8`, for people who correct and who approve. A value typed over the
 * sheet's includes the person: `Alterado por Rui Tavares, valor: R$ 10,00 → R$ 100,00`.
 */
export function markText({ origin, field, before, after, by }: Omit<DataMark, "at">): string {
  const what = origin === "changed" && by ? `${originNames.changed} por ${by.name}` : originNames[origin];
  // A bank's number means nothing to people, and the payment shows its name.
  if (field === "bank_id") return `${what}, banco`;
  const change = `${valueText(field, before)} → ${valueText(field, after)}`;
  return `${what}, ${markFieldNames[field] ?? field}: ${change}`;
}

/** Returns all marks of a payment as one line; undefined where there are none. */
export const marksText = (marks: readonly Omit<DataMark, "at">[]): string | undefined =>
  marks.length > 0 ? marks.map(markText).join(" · ") : undefined;

/**
 * Returns the marks whose value is unchanged, and those of fields that are marked again. A person who typed another
 * value is responsible for it.
 */
export const currentMarks = (
  marks: readonly DataMark[],
  heldBy: (field: string) => string | null,
  anew: readonly string[] = [],
): DataMark[] => marks.filter(({ field, after }) => anew.includes(field) || heldBy(field) === after);

/**
 * Adds marks. A later mark of a field replaces an earlier one and keeps its first value before. A value typed back to
 * the sheet's counts as unchanged.
 */
export function withMarks(marks: readonly DataMark[], added: readonly DataMark[]): DataMark[] {
  const byField = new Map(marks.map((mark) => [mark.field, mark]));
  for (const mark of added) {
    const first = byField.get(mark.field);
    byField.set(mark.field, first ? { ...mark, before: first.before } : mark);
  }
  return [...byField.values()].filter(
    ({ origin, before, after }) => origin !== "changed" || before !== after,
  );
}

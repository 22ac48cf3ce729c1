/**
 * The statement of a period as a file, oldest entry first. Entries are numbered and immutable, so the first and last
 * number fix the period before reading, regardless of concurrent postings.
 */
import type { ReportKind } from "@malote/contracts/reports";
import { addDays, type CalendarDate, formatDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { statementEntryNames } from "@malote/domain/statement-text";
import { formatTaxId } from "@malote/domain/tax-id";
import { csvLines, csvStart } from "@malote/sheet-reader/write-csv";
import { type Cell, type WrittenFile, xlsxPieces } from "../exports/index.ts";
import { readPeriod } from "../ledger/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { readIssuer } from "../receipts/index.ts";
import { listEntriesBetween, type NumberedEntry } from "../statement/index.ts";
import { linesByPayment } from "./by-payment.ts";
import type { Period, ReportRequest } from "./forms.ts";
import { ofxPieces } from "./statement-ofx.ts";
import { amountText, type StatementSource } from "./statement-source.ts";

export type StatementKind = Exclude<ReportKind, "payouts">;

const rowsAtOnce = 1_000;

export async function writeStatementReport(
  services: Services,
  companyId: string,
  { initialDate, endDate, lines }: Pick<ReportRequest, keyof Period | "lines">,
  kind: StatementKind,
): Promise<WrittenFile> {
  const from = initialDate as CalendarDate;
  const to = endDate as CalendarDate;
  const read = <Result>(work: (tx: Tx) => Promise<Result>) => services.db.readCompany(companyId, work);
  const { issuer, period } = await read(async (tx) => ({
    issuer: await readIssuer(tx),
    period: await readPeriod(tx, from, addDays(to, 1)),
  }));
  async function* entries() {
    for (let after = period.opening.seq; after < period.closing.seq; after += rowsAtOnce) {
      const upTo = Math.min(after + rowsAtOnce, period.closing.seq);
      const since = after;
      yield await read((tx) => listEntriesBetween(tx, since, upTo));
    }
  }
  let written = 0;
  async function* slices() {
    for await (const slice of lines ? linesByPayment(read, entries(), rowsAtOnce) : entries()) {
      written += slice.length;
      yield slice;
    }
  }
  const source: StatementSource = {
    issuer,
    from,
    // A running month ends today: a balance of a future day would be booked as final (STM-024).
    to: lastDay(from, to, saoPauloDate(services.clock.now())),
    opening: period.opening.balance,
    closing: period.closing.balance,
    now: services.clock.now(),
    slices: slices(),
  };
  return { pieces: await readPieces(kind, source), rows: () => written };
}

const lastDay = (from: CalendarDate, to: CalendarDate, today: CalendarDate): CalendarDate =>
  to <= today ? to : today < from ? from : today;

async function readPieces(kind: StatementKind, source: StatementSource) {
  switch (kind) {
    case "statement_xlsx":
      return xlsxPieces("Extrato", oldColumns, oldRows(source));
    case "statement_xlsx_v2":
      return xlsxPieces("Extrato", columns, rows(source));
    case "statement_csv":
      return csv(source);
    case "statement_ofx":
      return ofxPieces(source);
    case "statement_pdf": {
      // Loaded lazily with the first one: a start does not need it.
      const { pdfPieces } = await import("./statement-pdf.ts");
      return pdfPieces(source);
    }
  }
}

const columns = [
  { title: "Data", width: 12, isDay: true },
  { title: "Hora", width: 10 },
  { title: "Status", width: 14 },
  { title: "Descrição", width: 40 },
  { title: "Nome", width: 30 },
  { title: "CPF ou CNPJ", width: 20 },
  { title: "Banco", width: 22 },
  { title: "Agência", width: 10 },
  { title: "Conta", width: 16 },
  { title: "Valor (R$)", width: 16, isAmount: true },
  { title: "Saldo (R$)", width: 16, isAmount: true },
  { title: "ID da transação (EndToEnd)", width: 36 },
  { title: "ID do lote", width: 38 },
  { title: "Identificador", width: 38 },
];

const withDigit = (number: string | null | undefined, digit: string | null | undefined) =>
  number ? [number, digit].filter(Boolean).join("-") : "";

/** Builds an opening or closing row, which fills the columns of date, description and balance. */
function balanceRow(titles: readonly { title: string }[], name: string, day: CalendarDate, balance: number) {
  const cells: Readonly<Record<string, Cell>> = {
    Data: { day },
    Descrição: name,
    "Saldo (R$)": { centavos: balance },
  };
  return titles.map(({ title }) => cells[title] ?? "");
}

function cellsOf({ id, date, type, description, value, balance, complement }: NumberedEntry): Cell[] {
  const other = complement.payer ?? complement.receiver;
  return [
    { day: date as CalendarDate },
    complement.timestamp ? saoPauloTime(new Date(complement.timestamp)) : "",
    statementEntryNames[type],
    description,
    other?.name ?? "",
    other?.document ? formatTaxId(other.document) : "",
    other?.bank ?? complement.bank ?? "",
    other?.agency ?? "",
    withDigit(other?.account, other?.account_digit),
    { centavos: value },
    { centavos: balance },
    complement.end_to_end_id ?? "",
    complement.batch_id ?? "",
    id,
  ];
}

async function* rows({ from, to, opening, closing, slices }: StatementSource): AsyncGenerator<Cell[]> {
  yield balanceRow(columns, "Saldo de abertura", from, opening);
  for await (const slice of slices) for (const entry of slice) yield cellsOf(entry);
  yield balanceRow(columns, "Saldo de fechamento", to, closing);
}

/**
 * Columns of the statement, as the page shows them (STM-004), and behind them the other party, so that none of the old
 * columns moves.
 */
const oldColumns = [
  { title: "Data", width: 12, isDay: true },
  { title: "Descrição", width: 40 },
  { title: "Banco", width: 22 },
  { title: "Agência", width: 10 },
  { title: "CC", width: 16 },
  { title: "Status", width: 14 },
  { title: "Valor (R$)", width: 16, isAmount: true },
  { title: "Saldo (R$)", width: 16, isAmount: true },
  { title: "Nome", width: 30 },
  { title: "CPF ou CNPJ", width: 20 },
];

async function* oldRows({ from, to, opening, closing, slices }: StatementSource): AsyncGenerator<Cell[]> {
  yield balanceRow(oldColumns, "Saldo de abertura", from, opening);
  for await (const slice of slices)
    for (const entry of slice) {
      const [date, , status, description, name, document, bank, agency, account, value, balance] =
        cellsOf(entry);
      yield [date, description, bank, agency, account, status, value, balance, name, document].map(
        (cell) => cell ?? "",
      );
    }
  yield balanceRow(oldColumns, "Saldo de fechamento", to, closing);
}

/** Writes CSV. Amounts, even negative ones, are written plain; only texts are guarded against formulas. */
async function* csv(source: StatementSource) {
  yield csvStart + csvLines([columns.map(({ title }) => title)]);
  let lines = "";
  for await (const row of rows(source)) {
    lines += csvLines([
      row.map((cell) =>
        typeof cell === "string"
          ? cell
          : { plain: "day" in cell ? formatDate(cell.day) : amountText(cell.centavos) },
      ),
    ]);
    if (lines.length < 100_000) continue;
    yield lines;
    lines = "";
  }
  if (lines) yield lines;
}

/** Entry of the child process: reads a sheet and answers lines for COPY, a few blocks ahead of their reader. */
import { type BoletoDraft, checkBoleto, normaliseBoleto, storableBoleto } from "@malote/domain/boleto";
import type { CalendarDate } from "@malote/domain/calendar";
import { issueSheetText } from "@malote/domain/issues";
import { cents } from "@malote/domain/money";
import { nameOwnInstitution } from "@malote/domain/own-institution";
import {
  checkTransfer,
  correctKnownErrors,
  normaliseTransfer,
  type TransferCheck,
  type TransferDraft,
  type TransferFacts,
  transferMethodOf,
} from "@malote/domain/transfer";
import { parentOf } from "../../platform/low-priority-process.ts";
import { copyLines } from "./copy-lines.ts";
import {
  blocksAhead,
  type FromImportProcess,
  type ImportInput,
  type ImportTotals,
  type ToImportProcess,
} from "./import-process.ts";
import type { CleanRow } from "./sheet/clean-cells.ts";
import { openSheet, type TotalRow } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";

const parent = parentOf<ToImportProcess, FromImportProcess>();

/** Rows per block: few round trips, and early enough that the database works while this process reads. */
const blockRows = 4_000;

let blocksUnderWay = 0;
parent.onQuestion((message) => {
  if (message === "taken") blocksUnderWay--;
  // A failure here ends this process, which its parent notices.
  else {
    nameOwnInstitution(message.institution);
    void read(message.input);
  }
});

const say = parent.answer;

async function read(input: ImportInput): Promise<void> {
  blocksUnderWay = 0;
  try {
    await readSheet(input);
  } catch (error) {
    if (!(error instanceof SheetRefusal)) throw error;
    say({
      kind: "refused",
      code: error.code,
      message: error.message,
      missingHeadings: error.missingHeadings,
      layout: error.layout,
    });
  }
}

async function readSheet({ path, fileName, now, hints, facts: given }: ImportInput): Promise<void> {
  const blocked = new Set(given.blocked);
  const facts: TransferFacts = {
    ...given,
    today: given.today as CalendarDate,
    blocked: (taxId) => blocked.has(taxId),
  };
  const sheet = await openSheet(path, fileName, { hints });
  say({ kind: "headings", layout: sheet.headings.layout });
  const totals: ImportTotals = { payments: 0, errors: 0, value: 0 };
  const write = copyLines(now, sheet.headings);
  const mistakes = new Map<string, number>();
  let said = 0;
  async function postLines(): Promise<void> {
    const lines = write.take();
    said = totals.payments;
    say({ kind: "lines", lines, rowsRead: said });
    blocksUnderWay++;
    while (blocksUnderWay >= blocksAhead) await parent.nextQuestion();
  }
  function addTransfer(row: CleanRow<TransferDraft>): void {
    const read = normaliseTransfer(row.draft);
    const found = checkTransfer(read, facts);
    const { draft, corrections } = given.correctsKnownErrors
      ? correctKnownErrors(read, found.errors)
      : { draft: read, corrections: [] };
    const method = transferMethodOf(draft);
    const checked = corrections.length > 0 ? checkTransfer(draft, facts) : found;
    const issues = count(row, checked, method === "PIX");
    totals.value += write.addTransfer(totals.payments, row, { draft, method, corrections }, issues);
  }
  function addBoleto(row: CleanRow<BoletoDraft>): void {
    const draft = normaliseBoleto(row.draft, facts.today);
    // Duplicates are evaluated when the boleto is shown.
    const boletoFacts = { ...facts, maxCents: given.boletoMaxCents, isDuplicated: false };
    const issues = count(row, checkBoleto(draft, boletoFacts), false);
    totals.value += write.addBoleto(totals.payments, row, storableBoleto(draft, facts.today), issues);
  }
  function count(
    { issues }: CleanRow<unknown>,
    { errors, warnings }: TransferCheck,
    isByKey: boolean,
  ): TransferCheck {
    totals.payments++;
    if (issues.length + errors.length === 0) return { errors, warnings };
    totals.errors++;
    const all = [...issues, ...errors];
    const texts = new Set(all.map((issue) => issueSheetText(issue, isByKey)));
    for (const text of texts) mistakes.set(text, (mistakes.get(text) ?? 0) + 1);
    return { errors: all, warnings };
  }
  let unnamedTotal: TotalRow | null = null;
  /**
   * Returns true for a row that holds only an amount equal to the sum of all rows above: a total without a label, not a
   * payment.
   */
  const isSum = ({ draft, raw }: CleanRow<{ value: number | null }>) =>
    totals.payments > 1 &&
    draft.value === totals.value &&
    raw.filter((text) => text.trim() !== "").length === 1;
  async function addAll<Draft extends { value: number | null }>(
    blocks: AsyncIterable<CleanRow<Draft>[]>,
    add: (row: CleanRow<Draft>) => void,
  ): Promise<void> {
    for await (const rows of blocks) {
      for (const row of rows) {
        if (isSum(row)) unnamedTotal = { sheetRow: row.sheetRow, stated: cents(totals.value) };
        else add(row);
      }
      if (totals.payments - said >= blockRows) await postLines();
    }
  }
  if (sheet.headings.kind === "billet") await addAll(sheet.boletos(), addBoleto);
  else await addAll(sheet.transfers(), addTransfer);
  await postLines();
  say({
    kind: "end",
    totals,
    layout: sheet.layout(),
    total: sheet.total() ?? unnamedTotal,
    mistakes: [...mistakes].map(([text, count]) => ({ text, count })),
  });
}

/** The thread's side: a sheet in, lines for COPY out, a block at a time and only when asked. */
import { once } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { CalendarDate } from "@malote/domain/calendar";
import {
  checkTransfer,
  normaliseTransfer,
  paymentMethodOf,
  type TransferFacts,
} from "@malote/domain/transfer";
import { copyLines } from "./copy-lines.ts";
import type { FromImportThread, ImportInput, ImportTotals } from "./import-thread.ts";
import { openSheet } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";

function threadPort(): MessagePort {
  if (parentPort === null) throw new Error("this file only runs as a worker thread");
  return parentPort;
}
const port = threadPort();

const { path, fileName, now, facts: given } = workerData as ImportInput;

async function say(message: FromImportThread): Promise<void> {
  const lines = message.kind === "lines" ? [message.lines.buffer as ArrayBuffer] : [];
  port.postMessage(message, lines);
  if (message.kind === "headings" || message.kind === "lines") await once(port, "message");
}

try {
  const blocked = new Set(given.blocked);
  const facts: TransferFacts = {
    ...given,
    today: given.today as CalendarDate,
    blocked: (taxId) => blocked.has(taxId),
  };
  const sheet = await openSheet(path, fileName);
  await say({ kind: "headings", sheetKind: sheet.headings.kind });
  const totals: ImportTotals = { payments: 0, errors: 0, value: 0 };
  const write = copyLines(now, sheet.headings);
  for await (const rows of sheet.transfers()) {
    for (const row of rows) {
      const draft = normaliseTransfer(row.draft);
      const checked = checkTransfer(draft, facts);
      const errors = [...row.issues, ...checked.errors];
      totals.payments++;
      totals.value += draft.value ?? 0;
      if (errors.length > 0) totals.errors++;
      write.add(totals.payments, row, draft, paymentMethodOf(draft), errors, checked.warnings);
    }
    await say({ kind: "lines", lines: write.take(), rowsRead: totals.payments });
  }
  await say({ kind: "end", totals });
} catch (error) {
  if (!(error instanceof SheetRefusal)) throw error;
  await say({
    kind: "refused",
    code: error.code,
    message: error.message,
    missingHeadings: error.missingHeadings,
  });
}
port.close();

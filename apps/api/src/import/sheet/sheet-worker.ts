import { parentPort, workerData } from "node:worker_threads";
import { openSheet } from "./read-sheet.ts";
import { SheetRefusal } from "./refusal.ts";
import type { FromSheetThread, SheetThreadInput, ToSheetThread } from "./sheet-thread.ts";

/** Reads one sheet and sends its rows block by block; a block is only made when the other side asks for it. */
async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("this file only runs as a worker thread");
  const say = (message: FromSheetThread) => port.postMessage(message);
  const { source, fileName, limits } = workerData as SheetThreadInput;
  try {
    const bytesOrPath =
      typeof source === "string" ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    const sheet = await openSheet(bytesOrPath, fileName, { limits });
    say({ kind: "headings", headings: sheet.headings });
    const blocks = sheet.headings.kind === "billet" ? sheet.billets() : sheet.transfers();
    port.on("message", async (_: ToSheetThread) => {
      try {
        const next = await blocks.next();
        if (next.done) say({ kind: "end" });
        else say({ kind: "rows", rows: next.value });
        if (next.done) port.close();
      } catch (error) {
        fail(error, say);
        port.close();
      }
    });
  } catch (error) {
    fail(error, say);
  }
}

function fail(error: unknown, say: (message: FromSheetThread) => void): void {
  if (!(error instanceof SheetRefusal)) throw error;
  say({ kind: "refused", code: error.code, message: error.message, missingHeadings: error.missingHeadings });
}

await main();

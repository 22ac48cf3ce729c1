import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TransferDraft } from "@malote/domain/transfer";
import type { BilletDraft, CleanRow } from "./clean-cells.ts";
import type { SheetHeadings } from "./headings.ts";
import { type SheetLimits, sheetLimits } from "./limits.ts";
import type { ReadSheetOptions } from "./read-sheet.ts";
import { cancelled, SheetRefusal, type SheetRefusalCode, unsafe } from "./refusal.ts";

export interface SheetThreadInput {
  source: string | Uint8Array;
  fileName: string;
  limits: SheetLimits;
}

export type ToSheetThread = "next";

export type FromSheetThread =
  | { kind: "headings"; headings: SheetHeadings }
  | { kind: "rows"; rows: CleanRow<TransferDraft>[] | CleanRow<BilletDraft>[] }
  | { kind: "end" }
  | { kind: "refused"; code: SheetRefusalCode; message: string; missingHeadings: readonly string[] };

/** A sheet read in a thread of its own: the caller's thread stays free, and what the file makes it do is bounded. */
export interface ThreadedSheet {
  headings: SheetHeadings;
  transfers(): AsyncGenerator<CleanRow<TransferDraft>[]>;
  billets(): AsyncGenerator<CleanRow<BilletDraft>[]>;
  /** Ends the thread; also happens by itself after the last row, a refusal or a broken-off loop. */
  close(): Promise<void>;
}

// The young space is wide because rows live for one block: with the usual one they would be copied about again and again.
export const sheetThreadLimits = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 48,
  stackSizeMb: 4,
};

export async function openSheetInThread(
  source: string | Buffer,
  fileName: string,
  { limits = sheetLimits, signal, onProgress }: ReadSheetOptions = {},
): Promise<ThreadedSheet> {
  if (signal?.aborted) throw cancelled();
  const input: SheetThreadInput = { source, fileName, limits };
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: sheetThreadLimits,
  });
  const close = async () => {
    await worker.terminate();
  };

  async function receive(): Promise<FromSheetThread> {
    try {
      const exited = new AbortController();
      const message = once(worker, "message", signal === undefined ? {} : { signal }) as Promise<
        [FromSheetThread]
      >;
      const exit = once(worker, "exit", { signal: exited.signal }).then(() => {
        throw new Error("the sheet thread ended without an answer");
      });
      exit.catch(() => undefined);
      const [answer] = await Promise.race([message, exit]);
      exited.abort();
      if (answer.kind === "refused")
        throw new SheetRefusal(answer.code, answer.message, answer.missingHeadings);
      return answer;
    } catch (error) {
      await close();
      if (signal?.aborted) throw cancelled();
      // Only a hostile file needs more memory than the thread has.
      if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
        throw unsafe();
      throw error;
    }
  }

  async function* blocks(): AsyncGenerator<CleanRow<TransferDraft>[] | CleanRow<BilletDraft>[]> {
    let rowsRead = 0;
    try {
      for (;;) {
        const answer = receive();
        worker.postMessage("next" satisfies ToSheetThread);
        const message = await answer;
        if (message.kind !== "rows") return;
        rowsRead += message.rows.length;
        yield message.rows;
        onProgress?.(rowsRead);
      }
    } finally {
      await close();
    }
  }

  const first = await receive();
  if (first.kind !== "headings") throw new Error(`the sheet thread said ${first.kind} before the headings`);
  return {
    headings: first.headings,
    transfers: () => blocks() as AsyncGenerator<CleanRow<TransferDraft>[]>,
    billets: () => blocks() as AsyncGenerator<CleanRow<BilletDraft>[]>,
    close,
  };
}

/**
 * Reads a sheet in a thread of its own, down to lines for COPY: the thread parses, cleans, normalises and checks every
 * row, and this side only passes bytes on. What a file can make it do is bounded by the thread's limits.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Cents } from "@malote/domain/money";
import type { PaymentMethod } from "@malote/domain/transfer";
import type { SheetKind } from "./sheet/headings.ts";
import { SheetRefusal, type SheetRefusalCode, unsafe } from "./sheet/refusal.ts";

export interface ImportInput {
  path: string;
  fileName: string;
  /** Milliseconds since 1970, for the ids. */
  now: number;
  facts: {
    today: string;
    now: string;
    maxCents: Record<PaymentMethod, Cents>;
    blocked: string[];
    publicEntityNeedsCaixa: boolean;
  };
}

export interface ImportTotals {
  payments: number;
  errors: number;
  value: number;
}

export type FromImportThread =
  | { kind: "headings"; sheetKind: SheetKind }
  | { kind: "lines"; lines: Uint8Array; rowsRead: number }
  | { kind: "end"; totals: ImportTotals }
  | { kind: "refused"; code: SheetRefusalCode; message: string; missingHeadings: readonly string[] };

/** The young space is wide because rows live for one block: with the usual one they would be copied about again and again. */
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 };

/** The thread asks before it makes the next block, so a slow database never piles lines up in memory. */
export async function* readInThread(
  input: ImportInput,
  signal: AbortSignal,
): AsyncGenerator<FromImportThread> {
  const thread = new Worker(new URL("./import-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: limits,
  });
  try {
    for (;;) {
      const [message] = (await Promise.race([
        once(thread, "message", { signal }),
        once(thread, "exit").then(() =>
          Promise.reject(new Error("the import thread ended without an answer")),
        ),
      ])) as [FromImportThread];
      if (message.kind === "refused")
        throw new SheetRefusal(message.code, message.message, message.missingHeadings);
      yield message;
      if (message.kind === "end") return;
      thread.postMessage("next");
    }
  } catch (error) {
    // Only a hostile file needs more memory than the thread has.
    if ((error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY") throw unsafe();
    throw error;
  } finally {
    await thread.terminate();
  }
}

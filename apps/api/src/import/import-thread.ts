/**
 * Reads a sheet in a thread of its own, down to lines for COPY: the thread parses, cleans, normalises and checks every
 * row, and this side only passes bytes on. What a file can make it do is bounded by the thread's limits.
 */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { Cents } from "@malote/domain/money";
import type { PaymentMethod } from "@malote/domain/transfer";
import { goesBehind } from "../platform/goes-behind.ts";
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

/** Blocks the thread may be ahead of the database, so that both work at the same time and lines never pile up in memory. */
export const blocksAhead = 4;

/** The thread met something that is no refusal: a mistake of ours, which the same file will bring about again. */
export class ThreadFailed extends Error {}

export async function* readInThread(
  input: ImportInput,
  signal: AbortSignal,
): AsyncGenerator<FromImportThread> {
  const thread = new Worker(new URL("./import-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: limits,
    ...goesBehind,
  });
  // What fails after nobody listens any more (a cancel, a refusal) must not take the process with it.
  thread.on("error", () => undefined);
  try {
    for await (const [said] of on(thread, "message", { signal, close: ["exit"] })) {
      const message = said as FromImportThread;
      if (message.kind === "refused")
        throw new SheetRefusal(message.code, message.message, message.missingHeadings);
      yield message;
      if (message.kind === "end") return;
      if (message.kind === "lines") thread.postMessage("taken");
    }
    throw new ThreadFailed("the import thread ended without an answer");
  } catch (error) {
    if (error instanceof SheetRefusal || signal.aborted) throw error;
    // Only a hostile file needs more memory than the thread has.
    if ((error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY") throw unsafe();
    throw new ThreadFailed("the import thread failed", { cause: error });
  } finally {
    await thread.terminate();
  }
}

/**
 * Reads a sheet in a thread of its own, down to lines for COPY: the thread parses, cleans, normalises and checks every
 * row, and this side only passes bytes on. The limits of the thread bound what a file can cost. A thread that read an
 * ordinary sheet to its end is kept a while for the next one, because starting a thread is most of the work of a small
 * sheet.
 */

import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { secondMs } from "@malote/domain/durations";
import type { Cents } from "@malote/domain/money";
import { type OwnInstitution, ownInstitution } from "@malote/domain/own-institution";
import type { PaymentMethod } from "@malote/domain/transfer";
import { lowPriorityThread } from "../../platform/low-priority-thread.ts";
import type { HeadingHints } from "./sheet/headings.ts";
import type { TotalRow } from "./sheet/read-sheet.ts";
import { SheetRefusal, type SheetRefusalCode, unsafe } from "./sheet/refusal.ts";
import type { SheetLayout } from "./sheet/sheet-layout.ts";

export interface ImportInput {
  path: string;
  fileName: string;
  /** Milliseconds since 1970, for the ids. */
  now: number;
  hints: HeadingHints;
  facts: {
    today: string;
    now: string;
    maxCents: Record<PaymentMethod, Cents>;
    boletoMaxCents: Cents;
    blocked: string[];
    publicEntityNeedsCaixa: boolean;
    correctsKnownErrors: boolean;
  };
}

export interface ImportTotals {
  payments: number;
  errors: number;
  value: number;
}

/** Mistake in rows of a sheet, in the words of IMP-015 and IMP-026, with the number of rows. */
export interface Mistake {
  text: string;
  count: number;
}

/** Message to the thread: a sheet to read and our own institution, or the acknowledgement of a block of lines. */
export type ToImportThread = { input: ImportInput; institution: OwnInstitution } | "taken";

export type FromImportThread =
  | { kind: "headings"; layout: SheetLayout }
  | { kind: "lines"; lines: Uint8Array; rowsRead: number }
  | {
      kind: "end";
      totals: ImportTotals;
      /** The columns after all rows were read. */
      layout: SheetLayout;
      total: TotalRow | null;
      mistakes: Mistake[];
    }
  | {
      kind: "refused";
      code: SheetRefusalCode;
      message: string;
      missingHeadings: readonly string[];
      layout: SheetLayout | undefined;
    };

/**
 * Limits in MB. The young generation is wide because rows live for one block: with the default size they would be
 * copied repeatedly.
 */
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 };

/** Blocks that the thread may be ahead of the database, so that both work at the same time and memory stays bounded. */
export const blocksAhead = 4;

/** Rows of the largest sheet after which a thread is kept; after a larger one it would hold too much memory. */
const keptRowsMax = 10_000;
const keptMs = 30 * secondMs;

/**
 * Idle thread. A thread whose sheet was refused, cancelled or broken off is never kept, because its work must not
 * continue.
 */
let kept: { thread: Worker; goes: NodeJS.Timeout } | undefined;

function takeThread(): Worker {
  if (kept) {
    const { thread, goes } = kept;
    kept = undefined;
    clearTimeout(goes);
    thread.ref();
    return thread;
  }
  const thread = new Worker(new URL("./import-worker.ts", import.meta.url), {
    resourceLimits: limits,
    ...lowPriorityThread,
  });
  // A failure after the reader has gone (a cancellation, a refusal) must not end the process.
  thread.on("error", () => undefined);
  thread.once("exit", () => {
    if (kept?.thread === thread) kept = undefined;
  });
  return thread;
}

async function giveBack(thread: Worker, isGood: boolean): Promise<void> {
  if (!isGood || kept) {
    await thread.terminate();
    return;
  }
  thread.unref();
  const goes = setTimeout(() => {
    kept = undefined;
    void thread.terminate();
  }, keptMs);
  kept = { thread, goes: goes.unref() };
}

/** Failure of the thread that is no refusal: a bug of ours, which the same file triggers again. */
export class ThreadFailed extends Error {}

export async function* readInThread(
  input: ImportInput,
  signal: AbortSignal,
): AsyncGenerator<FromImportThread> {
  const thread = takeThread();
  const post = (message: ToImportThread) => thread.postMessage(message);
  let isGood = false;
  try {
    post({ input, institution: ownInstitution() });
    for await (const [said] of on(thread, "message", { signal, close: ["exit"] })) {
      const message = said as FromImportThread;
      if (message.kind === "refused")
        throw new SheetRefusal(message.code, message.message, message.missingHeadings, message.layout);
      if (message.kind === "end") isGood = message.totals.payments <= keptRowsMax;
      yield message;
      if (message.kind === "end") return;
      if (message.kind === "lines") post("taken");
    }
    throw new ThreadFailed("the import thread ended without an answer");
  } catch (error) {
    if (error instanceof SheetRefusal || signal.aborted) throw error;
    // Only a hostile file needs more memory than the thread has.
    if ((error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY") throw unsafe();
    throw new ThreadFailed("the import thread failed", { cause: error });
  } finally {
    await giveBack(thread, isGood);
  }
}

/**
 * Reads a sheet in a child process, down to lines for COPY: the child parses, cleans, normalises and checks every row,
 * and this side only passes bytes on. The limits of the child bound what a file can cost. A child that read an ordinary
 * sheet to its end is kept a while for the next one, because starting it is most of the work of a small sheet.
 */

import { secondMs } from "@malote/domain/durations";
import type { Cents } from "@malote/domain/money";
import { type OwnInstitution, ownInstitution } from "@malote/domain/own-institution";
import type { TransferMethod } from "@malote/domain/transfer";
import {
  type LowPriorityProcess,
  OutOfMemory,
  ProcessFailed,
  startLowPriorityProcess,
} from "../../platform/low-priority-process.ts";
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
    maxCents: Record<TransferMethod, Cents>;
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

/** Message to the child: a sheet to read and our own institution, or the acknowledgement of a block of lines. */
export type ToImportProcess = { input: ImportInput; institution: OwnInstitution } | "taken";

export type FromImportProcess =
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

/** The young generation is wide because rows live for one block: with the default they are copied repeatedly. */
const limits = { oldMb: 192, semiSpaceMb: 16 };

/** Blocks that the child may be ahead of the database, so that both work at the same time and memory stays bounded. */
export const blocksAhead = 4;

/** Rows of the largest sheet after which a child is kept; after a larger one it would hold too much memory. */
const keptRowsMax = 10_000;
const keptMs = 30 * secondMs;

type ImportProcess = LowPriorityProcess<ToImportProcess, FromImportProcess>;

/**
 * Idle child. A child whose sheet was refused, cancelled or broken off is never kept, because its work must not
 * continue.
 */
let kept: { child: ImportProcess; goes: NodeJS.Timeout } | undefined;

function acquireProcess(): ImportProcess {
  const idle = kept;
  kept = undefined;
  clearTimeout(idle?.goes);
  if (!idle || idle.child.hasEnded)
    return startLowPriorityProcess(new URL("./import-entry.ts", import.meta.url), limits);
  idle.child.setIdle(false);
  return idle.child;
}

async function releaseProcess(child: ImportProcess, isGood: boolean): Promise<void> {
  if (!isGood || kept) {
    await child.kill();
    return;
  }
  child.setIdle(true);
  const goes = setTimeout(() => {
    kept = undefined;
    void child.kill();
  }, keptMs);
  kept = { child, goes: goes.unref() };
}

/** Throws `SheetRefusal`, `ProcessFailed` for a bug of ours, or another error when the child was killed. */
export async function* readInProcess(
  input: ImportInput,
  signal: AbortSignal,
): AsyncGenerator<FromImportProcess> {
  const child = acquireProcess();
  let isGood = false;
  try {
    child.ask({ input, institution: ownInstitution() });
    for await (const message of child.answers(signal)) {
      if (message.kind === "refused")
        throw new SheetRefusal(message.code, message.message, message.missingHeadings, message.layout);
      if (message.kind === "end") isGood = message.totals.payments <= keptRowsMax;
      yield message;
      if (message.kind === "end") return;
      if (message.kind === "lines") child.ask("taken");
    }
    throw new ProcessFailed("the import process ended without an answer");
  } catch (error) {
    // Only a hostile file needs more memory than the child has.
    throw error instanceof OutOfMemory ? unsafe() : error;
  } finally {
    await releaseProcess(child, isGood);
  }
}

/**
 * Declarations of the files that a feature lets users request. Each feature declares its kinds in `feature.ts`;
 * `registry.ts` collects them.
 */
import type { Base } from "@malote/contracts/contract";
import type { ErrorCode } from "@malote/contracts/errors";
import type { AuditAction } from "@malote/domain/audit-trail";
import type { WrittenEmail } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Feature } from "../platform/feature.ts";
import type { Services } from "../platform/services.ts";
import type { Export } from "./store.ts";

/** Kind of file that the job `make-export` makes; its requester gets an e-mail, and the file is kept for some days. */
export interface FileKind<Request = unknown> {
  madeBy: "job";
  /** Name of the kind in the exports table. */
  kind: string;
  /** Maximum number of files of a company that are in progress; kinds that share a limit list each other. */
  limit: { kinds: readonly string[]; atOnceMax: number; refusal: ErrorCode };
  refusals: { making: ErrorCode; expired: ErrorCode };
  trail: { requested: AuditAction; givenUp: AuditAction; removed: AuditAction };
  /** True when a file without rows makes the request fail. */
  needsRows?: true;
  file(tx: Tx, requested: Export<Request>): Promise<{ name: string; type: string }>;
  /**
   * Writes the file in slices, each read in its own transaction, so that no transaction is open meanwhile. `ids` are
   * those of the request.
   */
  write(
    services: Services,
    companyId: string,
    requested: Export<Request>,
    ids: readonly string[],
  ): Promise<WrittenFile> | WrittenFile;
  email(tx: Tx, requested: Export<Request>): Promise<ExportEmails>;
}

/** Pieces of a file as they are written, and its row count, which is known after the last piece. */
export interface WrittenFile {
  pieces: AsyncIterable<Uint8Array | string>;
  rows(): number;
}

export interface ExportEmails {
  ready: WrittenEmail;
  failed: WrittenEmail;
}

/** CSV whose rows are read and written during the download: the request is stored for a day, the rows are not. */
export interface StreamedKind<Row = unknown, Filters = unknown> {
  madeBy: "download";
  kind: string;
  requested: StreamedAction;
  /** Start of the file name; the date follows. */
  name: string;
  /** Path of the call that returns the link, without the id. */
  path: { base: Base; below: string };
  /** Refuses companies that have no such data. */
  expect?(tx: Tx): Promise<void>;
  headings: readonly string[];
  /** Returns the rows after `last`, the first rows without it, and an empty list at the end. */
  rowsAfter(tx: Tx, filters: Filters, last: Row | undefined, requestedAt: Date): Promise<readonly Row[]>;
  cellsOf(row: Row): readonly string[];
}

/** Audit actions by which requests of streamed exports are counted. */
export const streamedActions = [
  "payin_report_requested",
  "card_receivables_report_requested",
  "audit_trail_exported",
] as const satisfies AuditAction[];
type StreamedAction = (typeof streamedActions)[number];

declare module "../platform/feature.ts" {
  interface Feature {
    /** Files that users of a company may request. */
    exports?: readonly (FileKind | StreamedKind)[];
  }
}

export type FileKinds = ReadonlyMap<string, FileKind>;

export type EveryKind = ReadonlyMap<string, FileKind | StreamedKind>;

/** Indexes the kinds of all features by their name in the table. Throws when two features declare the same kind. */
export function everyKindOf(features: readonly Feature[]): EveryKind {
  const kinds = new Map<string, FileKind | StreamedKind>();
  for (const one of features.flatMap((feature) => feature.exports ?? [])) {
    if (kinds.has(one.kind)) throw new Error(`two features export the kind ${one.kind}`);
    kinds.set(one.kind, one);
  }
  return kinds;
}

/** Returns the kinds that a job makes. */
export const fileKindsOf = (features: readonly Feature[]): FileKinds =>
  new Map(
    [...everyKindOf(features).values()].flatMap((one) => (one.madeBy === "job" ? [[one.kind, one]] : [])),
  );

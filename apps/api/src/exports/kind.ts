/**
 * What a feature declares about a file that its people may request. Each gives its kinds in `feature.ts`;
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

/** Made by the job `make-export`, announced by e-mail, and kept for some days. */
export interface FileKind<Request = unknown> {
  madeBy: "job";
  /** The kind as the table of exports stores it. */
  kind: string;
  /** How many of a company are in the making together; kinds that share a limit name each other. */
  limit: { kinds: readonly string[]; atOnceMax: number; refusal: ErrorCode };
  refusals: { making: ErrorCode; expired: ErrorCode };
  trail: { requested: AuditAction; givenUp: AuditAction; removed: AuditAction };
  /** A file without a row is no file: the request fails. */
  needsRows?: true;
  file(tx: Tx, asked: Export<Request>): Promise<{ name: string; type: string }>;
  /** Reads in slices of its own: no transaction is open while a file is written. `ids` are those of the request. */
  write(
    services: Services,
    companyId: string,
    asked: Export<Request>,
    ids: readonly string[],
  ): Promise<WrittenFile> | WrittenFile;
  email(tx: Tx, asked: Export<Request>): Promise<ExportEmails>;
}

/** The pieces of a file as they are written, and how many rows it holds once they are all there. */
export interface WrittenFile {
  pieces: AsyncIterable<Uint8Array | string>;
  rows(): number;
}

export interface ExportEmails {
  ready: WrittenEmail;
  failed: WrittenEmail;
}

/** A CSV whose rows are read and written while it is fetched: the request is stored for a day, the rows are not. */
export interface StreamedKind<Row = unknown, Filters = unknown> {
  madeBy: "download";
  kind: string;
  requested: StreamedAction;
  /** The file's name, up to the day in it. */
  name: string;
  /** The path of the call that answers the link, without the id. */
  path: { base: Base; below: string };
  /** Refuses a company that has nothing of this. */
  expect?(tx: Tx): Promise<void>;
  headings: readonly string[];
  /** The rows behind the last of the ones before, the first ones without it, and none at the end. */
  rowsAfter(tx: Tx, filters: Filters, last: Row | undefined, askedAt: Date): Promise<readonly Row[]>;
  cellsOf(row: Row): readonly string[];
}

/** Actions of the audit trail by which requests of streamed exports are counted. */
export const streamedActions = [
  "payin_report_requested",
  "card_receivables_report_requested",
  "audit_trail_exported",
] as const satisfies AuditAction[];
type StreamedAction = (typeof streamedActions)[number];

declare module "../platform/feature.ts" {
  interface Feature {
    /** Files that people of a company may ask for. */
    exports?: readonly (FileKind | StreamedKind)[];
  }
}

export type FileKinds = ReadonlyMap<string, FileKind>;

export type EveryKind = ReadonlyMap<string, FileKind | StreamedKind>;

/** Of all features, by their name in the table. Two features that claim one kind are a mistake of ours. */
export function everyKindOf(features: readonly Feature[]): EveryKind {
  const kinds = new Map<string, FileKind | StreamedKind>();
  for (const one of features.flatMap((feature) => feature.exports ?? [])) {
    if (kinds.has(one.kind)) throw new Error(`two features export the kind ${one.kind}`);
    kinds.set(one.kind, one);
  }
  return kinds;
}

/** Those a job makes. */
export const fileKindsOf = (features: readonly Feature[]): FileKinds =>
  new Map(
    [...everyKindOf(features).values()].flatMap((one) => (one.madeBy === "job" ? [[one.kind, one]] : [])),
  );

/**
 * Identity of an outside service that reports to us, the same for every port: reports are stored under its id, and it
 * may call us or deliver files.
 */
import * as z from "zod";

export interface Connection<Report> {
  /** Id in rows of what was sent to and reported by the service; it never changes. */
  readonly id: string;
  /** Set only for a service that calls us. */
  readonly webhook?: Webhook<Report>;
  /** Set only for a service that delivers files. `read` throws when the content is not a file of this service. */
  readonly file?: { read: ReadReports<Report> };
}

export interface Webhook<Report> {
  /** Returns whether the service made the call, by signature or secret. Checked before the body is parsed. */
  isGenuine(call: WebhookCall): boolean;
  read: ReadReports<Report>;
}

/** Unparsed call of a service to us. */
export interface WebhookCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/** Function that reads the reports of a body or file in order; an unreadable record does not affect the others. */
export type ReadReports<Report> = (content: Uint8Array) => readonly (Report | UnreadableReport)[];

/** Unreadable record of a service, as received; stored for review by a person. */
export interface UnreadableReport {
  unreadable: string;
  why: string;
}

const unreadableReport = z.object({ unreadable: z.string(), why: z.string() });

/** Returns true for an unreadable report. Validated at run time, because an adapter may return anything. */
export const isUnreadable = (one: unknown): one is UnreadableReport =>
  unreadableReport.safeParse(one).success;

/** Returns true for an id that addresses and rows can hold. */
export const isConnectionId = (id: string): boolean => /^[a-z][a-z\d-]{0,49}$/.test(id);

/** Histories of payments and payins of the fake server. */
import {
  type History,
  type HistoryEntry,
  readPayinHistory,
  readPaymentHistory,
} from "@malote/contracts/history";
import { fakeServer } from "./fake-server.ts";

export const buildMoment = (changes: Partial<HistoryEntry> = {}): HistoryEntry => ({
  what: "payment.sent",
  at: "2026-11-21T13:00:00.000Z",
  amount: 150_00,
  status: null,
  reason: null,
  attempt: null,
  scheduled_for: null,
  actor: null,
  kept: true,
  ...changes,
});

/** The history starts before any event of the tests. */
const complete = { kept_since: "2026-11-01T03:00:00.000Z", missing: null } as const;
type Progress = Pick<History, "kept_since" | "missing">;

export const emptyHistory: History = {
  items: [],
  ...complete,
  metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
};

/** Answers newest first, the same for every object, with a fixed page size. */
export function serveHistory(
  entries: readonly HistoryEntry[] = [],
  itemsPerPage = 50,
  progress: Partial<Progress> = {},
): void {
  for (const contract of [readPaymentHistory, readPayinHistory])
    fakeServer.on(contract, ({ query }) => {
      const first = Number(query["page"] ?? 0) * itemsPerPage;
      return {
        items: entries.slice(first, first + itemsPerPage),
        ...complete,
        ...progress,
        metadata: { pagination: { itemsPerPage, totalItems: entries.length } },
      };
    });
}

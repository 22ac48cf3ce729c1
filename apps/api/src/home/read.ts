import type { Home, WorkItem } from "@malote/contracts/home";
import { mayCall } from "@malote/contracts/policy";
import { addDays, type CalendarDate, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { WorkSource } from "./work.ts";

const daysShown = 7;

interface Outflow {
  reserved: number;
  unfunded: number;
}

/** Data of the home page, each part from the feature that owns it. */
export interface HomeData {
  sources: readonly WorkSource[];
  /** Sums by day from `today` until the instant `end`; days without payments may be missing. */
  sumUpcoming(tx: Tx, today: CalendarDate, end: Date): Promise<(Outflow & { day: CalendarDate })[]>;
  listBatchesBeingPaid(tx: Tx): Promise<Home["paying"]>;
}

interface HomeRequest {
  actor: Actor;
  now: Date;
}

export async function buildHome(tx: Tx, request: HomeRequest, data: HomeData): Promise<Home> {
  const today = saoPauloDate(request.now);
  const [work, upcoming, paying] = await Promise.all([
    listWork(tx, request, data),
    data.sumUpcoming(tx, today, startOfDay(addDays(today, daysShown))),
    data.listBatchesBeingPaid(tx),
  ]);
  const sums = new Map(
    upcoming.map(({ day, reserved, unfunded }): [string, Outflow] => [day, { reserved, unfunded }]),
  );
  const days = Array.from({ length: daysShown }, (_, n) => addDays(today, n));
  return {
    work,
    count: work.length,
    upcoming: days.map((date) => ({ date, ...(sums.get(date) ?? { reserved: 0, unfunded: 0 }) })),
    paying,
  };
}

export async function countHomeWork(tx: Tx, request: HomeRequest, { sources }: HomeData): Promise<number> {
  const counts = await Promise.all(ownOf(sources, request).map((source) => source.count(tx, request)));
  return counts.reduce((sum, count) => sum + count, 0);
}

const ownOf = (sources: readonly WorkSource[], { actor }: HomeRequest) =>
  sources.filter(({ policy }) => mayCall(policy, actor));

/** Lists the work of all sources, which run concurrently, so that their statements share round trips. */
async function listWork(tx: Tx, request: HomeRequest, { sources }: HomeData): Promise<WorkItem[]> {
  const work = (await Promise.all(ownOf(sources, request).map((source) => source.list(tx, request)))).flat();
  // The sort is stable: items without a deadline keep the order of features and of each source.
  return work.sort((one, other) => momentOf(one) - momentOf(other));
}

const momentOf = ({ due_at }: WorkItem): number => (due_at === null ? latest : Date.parse(due_at));

/** Last instant that Date can represent (ECMA-262), after every deadline. */
const latest = 8.64e15;

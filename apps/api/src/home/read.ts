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

/** What the home page shows, each part from the feature that has it. */
export interface HomeData {
  sources: readonly WorkSource[];
  /** By day from `today` on, before the instant `end`; a day without any may be missing. */
  sumUpcoming(tx: Tx, today: CalendarDate, end: Date): Promise<(Outflow & { day: CalendarDate })[]>;
  findBatchesBeingPaid(tx: Tx): Promise<Home["paying"]>;
}

interface Asked {
  actor: Actor;
  now: Date;
}

export async function buildHome(tx: Tx, asked: Asked, data: HomeData): Promise<Home> {
  const today = saoPauloDate(asked.now);
  const [work, upcoming, paying] = await Promise.all([
    listWork(tx, asked, data),
    data.sumUpcoming(tx, today, startOfDay(addDays(today, daysShown))),
    data.findBatchesBeingPaid(tx),
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

export async function countHomeWork(tx: Tx, asked: Asked, { sources }: HomeData): Promise<number> {
  const counts = await Promise.all(ownOf(sources, asked).map((source) => source.count(tx, asked)));
  return counts.reduce((sum, count) => sum + count, 0);
}

const ownOf = (sources: readonly WorkSource[], { actor }: Asked) =>
  sources.filter(({ policy }) => mayCall(policy, actor));

/** The statements of all sources share their trips to the database. */
async function listWork(tx: Tx, asked: Asked, { sources }: HomeData): Promise<WorkItem[]> {
  const work = (await Promise.all(ownOf(sources, asked).map((source) => source.list(tx, asked)))).flat();
  // A stable sort: without a deadline, the order of the features and of each of their lists.
  return work.sort((one, other) => momentOf(one) - momentOf(other));
}

const momentOf = ({ due_at }: WorkItem): number => (due_at === null ? latest : Date.parse(due_at));

/** The last moment that Date knows (ECMA-262): behind every deadline. */
const latest = 8.64e15;

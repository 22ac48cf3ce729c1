/** The port's sandbox side: takes orders, loses some answers on purpose, and says which orders it has. */
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { PaymentOrder, Rails } from "../port.ts";
import { happens, shareOf } from "./chance.ts";
import { decideOutcome } from "./outcome.ts";
import { type RailSettings, readSettings } from "./settings.ts";
import { countCall, findOrders, insertOrders } from "./store.ts";

/** What a caller sees of a lost answer: no word on whether the orders were taken. */
export class NoAnswer extends Error {
  constructor() {
    super("the payment network did not answer in time");
  }
}

export function sandboxRails(db: Database, clock: Clock, onTaken: () => void): Rails {
  return {
    async send(orders) {
      const distinct = [...new Map(orders.map((order) => [order.endToEndId, order])).values()];
      if (distinct.length === 0) return;
      const answered = await db.withSandbox(async (tx) => {
        const settings = await readSettings(tx);
        const lost = settings.timeout_percent > 0 ? await loss(tx, distinct, settings) : undefined;
        const taken = lost ? distinct.slice(0, lost.taken) : distinct;
        const now = clock.now();
        const decided = taken.map((order) => ({ order, outcome: decideOutcome(order, settings, now) }));
        if (decided.length > 0) await insertOrders(tx, decided, now);
        return !lost;
      });
      onTaken();
      if (!answered) throw new NoAnswer();
    },
    find: (endToEndIds) => db.withSandbox((tx) => findOrders(tx, endToEndIds, clock.now())),
  };
}

/**
 * Whether this call's answer gets lost, and how many of its orders were taken before that: none, half or all of them.
 * Each try has a fate of its own, so that trying again gets through.
 */
async function loss(
  tx: Parameters<typeof countCall>[0],
  orders: readonly PaymentOrder[],
  settings: RailSettings,
): Promise<{ taken: number } | undefined> {
  const first = orders[0]?.endToEndId ?? "";
  const call = `${first} try ${await countCall(tx, first)}`;
  if (!happens(settings.timeout_percent, `lost ${call}`)) return undefined;
  const share = Math.floor(shareOf(`taken ${call}`) * 3) / 2;
  return { taken: Math.ceil(orders.length * share) };
}

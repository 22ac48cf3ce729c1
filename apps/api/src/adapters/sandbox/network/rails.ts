/** The sandbox side of the port: accepts orders, loses some answers on purpose, and finds the orders it has. */
import { dayMs } from "@malote/domain/durations";
import { paymentMethods } from "@malote/domain/payment-limits";
import type { Clock } from "../../../platform/clock.ts";
import type { AnyTx, DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { sandboxAdapter } from "../../../ports/adapter-choice.ts";
import type { OrderAnswer, PaymentOrder, Rails, RailTiming } from "../../../ports/rails.ts";
import { happens, shareOf } from "./chance.ts";
import { NoAnswer } from "./no-answer.ts";
import { decideOutcome } from "./outcome.ts";
import { readArrivals, readHolders } from "./own-companies.ts";
import { findCodeRefusal, payOwnCharge } from "./pix-codes.ts";
import { type RailSettings, readSettings } from "./settings.ts";
import { countCall, findArrived, findOrders, insertOrders } from "./store.ts";

/** A Pix takes seconds, a TED or a boleto some minutes; returns end on the morning of the next business day. */
const sandboxTiming: RailTiming = {
  answeredWithinMs: 8_000,
  outcomeWithinMs: { PIX: 60_000, TEV: 60_000, TED: 600_000, BILLET: 600_000 },
  finishedWithinMs: dayMs,
  // Orders are accepted in one transaction, so an unknown order was never accepted.
  absenceProvesAfterMs: 0,
};

/** Answer to every order: the network has no numbers of its own, and reports a refusal as an event. */
const accepted: OrderAnswer = { result: "accepted" };

export function sandboxRails(db: DatabaseWithSandbox, clock: Clock, onTaken: () => void): Rails {
  return {
    id: sandboxAdapter,
    methods: paymentMethods,
    timing: sandboxTiming,
    async send(orders) {
      const distinct = [...new Map(orders.map((order) => [order.endToEndId, order])).values()];
      if (distinct.length === 0) return new Map();
      const holders = await readHolders(db, distinct);
      const answered = await db.withSandbox(async (tx) => {
        const arrivalOf = await readArrivals(tx, distinct, holders);
        const settings = await readSettings(tx);
        const lost = settings.timeout_percent > 0 ? await drawLoss(tx, distinct, settings) : undefined;
        const taken = lost ? distinct.slice(0, lost.taken) : distinct;
        const now = clock.now();
        const plain = taken.filter(({ code }) => !code?.location);
        const decided = plain.map((order) => {
          const outcome = decideOutcome(order, settings, now);
          const settledAt = outcome.kind === "settled" ? outcome.events[0]?.dueAt : undefined;
          return { order, outcome, arrival: settledAt && arrivalOf(order, settledAt) };
        });
        if (decided.length > 0) await insertOrders(tx, decided, now);
        // Sequential, because two payments of one charge may arrive together.
        for (const order of taken.filter(({ code }) => code?.location))
          await acceptByCode(tx, order, settings, now);
        return !lost;
      });
      onTaken();
      if (!answered) throw new NoAnswer();
      return new Map(distinct.map(({ endToEndId }) => [endToEndId, accepted]));
    },
    async proof({ endToEndId }) {
      const arrived = await db.withSandbox((tx) => findArrived(tx, endToEndId, clock.now()));
      if (!arrived) return undefined;
      // Loaded lazily with the first proof: a start does not need it.
      const { drawProof } = await import("./proof.ts");
      return drawProof(arrived.order, new Date(arrived.at));
    },
    find: (orders) => {
      const ids = orders.map(({ endToEndId }) => endToEndId);
      return db.withSandbox((tx) => findOrders(tx, ids, clock.now()));
    },
  };
}

/** Accepts an order by dynamic code. A repeated order finds the charge already paid and changes nothing. */
async function acceptByCode(
  tx: AnyTx,
  order: PaymentOrder,
  settings: RailSettings,
  now: Date,
): Promise<void> {
  const refused = await findCodeRefusal(tx, order, now);
  const outcome = decideOutcome(order, settings, now, refused);
  const isNew = await insertOrders(tx, [{ order, outcome }], now);
  const settledAt = outcome.events[0]?.dueAt;
  if (isNew && outcome.kind === "settled" && settledAt) await payOwnCharge(tx, order, settledAt);
}

/**
 * Decides whether this call's answer is lost, and how many of its orders were accepted before that: none, half or all.
 * Each attempt is decided separately, so that a retry succeeds.
 */
async function drawLoss(
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

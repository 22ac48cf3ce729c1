import { refundTransfer } from "@malote/contracts/transfers";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { askAboutSilentPayments, handleEvents } from "../../apps/api/src/payments/index.ts";
import { isPaymentEvent, type RailEvent } from "../../apps/api/src/ports/rails.ts";
import { byForce } from "../../apps/api/src/testing/by-force.ts";
import { auroraId, openPayments, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { proof, type Run } from "../proof.ts";
import {
  type Client,
  countSteps,
  differences,
  finalState,
  watchStatuses,
  wrongSteps,
} from "./final-state.ts";
import { handOver, makeOrders } from "./orders.ts";

const deliveriesEach = 5;
const delayHoursMax = 72;
const blockMax = 500;
/** One block of events in this many is followed by a query about silent payments. */
const asksEvery = 20;

proof(
  "R10",
  "ends as if each event had been delivered once and in order, and moves no status backwards",
  { unit: "events", short: 400, reduced: 6_000, full: 50_000 },
  storm,
);

async function storm({ count, seed, report }: Run) {
  const chance = chanceOf(seed);
  const orders = makeOrders(count, chance);
  const ordered = await openPayments();
  const stormy = await openPayments();
  const second = await stormy.another();
  const pools = { ordered: ordered.services.db.pool, stormy: stormy.services.db.pool };
  try {
    await pools.stormy.query(watchStatuses);
    await handOver(ordered, orders);
    for (const step of [{ seconds: 1 }, { minutes: 4 }, { days: 1 }, { days: 6 }]) await ordered.pass(step);
    await refundFailed(ordered, "all");
    report("delivered once and in order");

    const events = await handOver(stormy, orders);
    // From here on the proof alone delivers it.
    await pools.stormy.query("UPDATE sandbox.events SET delivered_at = due_at");
    const deliveries = shuffled(events, chance);
    const handlers: readonly PaymentsKit[] = [stormy, second];
    let delivered = 0;
    let blocks = 0;
    let refundedEarly = 0;
    for (let next = 0; next < deliveries.length; blocks++) {
      const size = chance.between(1, blockMax);
      const block = deliveries.slice(next, next + size);
      next += size;
      const last = block.at(-1);
      if (last && last.at > stormy.clock.now()) stormy.clock.set(last.at);
      const tale = block.map(({ event }) => event);
      // Sometimes both processes receive the same events at once, one of them in reverse order.
      const twice = chance.happens(10);
      await Promise.all([
        handleEvents((twice ? stormy : (handlers[blocks % 2] ?? stormy)).services, tale),
        ...(twice ? [handleEvents(second.services, tale.toReversed())] : []),
      ]);
      delivered += tale.length * (twice ? 2 : 1);
      if (blocks % asksEvery === asksEvery - 1)
        await askAboutSilentPayments(stormy.services, { companyId: auroraId });
      // Some failed payments are returned while the reports of their failure are still being delivered.
      if (next >= deliveries.length / 2 && refundedEarly === 0)
        refundedEarly = await refundFailed(stormy, "half");
      if (blocks % 50 === 49) report(`${delivered} of ${deliveries.length} delivered`);
    }
    await refundFailed(stormy, "all");
    for (const kit of handlers) await kit.drainJobs();

    const books = async (kit: PaymentsKit) =>
      (await checkBooks(kit.services.db)).map(({ rule, where }) => `books: ${rule} (${where})`);
    const inOrder = await finalState(pools.ordered);
    const look = async (client: Client) => [
      ...differences(inOrder, await finalState(client)),
      ...(await wrongSteps(client)),
    ];
    const faults = [...(await look(pools.stormy)), ...(await books(stormy)), ...(await books(ordered))];
    const { rows } = await pools.stormy.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM rail_dead_letters",
    );
    if (rows[0]?.count !== 0) faults.push(`${rows[0]?.count} events were kept as dead letters`);
    return {
      faults,
      figures: {
        payments: orders.payments.length,
        events: events.length,
        delivered,
        blocks,
        steps: await countSteps(pools.stormy),
        refunded_meanwhile: refundedEarly,
      },
      planted: await plantFaults(stormy, events, look),
    };
  } finally {
    await second.close().catch(() => undefined);
    await stormy.close().catch(() => undefined);
    await ordered.close().catch(() => undefined);
  }
}

/** Returns each event several times with random delays, in the resulting order. */
function shuffled(events: readonly RailEvent[], chance: Chance): { event: RailEvent; at: Date }[] {
  return events
    .flatMap((event) =>
      Array.from({ length: deliveriesEach }, () => ({
        event,
        at: new Date(Date.parse(event.at) + chance.share() * delayHoursMax * 3_600_000),
      })),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Returns the money of failed payments, through the product. */
async function refundFailed(kit: PaymentsKit, which: "half" | "all"): Promise<number> {
  const { rows } = await kit.services.db.pool.query<{ id: string; batch_id: string }>(
    "SELECT id, batch_id FROM transfers WHERE status = 'FAILED' ORDER BY id",
  );
  const chosen = which === "all" ? rows : rows.slice(0, Math.ceil(rows.length / 2));
  for (const { id, batch_id } of chosen) {
    const answer = await kit.admin.call(
      refundTransfer,
      { params: { id: batch_id, tid: id } },
      { "idempotency-key": id },
    );
    // The failed payments to one receiver are returned together.
    if (answer.status !== 200 && answer.body.code !== "transfer_not_failed")
      throw new Error(JSON.stringify(answer.body));
  }
  return chosen.length;
}

const plants: Record<string, string> = {
  "a status moved back":
    "UPDATE transfers SET status = 'TRANSFERRED' WHERE id = (SELECT id FROM transfers WHERE status = 'FINISHED' LIMIT 1)",
  "a return that was lost": `
    UPDATE transfers SET status = 'FINISHED' WHERE id = (SELECT id FROM transfers WHERE status = 'RETURNED' LIMIT 1)`,
  "a day of arrival that depends on the order": `
    UPDATE transfers SET transfer_date = transfer_date + interval '1 day'
    WHERE id = (SELECT id FROM transfers WHERE status = 'FINISHED' LIMIT 1)`,
  "a payment counted once too little": "UPDATE batches SET paid_count = paid_count - 1 WHERE paid_count > 0",
  "a centavo more on the balance":
    "UPDATE ledger_accounts SET balance = balance + 1 WHERE account = 'available' AND balance > 0",
};

/** Plants each fault and reverts it; the product itself applies the last one, after losing its memory of it. */
async function plantFaults(
  kit: PaymentsKit,
  events: readonly RailEvent[],
  look: (client: Client) => Promise<string[]>,
) {
  const { pool } = kit.services.db;
  const missed: string[] = [];
  const client = await pool.connect();
  try {
    for (const [name, plant] of Object.entries(plants)) {
      await client.query(`BEGIN; ${byForce}`);
      const { rowCount } = await client.query(plant);
      const found = await look(client);
      await client.query("ROLLBACK");
      if (!rowCount) missed.push(`${name} (nothing to plant it in)`);
      else if (found.length === 0) missed.push(name);
    }
  } finally {
    client.release();
  }
  const settled = events.filter(isPaymentEvent).find((event) => event.kind === "settled" && event.final);
  if (!settled) throw new Error("no Pix arrived");
  await pool.query("DELETE FROM rail_events WHERE event_id = $1", [settled.id]);
  await pool.query(
    `${byForce} UPDATE transfers SET status = 'EXECUTING' WHERE end_to_end_id = '${settled.endToEndId}'`,
  );
  await handleEvents(kit.services, [settled]).catch(() => undefined);
  if ((await look(pool)).length === 0) missed.push("an event applied twice by force");
  return { count: Object.keys(plants).length + 1, missed };
}

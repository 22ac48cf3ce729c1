/** The contract of the port `rails` on both networks there are, and payments of two networks at once. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  auroraId,
  balanceOf,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
  statusesOf,
  ted,
} from "../testing/payments-kit.ts";
import { describeRails, type News } from "../testing/rails-contract.ts";
import { type SlowRails, slowRails } from "../testing/slow-rails.ts";
import { handleEvents, sendDuePayments } from "./index.ts";

const ordersOfSandbox = async (kit: PaymentsKit) => {
  const { rows } = await kit.parts.db.withSandbox((tx) =>
    sql<{ end_to_end_id: string }>`SELECT end_to_end_id FROM sandbox.orders`.execute(tx),
  );
  return rows.map((row) => row.end_to_end_id);
};

describeRails("of the sandbox", (kit) => ({
  rails: kit.parts.rails,
  async events() {
    const events: News[] = [];
    kit.network.listen(async (delivered) => void events.push(...delivered));
    await kit.network.deliverDue();
    return events;
  },
  taken: () => ordersOfSandbox(kit),
}));

describeRails("of a network with numbers of its own", (kit) => {
  const rails = slowRails(kit.clock);
  return { rails, events: async () => rails.dueEvents(), taken: async () => rails.taken() };
});

describe("two networks at once", () => {
  let kit: PaymentsKit;
  let slow: SlowRails;
  beforeEach(async () => {
    kit = await openPayments();
    slow = slowRails(kit.clock);
    kit.parts.connections = new Map([[slow.id, slow]]);
    await kit.parts.db.pool.query(
      "INSERT INTO payment_routes (company_id, method, connection) VALUES ($1, 'PIX', 'slow')",
      [auroraId],
    );
  });
  afterEach(() => kit.close());
  const send = () => sendDuePayments(kit.parts, { companyId: auroraId });
  const connections = async () => {
    const { rows } = await kit.parts.db.pool.query(
      `SELECT t.payment_method, p.connection FROM payment_attempts p JOIN transfers t ON t.end_to_end_id = p.key
       ORDER BY t.payment_method`,
    );
    return rows.map((row) => [row.payment_method, row.connection]);
  };
  async function mixed(): Promise<string> {
    const id = await paidFor(kit, [pix(10_00), ted(20_00)], 30_00);
    await releaseOnly(kit, id);
    return id;
  }

  it("carries each method by its route, and what no route names by the installation's own", async () => {
    const id = await mixed();
    await send();
    expect(await connections()).toEqual([
      ["PIX", "slow"],
      ["TED", "sandbox"],
    ]);
    expect([slow.taken().length, (await ordersOfSandbox(kit)).length]).toEqual([1, 1]);
    kit.clock.advance({ seconds: 300 });
    await kit.network.deliverDue();
    await handleEvents(kit.parts, slow.dueEvents(), { connection: "slow", feed: "poll" });
    expect(await statusesOf(kit.admin, id)).toEqual(["FINISHED", "TRANSFERRED"]);
    expect(await balanceOf(kit.admin)).toBe(0);
    const { rows } = await kit.parts.db.pool.query(
      "SELECT connection, feed FROM rail_events WHERE kind = 'settled' ORDER BY connection",
    );
    expect(rows).toEqual([
      { connection: "sandbox", feed: "webhook" },
      { connection: "slow", feed: "poll" },
    ]);
  });

  it("leaves the payments of a company without a route where they were", async () => {
    await kit.deposit(100_00, "pagamentos@horizonte.example");
    await paidFor(kit, [ted(20_00)]);
    await kit.drainJobs();
    expect(slow.taken()).toEqual([]);
  });

  it("hands over by one network while the other is away", async () => {
    const id = await mixed();
    slow.send = () => Promise.reject(new Error("the slow network is away"));
    await expect(send()).rejects.toThrow("the slow network is away");
    kit.clock.advance({ seconds: 300 });
    await kit.network.deliverDue();
    expect(await statusesOf(kit.admin, id)).toEqual(["EXECUTING", "TRANSFERRED"]);
  });

  it("believes nobody about a payment that another network carries", async () => {
    const id = await mixed();
    await send();
    kit.clock.advance({ seconds: 31 });
    const [key] = slow.taken();
    await handleEvents(kit.parts, [
      {
        kind: "settled",
        id: "x",
        endToEndId: key as string,
        companyId: auroraId,
        at: kit.clock.now().toISOString(),
        value: 10_00,
        final: true,
      },
    ]);
    expect(await statusesOf(kit.admin, id)).toEqual(["EXECUTING", "EXECUTING"]);
    const { rows } = await kit.parts.db.pool.query("SELECT why, detail FROM rail_events_aside");
    expect(rows).toEqual([{ why: "contradiction", detail: "settled, but the payment was sent over slow" }]);
    await kit.parts.db.pool.query("DELETE FROM rail_events");
  });

  it("takes the same id of an event from two networks as two events", async () => {
    const id = await mixed();
    await send();
    kit.clock.advance({ seconds: 300 });
    const [ofSlow] = slow.dueEvents();
    if (!ofSlow) throw new Error("nothing was reported");
    const [tedKey] = await ordersOfSandbox(kit);
    const at = kit.clock.now().toISOString();
    await handleEvents(kit.parts, [
      { kind: "settled", id: "1", endToEndId: tedKey as string, companyId: auroraId, at, final: true },
    ]);
    await handleEvents(kit.parts, [{ ...ofSlow, id: "1" }], { connection: "slow", feed: "file" });
    expect(await statusesOf(kit.admin, id)).toEqual(["FINISHED", "FINISHED"]);
  });
});

/** The contract of the port `rails` on both networks, by each of their feeds, with payments of two networks at once. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkBooks } from "../ledger/check-books.ts";
import { ledgerFeature } from "../ledger/feature.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Log } from "../platform/log.ts";
import { connectionIds } from "../ports/connections.ts";
import { RailFault, type ReferredEvent } from "../ports/rails.ts";
import { reportHandlers } from "../report-handlers.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
  ted,
} from "../testing/payments-kit.ts";
import { describeRails, type NetworkReport, type RailsUnderTest } from "../testing/rails-contract.ts";
import { callOf, fileOf, type SlowRails, slowRails } from "../testing/slow-rails.ts";
import { paymentsFeature } from "./feature.ts";
import { handleEvents, retryDeadLetters, saveNetworkFile, sendDuePayments } from "./index.ts";
import { readNetworkFiles } from "./network-files.ts";

const ordersOfSandbox = async (kit: PaymentsKit) => {
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ end_to_end_id: string }>`SELECT end_to_end_id FROM sandbox.orders`.execute(tx),
  );
  return rows.map((row) => row.end_to_end_id);
};

describeRails("of the sandbox", (kit) => ({
  rails: kit.services.rails,
  async events() {
    const events: NetworkReport[] = [];
    kit.network.listen(async (delivered) => void events.push(...delivered));
    await kit.network.deliverDue();
    return events;
  },
  taken: () => ordersOfSandbox(kit),
}));

const ofSlow = (report: (kit: PaymentsKit, events: readonly ReferredEvent[]) => Promise<unknown>) =>
  function open(kit: PaymentsKit): RailsUnderTest {
    const rails = slowRails(kit.clock);
    return {
      rails,
      events: async () => rails.dueEvents(),
      report: (events) => report(kit, events as ReferredEvent[]),
      taken: async () => rails.taken(),
    };
  };

describeRails(
  "of a network with numbers of its own, which calls us",
  ofSlow(async (kit, events) => {
    const { body, headers } = callOf(events);
    const answer = await kit.send("POST", "/api/networks/slow/events", body, { headers });
    expect(answer.status).toBe(204);
  }),
);

describeRails(
  "of a network with numbers of its own, which hands over files",
  ofSlow(async (kit, events) => {
    await kit.services.db.withSystem((tx) =>
      saveNetworkFile(
        tx,
        { connection: "slow", name: "ret.txt", content: Buffer.from(fileOf(events)) },
        kit.clock.now(),
      ),
    );
    await readNetworkFiles(kit.services, reportHandlers);
  }),
);

describe("two networks", () => {
  let kit: PaymentsKit;
  let slow: SlowRails;
  beforeEach(async () => {
    kit = await openPayments();
    slow = slowRails(kit.clock);
    kit.services.connections = new Map([[slow.id, slow]]);
    await kit.services.db.pool.query(
      "INSERT INTO payment_routes (company_id, method, connection) VALUES ($1, 'PIX', 'slow')",
      [auroraId],
    );
  });
  afterEach(() => kit.close());
  const send = () => sendDuePayments(kit.services, { companyId: auroraId });
  const connections = async () => {
    const { rows } = await kit.services.db.pool.query(
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

  it("carries each method over its route, and methods without a route over the installation's own network", async () => {
    const id = await mixed();
    await send();
    expect(await connections()).toEqual([
      ["PIX", "slow"],
      ["TED", "sandbox"],
    ]);
    expect([slow.taken().length, (await ordersOfSandbox(kit)).length]).toEqual([1, 1]);
    kit.clock.advance({ seconds: 300 });
    await kit.network.deliverDue();
    await handleEvents(kit.services, slow.dueEvents(), { connection: "slow", feed: "poll" });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "TRANSFERRED"]);
    expect(await fetchBalance(kit.admin)).toBe(0);
    const { rows } = await kit.services.db.pool.query(
      "SELECT connection, feed FROM rail_events WHERE kind = 'settled' ORDER BY connection",
    );
    expect(rows).toEqual([
      { connection: "sandbox", feed: "webhook" },
      { connection: "slow", feed: "poll" },
    ]);
  });

  it("does not change the network of a company without a route", async () => {
    await kit.deposit(100_00, "pagamentos@horizonte.example");
    await paidFor(kit, [ted(20_00)]);
    await kit.drainJobs();
    expect(slow.taken()).toEqual([]);
  });

  it("sends over one network while the other does not answer", async () => {
    const id = await mixed();
    slow.send = () => Promise.reject(new Error("the slow network is away"));
    await expect(send()).rejects.toThrow("the slow network is away");
    kit.clock.advance({ seconds: 300 });
    await kit.network.deliverDue();
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING", "TRANSFERRED"]);
  });

  it("pauses one network for the time it asked for, and continues over the other one", async () => {
    const id = await mixed();
    const { send: sending } = slow;
    let calls = 0;
    const retryAt = new Date(kit.clock.now().getTime() + 1_800_000);
    slow.send = () => {
      calls++;
      return Promise.reject(new RailFault("too many calls", { left: "no", retryAt }));
    };
    await expect(send()).rejects.toThrow("too many calls");
    const later = await mixed();
    kit.clock.advance({ minutes: 20 });
    await send();
    kit.clock.advance({ minutes: 9 });
    await kit.network.deliverDue();
    expect(calls).toBe(1);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING", "TRANSFERRED"]);
    // Payments due meanwhile wait, unchanged, only for the paused network.
    expect(await fetchStatuses(kit.admin, later)).toEqual(["RECEIVED", "TRANSFERRED"]);

    slow.send = sending;
    kit.clock.advance({ minutes: 1 });
    await send();
    expect(slow.taken()).toHaveLength(2);
    expect((await connections()).filter(([method]) => method === "PIX")).toEqual([
      ["PIX", "slow"],
      ["PIX", "slow"],
    ]);
  });

  it("does not stop the installation's own network by the pause of another one, or vice versa", async () => {
    const { rails } = kit.services;
    const retryAt = new Date(kit.clock.now().getTime() + 1_800_000);
    kit.services.rails = {
      ...rails,
      send: () => Promise.reject(new RailFault("too many calls", { left: "no", retryAt })),
    };
    await mixed();
    await expect(send()).rejects.toThrow("too many calls");
    await mixed();
    await send();
    expect(slow.taken()).toHaveLength(2);
    expect(await ordersOfSandbox(kit)).toEqual([]);
    kit.services.rails = rails;
    kit.clock.advance({ minutes: 30 });
    await send();
    expect(await ordersOfSandbox(kit)).toHaveLength(2);
  });

  describe("a network that is no longer configured", () => {
    const rule = "what carries payments is a connection of this installation";
    const books = async () =>
      (await checkBooks(kit.services.db, undefined, connectionIds(kit.services))).map((fault) => fault.where);
    const later = () => {
      kit.services.connections = new Map([[slow.id, slow]]);
    };
    async function counted() {
      await paymentsFeature(reportHandlers).measure?.(kit.services);
      const text = await metrics.getSingleMetricAsString("malote_missing_connection_companies");
      return Number(text.split(" ").at(-1));
    }
    const isSettled = async (id: string) => {
      kit.clock.advance({ seconds: 300 });
      await kit.network.deliverDue();
      await handleEvents(kit.services, slow.dueEvents(), { connection: "slow", feed: "poll" });
      expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "TRANSFERRED"]);
      expect(slow.taken()).toHaveLength(1);
    };

    it("keeps its payments waiting, sends them over no other network, and continues when it is configured again", async () => {
      kit.services.connections = new Map();
      const id = await mixed();
      await send();
      kit.clock.advance({ minutes: 10 });
      await send();
      expect(await fetchStatuses(kit.admin, id)).toEqual(["RECEIVED", "EXECUTING"]);
      expect([slow.taken().length, (await ordersOfSandbox(kit)).length]).toEqual([0, 1]);
      expect(await fetchBalance(kit.admin)).toBe(0);
      expect(await books()).toEqual(["route of PIX over slow"]);
      expect(await counted()).toBe(1);

      later();
      expect(await books()).toEqual([]);
      expect(await counted()).toBe(0);
      await send();
      await isSettled(id);
    });

    it("keeps the payments that it may have taken, and is queried once it is configured again", async () => {
      const id = await mixed();
      const { send: sending } = slow;
      slow.send = async (orders) => {
        await sending(orders);
        throw new RailFault("the answer got lost", { left: "maybe" });
      };
      await expect(send()).rejects.toThrow("got lost");
      slow.send = sending;
      kit.services.connections = new Map();
      await kit.services.db.pool.query("DELETE FROM payment_routes");
      kit.clock.advance({ minutes: 10 });
      await send();
      expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING", "EXECUTING"]);
      expect((await ordersOfSandbox(kit)).length).toBe(1);
      expect(await books()).toEqual([expect.stringMatching(/^[-\da-f]{36} over slow$/)]);
      expect(await counted()).toBe(1);

      later();
      await send();
      kit.clock.advance({ seconds: 61 });
      await retryDeadLetters(kit.services);
      await isSettled(id);
    });

    it("is a fault in the check of each minute and in the log, but not in a stopped copy", async () => {
      kit.services.connections = new Map();
      expect(await kit.faults()).toEqual([]);
      const [check] = ledgerFeature.schedules ?? [];
      const said: unknown[] = [];
      const log = { ...kit.services.log, error: (...words: unknown[]) => void said.push(words) } as Log;
      await check?.run({ ...kit.services, log });
      expect(said).toEqual([
        [
          { fault: { rule, companyId: auroraId, where: "route of PIX over slow" } },
          "the books check found a fault",
        ],
      ]);
    });
  });

  it("accepts no event about a payment of another network", async () => {
    const id = await mixed();
    await send();
    kit.clock.advance({ seconds: 31 });
    const [key] = slow.taken();
    await handleEvents(kit.services, [
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
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING", "EXECUTING"]);
    const { rows } = await kit.services.db.pool.query("SELECT why, detail FROM rail_dead_letters");
    expect(rows).toEqual([{ why: "contradiction", detail: "settled, but the payment was sent over slow" }]);
    await kit.services.db.pool.query("DELETE FROM rail_events");
  });

  it("treats the same event id from two networks as two events", async () => {
    const id = await mixed();
    await send();
    kit.clock.advance({ seconds: 300 });
    const [ofSlow] = slow.dueEvents();
    if (!ofSlow) throw new Error("nothing was reported");
    const [tedKey] = await ordersOfSandbox(kit);
    const at = kit.clock.now().toISOString();
    await handleEvents(kit.services, [
      { kind: "settled", id: "1", endToEndId: tedKey as string, companyId: auroraId, at, final: true },
    ]);
    await handleEvents(kit.services, [{ ...ofSlow, id: "1" }], { connection: "slow", feed: "file" });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED"]);
  });
});

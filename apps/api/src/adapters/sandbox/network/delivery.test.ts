import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { uuidv7 } from "../../../platform/uuid.ts";
import type { RailEvent } from "../../../ports/rails.ts";
import { endToEndIdOf, knownOrderOf, openSandbox, order, type TestSandbox, toAccount } from "./testing.ts";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

describe("reporting", () => {
  it("needs a listener", async () => {
    const network = sandbox.another();
    network.listen(undefined as never);
    await expect(network.deliverDue()).rejects.toThrow("has no listener");
  });

  it("redelivers what was not acknowledged, each time after a longer pause", async () => {
    let refusals = 2;
    const received: RailEvent[] = [];
    const network = sandbox.another(async (events) => {
      if (refusals-- > 0) throw new Error("not now");
      received.push(...events);
    });
    await network.rails.send([order(), order()]);

    sandbox.clock.advance({ seconds: 1 });
    expect(await network.deliverDue()).toBe(0);
    expect(await network.deliverDue()).toBe(0);
    expect(refusals).toBe(1);
    sandbox.clock.advance({ seconds: 1 });
    expect(await network.deliverDue()).toBe(0);
    sandbox.clock.advance({ seconds: 1 });
    expect(await network.deliverDue()).toBe(0);
    sandbox.clock.advance({ seconds: 1 });
    expect(await network.deliverDue()).toBe(2);
    expect(received).toHaveLength(2);
    expect(await network.inFlight()).toBe(0);
  });

  it("does not delay a company when another one does not acknowledge", async () => {
    const deaf = uuidv7();
    const received: RailEvent[] = [];
    const network = sandbox.another(async (events) => {
      if (events.some((event) => "companyId" in event && event.companyId === deaf)) throw new Error("a bug");
      received.push(...events);
    });
    await network.rails.send([...Array.from({ length: 600 }, () => order({ companyId: deaf })), order()]);
    sandbox.clock.advance({ seconds: 1 });
    expect(await network.deliverDue()).toBe(1);
    expect(received).toHaveLength(1);
    expect(await network.inFlight()).toBe(600);
  });

  it("keeps the order of events over many blocks", async () => {
    await sandbox.network.changeSettings({ pix_latency_ms: 3_600_000 });
    await sandbox.network.rails.send([order()]);
    await sandbox.network.rails.send(Array.from({ length: 1100 }, () => toAccount("TED")));
    sandbox.clock.advance({ days: 1 });
    expect(await sandbox.network.deliverDue()).toBe(2201);
    const times = sandbox.received.map((event) => event.at);
    expect(times).toEqual([...times].sort());
    expect(times).toHaveLength(2201);
  });

  it("delivers each event once when two processes deliver at the same time, and both wait until it was received", async () => {
    const second = sandbox.another();
    await sandbox.network.rails.send(Array.from({ length: 1300 }, () => order()));
    sandbox.clock.advance({ seconds: 1 });
    const delivered = await Promise.all([
      sandbox.network.deliverDue(),
      second.deliverDue().then((count) => {
        expect(sandbox.received).toHaveLength(1300);
        return count;
      }),
      sandbox.network.deliverDue(),
    ]);
    expect(delivered.reduce((sum, count) => sum + count)).toBe(1300);
    expect(new Set(sandbox.received.map((event) => event.id)).size).toBe(1300);
  });

  it("delivers the configured share of events twice", async () => {
    await sandbox.network.changeSettings({ duplicate_percent: 100 });
    await sandbox.network.rails.send(Array.from({ length: 40 }, () => order()));
    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(40);
    const times = Map.groupBy(sandbox.received, (event) => event.id);
    expect([...times.values()].map((delivered) => delivered.length)).toEqual(
      Array.from({ length: 40 }, () => 2),
    );
    expect(await sandbox.network.deliverDue()).toBe(0);
  });
});

describe("lost answers", () => {
  it("reject with none, half or all of the orders taken, and a retry gets through", async () => {
    await sandbox.network.changeSettings({ timeout_percent: 60 });
    const { rails } = sandbox.network;
    const lists = Array.from({ length: 30 }, () => Array.from({ length: 4 }, () => order()));
    const takenWhenLost = new Set<number>();
    for (const list of lists) {
      let tries = 0;
      for (let answered = false; !answered; tries++) {
        expect(tries).toBeLessThan(40);
        answered = await rails.send(list).then(
          () => true,
          () => false,
        );
        const found = await rails.find(list.map(knownOrderOf));
        if (!answered && tries === 0) takenWhenLost.add(found.size);
        if (answered) expect(found.size).toBe(4);
      }
    }
    expect([...takenWhenLost].sort()).toEqual([0, 2, 4]);
    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(120);
    expect(new Set(sandbox.received.map(endToEndIdOf)).size).toBe(120);
  });
});

describe("an incoming Pix", () => {
  it("is delivered once per id", async () => {
    const { network } = sandbox;
    const deposit = { pixKey: "pix@malote.invalid", value: 5_000_00, message: "Fatura 12" };
    const { endToEndId } = await network.depositPix(deposit);
    await network.depositPix({ ...deposit, endToEndId, value: 1 });
    expect(endToEndId).toMatch(/^E88888801202611091300[0-9a-f]{11}$/);
    expect(await network.deliverDue()).toBe(1);
    expect(sandbox.received).toMatchObject([
      {
        kind: "pix_received",
        endToEndId,
        pixKey: "pix@malote.invalid",
        value: 5_000_00,
        message: "Fatura 12",
      },
    ]);
  });
});

describe("the network", () => {
  it("takes and delivers a list of 20,000 orders with a few statements per thousand", async () => {
    const orders = Array.from({ length: 20_000 }, () => order());
    const query = vi.spyOn(pg.Client.prototype, "query");
    for (let from = 0; from < orders.length; from += 1000) {
      await sandbox.network.rails.send(orders.slice(from, from + 1000));
    }
    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(20_000);
    expect(query.mock.calls.length).toBeLessThan(orders.length / 20);
    query.mockRestore();
  });
});

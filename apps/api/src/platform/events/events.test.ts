/** Events from the transaction that emits them to the effects of subscribers: each once, in the order of its object. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { aurora, type EventsKit, emitSettled, horizonte, openEvents } from "../../testing/events-kit.ts";
import { armFailPoint } from "../fail-points.ts";
import { emitEach } from "./emit.ts";
import { catchUp } from "./handle.ts";
import { relayEvents } from "./relay.ts";
import { deleteOldEvents } from "./scheduled-work.ts";
import { readEvent } from "./subscriber.ts";

let kit: EventsKit;
beforeAll(async () => {
  kit = await openEvents();
});
afterAll(() => kit.app.close());
afterEach(() => armFailPoint(undefined));

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
/** Emits payments of one batch, of 1, 2, 3… centavos. */
const settlements = (count: number) => {
  const batchId = randomUUID();
  return ids(count).map((objectId, n) => ({ objectId, payload: { batchId, amount: n + 1 } }));
};
const count = async (table: string) =>
  Number((await kit.app.services.db.pool.query(`SELECT count(*) AS count FROM ${table}`)).rows[0].count);

describe("the outbox", () => {
  it("has an event if and only if the change was committed", async () => {
    const recorder = await kit.recorder("committed");
    const failing = kit.app.services.db.withCompany(aurora, async (tx) => {
      await emitSettled(tx, randomUUID(), 1);
      throw new Error("the change failed");
    });
    await expect(failing).rejects.toThrow("the change failed");
    const object = randomUUID();
    await kit.app.services.db.withCompany(aurora, (tx) => emitSettled(tx, object, 2));
    await kit.deliver(recorder);
    expect(await kit.effects("committed")).toEqual([`${object} 2`]);
  });

  it("refuses a payload that does not match the catalogue", async () => {
    const emitting = kit.app.services.db.withCompany(aurora, (tx) => emitSettled(tx, randomUUID(), -1));
    await expect(emitting).rejects.toThrow();
  });

  it("refuses all of many if one payload does not match the catalogue", async () => {
    const recorder = await kit.recorder("whole");
    const [first, second, ...others] = settlements(3);
    if (!first || !second) throw new Error("no events");
    const events = [first, { ...second, payload: { ...second.payload, amount: -1 } }, ...others];
    const emitting = kit.app.services.db.withCompany(aurora, (tx) =>
      emitEach(tx, { now: kit.app.clock.now() }, "payment.settled", events),
    );
    await expect(emitting).rejects.toThrow("amount");
    await kit.deliver(recorder);
    expect(await kit.effects("whole")).toEqual([]);
  });

  it("can be written for one company only, and read by none", async () => {
    const { db } = kit.app.services;
    const foreign = db.withCompany(aurora, (tx) =>
      sql`
        INSERT INTO outbox (company_id, type, version, object_kind, object_id, payload, at)
        VALUES (${horizonte}, 'payment.settled', 1, 'payment', ${randomUUID()}, '{}', now())
      `.execute(tx),
    );
    await expect(foreign).rejects.toThrow("row-level security");
    await expect(db.withCompany(aurora, (tx) => sql`SELECT FROM outbox`.execute(tx))).rejects.toThrow(
      "denied",
    );
    await expect(db.withCompany(aurora, (tx) => sql`DELETE FROM event_log`.execute(tx))).rejects.toThrow(
      "denied",
    );
  });

  it("accepts ten thousand events in one statement, and each has one effect", async () => {
    const recorder = await kit.recorder("many");
    await kit.app.services.db.withCompany(aurora, (tx) =>
      emitEach(tx, { now: kit.app.clock.now() }, "payment.settled", settlements(10_000)),
    );
    await kit.deliver(recorder);
    await kit.deliver(recorder);
    const amounts = (await kit.effects("many")).map((effect) => Number(effect.split(" ")[1]));
    expect(amounts).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  });

  it("handles another company before a large one is finished", async () => {
    const recorder = await kit.recorder("turns");
    for (const [companyId, events] of [
      [aurora, 3_000],
      [horizonte, 1],
    ] as const)
      await kit.app.services.db.withCompany(companyId, (tx) =>
        emitEach(tx, { now: kit.app.clock.now() }, "payment.settled", settlements(events)),
      );
    await relayEvents(kit.app.services.db);
    await catchUp(kit.app.services, recorder);
    expect(await kit.effects("turns", horizonte)).toHaveLength(1);
    expect((await kit.effects("turns")).length).toBeLessThan(3_000);
    await kit.deliver(recorder);
    expect(await kit.effects("turns")).toHaveLength(3_000);
  });
});

describe("the relay", () => {
  it("loses no event of a transaction that commits after a later one", async () => {
    const recorder = await kit.recorder("slow-writer");
    const [slow = "", fast = ""] = ids(2);
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let emitted: () => void = () => undefined;
    const isEmitted = new Promise<void>((resolve) => {
      emitted = resolve;
    });
    const writing = kit.app.services.db.withCompany(aurora, async (tx) => {
      await emitSettled(tx, slow, 1);
      emitted();
      await held;
    });
    await isEmitted;
    await kit.app.services.db.withCompany(aurora, (tx) => emitSettled(tx, fast, 2));
    await kit.deliver(recorder);
    expect(await kit.effects("slow-writer")).toEqual([`${fast} 2`]);
    commit();
    await writing;
    await kit.deliver(recorder);
    expect(await kit.effects("slow-writer")).toEqual([`${fast} 2`, `${slow} 1`]);
  });

  it("moves each event once with two relays, and assigns every position once", async () => {
    const recorder = await kit.recorder("two-relays");
    const objects = ids(300);
    await kit.settle(objects);
    const { db } = kit.app.services;
    const moved = await Promise.all([1, 2, 3, 4].map(() => relayEvents(db)));
    await kit.deliver(recorder);
    expect(moved.reduce((sum, one) => sum + one)).toBe(300);
    expect((await kit.effects("two-relays")).map((effect) => effect.split(" ")[0])).toEqual(objects);
    const { rows } = await db.pool.query(
      "SELECT count(*) = count(DISTINCT position) AS once, max(position) = (SELECT position FROM event_relay) AS last FROM event_log",
    );
    expect(rows).toEqual([{ once: true, last: true }]);
  });

  it.each(["before-commit", "after-commit"] as const)("dies %s and is replaced by another", async (point) => {
    const recorder = await kit.recorder(`relay-${point}`);
    const [object = ""] = ids(1);
    await kit.settle([object]);
    armFailPoint({ point, hit: 1 }, () => {
      throw new Error("died");
    });
    await expect(relayEvents(kit.app.services.db)).rejects.toThrow("died");
    armFailPoint(undefined);
    await kit.deliver(recorder);
    expect(await kit.effects(`relay-${point}`)).toEqual([expect.stringContaining(object)]);
  });
});

describe("a subscriber", () => {
  it("handles the events of one object in the order of its changes", async () => {
    const recorder = await kit.recorder("ordered");
    const [a = "", b = ""] = ids(2);
    for (const object of [a, b, b, a, a, b]) await kit.settle([object]);
    await kit.deliver(recorder);
    const effects = await kit.effects("ordered");
    const amountsOf = (object: string) =>
      effects.filter((effect) => effect.startsWith(object)).map((effect) => Number(effect.split(" ")[1]));
    for (const object of [a, b]) {
      expect(amountsOf(object)).toHaveLength(3);
      expect(amountsOf(object)).toEqual(amountsOf(object).toSorted((left, right) => left - right));
    }
  });

  it("acts once with two workers", async () => {
    const recorder = await kit.recorder("two-workers");
    const objects = ids(50);
    await kit.settle(objects);
    await relayEvents(kit.app.services.db);
    await Promise.all([1, 2, 3].map(() => catchUp(kit.app.services, recorder)));
    expect((await kit.effects("two-workers")).map((effect) => effect.split(" ")[0])).toEqual(objects);
  });

  it.each([1, 2, 3, 4].flatMap((hit) => [["before-commit", hit] as const, ["after-commit", hit] as const]))(
    "has one effect when its worker dies %s, at transaction %i",
    async (point, hit) => {
      const name = `dies-${point}-${hit}`;
      const recorder = await kit.recorder(name);
      const objects = ids(3);
      await kit.settle(objects.slice(0, 1));
      await kit.settle(objects.slice(1), horizonte);
      await relayEvents(kit.app.services.db);
      armFailPoint({ point, hit }, () => {
        throw Object.assign(new Error("died"), { code: "57P01" });
      });
      await catchUp(kit.app.services, recorder).catch(() => undefined);
      armFailPoint(undefined);
      await catchUp(kit.app.services, recorder);
      await catchUp(kit.app.services, recorder);
      const fetchObjects = async (companyId: string) =>
        (await kit.effects(name, companyId)).map((effect) => effect.split(" ")[0]);
      expect(await fetchObjects(aurora)).toEqual(objects.slice(0, 1));
      expect(await fetchObjects(horizonte)).toEqual(objects.slice(1));
      expect(await kit.deadLetters()).toEqual([]);
    },
  );

  it("sees only its company's events", async () => {
    const seen: string[] = [];
    const recorder = await kit.recorder("own", ({ objectId }) => void seen.push(objectId));
    const [own = "", foreign = ""] = ids(2);
    await kit.settle([own]);
    await kit.settle([foreign], horizonte);
    await kit.deliver(recorder);
    expect(seen.toSorted()).toEqual([own, foreign].toSorted());
    expect(await kit.effects("own", horizonte)).toEqual([expect.stringContaining(foreign)]);
    const read = await kit.app.services.db.withCompany(aurora, (tx) =>
      sql<{ object_id: string }>`SELECT object_id FROM event_log`.execute(tx),
    );
    expect(read.rows.some(({ object_id }) => object_id === own)).toBe(true);
    expect(read.rows.some(({ object_id }) => object_id === foreign)).toBe(false);
  });

  it("ignores events from before it existed", async () => {
    await kit.settle(ids(1));
    await relayEvents(kit.app.services.db);
    const recorder = await kit.recorder("new-here");
    const [object = ""] = ids(1);
    await kit.settle([object]);
    await kit.deliver(recorder);
    expect(await kit.effects("new-here")).toEqual([expect.stringContaining(object)]);
  });
});

it("does not read an unknown version", () => {
  const row = { position: 1, id: "i", object_kind: "batch", object_id: "o", payload: {}, at: new Date() };
  expect(() => readEvent({ ...row, type: "batch.released", version: 2 })).toThrow("no version 2");
  expect(() => readEvent({ ...row, type: "batch.forgotten", version: 1 })).toThrow("batch.forgotten");
});

it("reads an event that was emitted before its type had a newer version", () => {
  const row = { position: 1, id: "i", object_kind: "batch", object_id: "o", at: new Date() };
  const next = { "batch.released": { version: 2, payload: z.object({ at: z.string().optional() }) } };
  const before = { ...row, type: "batch.released", version: 1, payload: {} };
  expect(readEvent(before, next)).toMatchObject({ type: "batch.released", payload: {} });
  expect(() => readEvent({ ...before, payload: { at: 5 } }, next)).toThrow("expected string");
  expect(() => readEvent({ ...before, version: 3 }, next)).toThrow("no version 3");
});

it("deletes events after two weeks, except those that a subscriber has not handled", async () => {
  const { services, clock } = kit.app;
  const recorder = await kit.recorder("late");
  const [handled = "", waiting = ""] = ids(2);
  await kit.settle([handled]);
  await kit.deliver(recorder);
  await kit.settle([waiting]);
  await relayEvents(services.db);
  clock.advance({ days: 13 });
  const before = await count("event_log");
  await deleteOldEvents(services, [recorder]);
  expect(await count("event_log")).toBe(before);
  clock.advance({ days: 2 });
  await deleteOldEvents(services, [recorder]);
  expect(await count("event_log")).toBe(1);
  await kit.deliver(recorder);
  expect(await kit.effects("late")).toEqual([
    expect.stringContaining(handled),
    expect.stringContaining(waiting),
  ]);
  await deleteOldEvents(services, [recorder]);
  expect(await count("event_log")).toBe(0);
  // Positions continue where they ended.
  await kit.settle(ids(1));
  await kit.deliver(recorder);
  expect(await kit.effects("late")).toHaveLength(3);
});

/**
 * An event that cannot be handled: it is retried with backoff and then left for a person, while all other events flow.
 */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EventsKit, horizonte, openEvents } from "../../testing/events-kit.ts";
import { armFailPoint } from "../fail-points.ts";
import { metrics } from "../http/metrics.ts";
import { listDeadLetters, retryDeadLetter, skipDeadLetter } from "./dead-letter-store.ts";
import { catchUp } from "./handle.ts";
import { relayEvents } from "./relay.ts";
import { deleteOldEvents, measureEvents } from "./scheduled-work.ts";
import type { StoredEvent, Subscriber } from "./subscriber.ts";

let kit: EventsKit;
/** Amounts whose events fail as long as they are in the set. */
let poison: Set<string>;
let failing: Subscriber;
beforeEach(async () => {
  kit = await openEvents();
  poison = new Set();
  failing = await kit.recorder("failing", ({ objectId }: StoredEvent) => {
    if (poison.has(objectId)) throw new Error(`cannot handle ${objectId}`);
  });
});
afterEach(async () => {
  armFailPoint(undefined);
  await kit.app.close();
});

const [bad, good] = [randomUUID(), randomUUID()];
const deliver = () => kit.deliver(failing);
const objectsDone = async () => (await kit.effects("failing")).map((effect) => effect.split(" ")[0]);

describe("an event that fails", () => {
  it("delays only later events of its object, which are then handled in order", async () => {
    poison.add(bad);
    await kit.settle([good, bad, good, bad, good]);
    await deliver();
    expect(await objectsDone()).toEqual([good, good, good]);
    await kit.settle([bad, good]);
    await deliver();
    expect(await objectsDone()).toEqual([good, good, good, good]);
    expect(await kit.deadLetters()).toMatchObject([
      { object_id: bad, tries: 1 },
      { object_id: bad, tries: 0 },
      { object_id: bad, tries: 0 },
    ]);
    poison.clear();
    // No retry comes before its time.
    await deliver();
    expect(await kit.deadLetters()).toHaveLength(3);
    kit.app.clock.advance({ seconds: 5 });
    await deliver();
    expect(await kit.deadLetters()).toEqual([]);
    const amounts = (await kit.effects("failing"))
      .filter((effect) => effect.startsWith(bad))
      .map((effect) => Number(effect.split(" ")[1]));
    expect(amounts).toEqual([2, 4, 6]);
  });

  it("delays neither another subscriber nor another company", async () => {
    poison.add(bad);
    const other = await kit.recorder("other");
    await kit.settle([bad]);
    await kit.settle([good], horizonte);
    await kit.deliver(failing, other);
    expect(await kit.effects("failing", horizonte)).toHaveLength(1);
    expect(await kit.effects("other")).toEqual([expect.stringContaining(bad)]);
  });

  it("is tried ten times with backoff, and then waits for a person", async () => {
    poison.add(bad);
    await kit.settle([bad]);
    await deliver();
    const pauses: number[] = [];
    for (let tries = 1; tries < 10; tries++) {
      let seconds = 0;
      while ((await kit.deadLetters())[0]?.tries === tries) {
        kit.app.clock.advance({ seconds: 5 });
        seconds += 5;
        await catchUp(kit.app.services, failing);
      }
      pauses.push(seconds);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
    expect(await kit.deadLetters()).toMatchObject([{ tries: 10, dead: true }]);
    poison.clear();
    kit.app.clock.advance({ days: 15 });
    await deliver();
    // Its event is stored as long as it waits.
    await deleteOldEvents(kit.app.services, [failing]);
    expect(await kit.deadLetters()).toMatchObject([{ tries: 10, dead: true }]);

    const position = (await kit.deadLetters())[0]?.position ?? 0;
    const { db, clock } = kit.app.services;
    await db.withSystem((tx) => retryDeadLetter(tx, { subscriber: "failing", position }, clock.now()));
    await deliver();
    expect(await objectsDone()).toEqual([bad]);
  });

  it("has one effect if the worker dies during a retry", async () => {
    poison.add(bad);
    await kit.settle([bad]);
    await deliver();
    poison.clear();
    kit.app.clock.advance({ seconds: 5 });
    for (const point of ["before-commit", "after-commit"] as const) {
      // This is the third transaction: the queries for waiting and for due subscribers come before it.
      armFailPoint({ point, hit: 3 }, () => {
        throw Object.assign(new Error("died"), { code: "57P01" });
      });
      await catchUp(kit.app.services, failing);
      armFailPoint(undefined);
    }
    expect(await objectsDone()).toEqual([bad]);
    expect(await kit.deadLetters()).toEqual([]);
  });

  it("has one effect if two workers retry it", async () => {
    poison.add(bad);
    await kit.settle([bad, bad]);
    await deliver();
    poison.clear();
    kit.app.clock.advance({ seconds: 5 });
    await Promise.all([1, 2, 3].map(() => catchUp(kit.app.services, failing)));
    await deliver();
    expect(await objectsDone()).toEqual([bad, bad]);
  });

  it("is no dead letter after a temporary failure", async () => {
    let gone = 2;
    const unlucky = await kit.recorder("unlucky", () => {
      if (gone-- > 0) throw Object.assign(new Error("the database is away"), { code: "57P01" });
    });
    await kit.settle([good]);
    await kit.deliver(unlucky);
    expect(await kit.deadLetters()).toEqual([]);
    await kit.deliver(unlucky);
    await kit.deliver(unlucky);
    expect(await kit.effects("unlucky")).toHaveLength(1);
  });
});

describe("a person", () => {
  it("sees the first of each object, with its content and the number of waiting ones", async () => {
    poison.add(bad);
    await kit.settle([bad, bad, good]);
    await deliver();
    const listed = await kit.app.services.db.withSystem(listDeadLetters);
    expect(listed).toMatchObject([
      {
        subscriber: "failing",
        type: "payment.settled",
        object_kind: "payment",
        object_id: bad,
        tries: 1,
        detail: `cannot handle ${bad}`,
        waiting: 1,
        dead_at: null,
      },
    ]);
  });

  it("can skip it, and the events behind it are handled next", async () => {
    poison.add(bad);
    await kit.settle([bad, bad]);
    await deliver();
    const [first, second] = await kit.deadLetters();
    const skip = (position = 0) =>
      kit.app.services.db.withSystem((tx) => skipDeadLetter(tx, { subscriber: "failing", position }));
    expect(await skip(second?.position)).toBeUndefined();
    expect(await skip(first?.position)).toBeDefined();
    poison.clear();
    await deliver();
    expect(await kit.effects("failing")).toEqual([`${bad} 2`]);
  });
});

it("can read the age of the oldest one in the metrics", async () => {
  const shown = async () => {
    await measureEvents(kit.app.services);
    const text = await metrics.metrics();
    return ["events_behind_seconds", "event_dead_letters", "event_dead_letter_oldest_seconds"].map((name) =>
      Number(text.match(new RegExp(`^malote_${name} (\\S+)$`, "m"))?.[1]),
    );
  };
  expect(await shown()).toEqual([0, 0, 0]);
  poison.add(bad);
  await kit.settle([bad, bad]);
  kit.app.clock.advance({ seconds: 30 });
  // The events were emitted at the kit's time, where the clock of this test began.
  expect(await shown()).toEqual([30, 0, 0]);
  await relayEvents(kit.app.services.db);
  await catchUp(kit.app.services, failing);
  kit.app.clock.advance({ seconds: 7 });
  expect(await shown()).toEqual([0, 2, 7]);
});

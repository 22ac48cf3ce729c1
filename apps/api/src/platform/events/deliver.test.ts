/** The running relay and its subscribers: the queries they run, and that they miss no event. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EventsKit, openEvents } from "../../testing/events-kit.ts";
import { startDelivery } from "./deliver.ts";
import { relayEvents } from "./relay.ts";
import type { Subscriber } from "./subscriber.ts";

let kit: EventsKit;
let poison: Set<string>;
let subscribers: Subscriber[];
let delivery: ReturnType<typeof startDelivery> | undefined;
beforeEach(async () => {
  kit = await openEvents();
  poison = new Set();
  subscribers = [];
  for (const name of ["first", "second", "third"])
    subscribers.push(
      await kit.recorder(name, ({ objectId }) => {
        if (poison.has(objectId)) throw new Error(`cannot handle ${objectId}`);
      }),
    );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await delivery?.stop();
  delivery = undefined;
  await kit.app.close();
});

const start = () => {
  delivery = startDelivery(kit.app.services, subscribers);
};
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
const handledBy = async (name: string) => (await kit.effects(name)).map((effect) => effect.split(" ")[0]);

/** Collects the texts of statements that reach PostgreSQL from now on. */
function statementsFromNow(): string[] {
  const texts: string[] = [];
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given;
    texts.push(typeof first === "string" ? first : ((first as { text?: string }).text ?? ""));
    return query.apply(this, given);
  } as never);
  return texts;
}

it("runs one query for all subscribers while there is nothing to handle", async () => {
  const texts = statementsFromNow();
  start();
  const forAll = () => texts.filter((text) => text.includes("w (name text, type text)"));
  await eventually(() => expect(forAll().length).toBeGreaterThan(2));
  const ofOne = texts.filter((text) => /DISTINCT (h|d)\.company_id/.test(text));
  expect(ofOne).toEqual([]);
});

it("passes every subscriber emitted events, and those that another process moved", async () => {
  const [before, after] = [randomUUID(), randomUUID()];
  await kit.settle([before]);
  await relayEvents(kit.app.services.db);
  start();
  for (const { name } of subscribers)
    await eventually(async () => expect(await handledBy(name)).toEqual([before]));
  await kit.settle([after]);
  for (const { name } of subscribers)
    await eventually(async () => expect(await handledBy(name)).toEqual([before, after]));
});

it("retries a dead letter once it is due", async () => {
  const bad = randomUUID();
  poison.add(bad);
  start();
  await kit.settle([bad]);
  await eventually(async () => expect(await kit.deadLetters()).toHaveLength(subscribers.length));
  poison.clear();
  kit.app.clock.advance({ seconds: 5 });
  for (const { name } of subscribers)
    await eventually(async () => expect(await handledBy(name)).toEqual([bad]));
  expect(await kit.deadLetters()).toEqual([]);
});

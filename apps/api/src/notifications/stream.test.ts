/** A place of the stream is released however its page leaves. */
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import type { EventType } from "@malote/contracts/events";
import type { watchChanges } from "@malote/contracts/notifications";
import { expect, it } from "vitest";
import type { ChangeWatch, OnChange } from "../platform/events/changes.ts";
import type { Call } from "../platform/http/serve.ts";
import { changeStreams } from "./stream.ts";

/** A call of the stream as a page makes it. */
function page() {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const sent: (string | Readable)[] = [];
  const reply = {
    raw,
    type: () => reply,
    header: () => reply,
    send: (answer: string | Readable) => sent.push(answer),
  };
  const actor = {
    id: "ana",
    kind: "user",
    application: "payments",
    companyId: "aurora",
    profile: "analyst",
    permissions: ["all"],
    featureFlags: [],
  };
  const request = { headers: { accept: "text/event-stream" } };
  return {
    call: { actor, request, reply } as unknown as Call<typeof watchChanges>,
    sent,
    leave() {
      raw.closed = true;
      raw.emit("close");
    },
  };
}

/** Maximum number of streams of one person. */
const places = Array.from({ length: 6 });

async function hasPlace(streams: ReturnType<typeof changeStreams>): Promise<boolean> {
  const { call, sent, leave } = page();
  await streams.answer(call);
  leave();
  return typeof sent[0] !== "string";
}

it("frees the place of a page that disconnects while the newest events are read", async () => {
  const begun = Promise.withResolvers<void>();
  let following = 0;
  const watch = {
    async follow() {
      await begun.promise;
      following++;
      return () => void following--;
    },
  };
  const streams = changeStreams(watch as unknown as ChangeWatch);
  const pages = places.map(page);
  const answers = pages.map(({ call }) => streams.answer(call));
  for (const { leave } of pages) leave();
  begun.resolve();
  await Promise.all(answers);
  expect(following).toBe(0);
  expect(await hasPlace(streams)).toBe(true);
});

it("frees the place if the newest events cannot be read", async () => {
  let isAway = true;
  const watch = {
    async follow() {
      if (isAway) throw new Error("the database is away");
      return () => undefined;
    },
  };
  const streams = changeStreams(watch as unknown as ChangeWatch);
  for (const _ of places) await expect(streams.answer(page().call)).rejects.toThrow("away");
  isAway = false;
  expect(await hasPlace(streams)).toBe(true);
});

it("leaves out a type of event that only another release knows", async () => {
  let onChange: OnChange = () => undefined;
  const watch = {
    async follow(_companyId: string, given: OnChange) {
      onChange = given;
      return () => undefined;
    },
  };
  const { call, sent, leave } = page();
  await changeStreams(watch as unknown as ChangeWatch).answer(call);
  onChange(["payment.of_tomorrow" as EventType, "batch.closed"]);
  const stream = sent[0] as Readable;
  expect(`${stream.read()}${stream.read()}`).toContain('data: {"topics":["batch"]}');
  leave();
});

/**
 * Streams to open pages which data to read again. A stream ends after a minute, so that a token that ended meanwhile is
 * soon refused.
 */

import { PassThrough } from "node:stream";
import { type EventType, eventCatalogue } from "@malote/contracts/events";
import {
  type ChangeTopic,
  changeTopics,
  topicPolicies,
  type watchChanges,
} from "@malote/contracts/notifications";
import { mayCall } from "@malote/contracts/policy";
import { minuteMs, secondMs } from "@malote/domain/durations";
import type { ChangeWatch } from "../platform/events/changes.ts";
import type { Call } from "../platform/http/serve.ts";

const streamMs = minuteMs;
/** Interval of keep-alive signs; proxies end a connection that is silent for half a minute. */
const keepAliveEveryMs = 15 * secondMs;
/**
 * Maximum number of streams of one process. A page without a place retries later and polls on its own schedule until
 * then.
 */
const places = { perPerson: 6, perCompany: 60, overall: 600 };
const retryMs = 1_000;
const retryWithoutPlaceMs = 30_000;

export function changeStreams(watch: ChangeWatch) {
  const open = new Map<PassThrough, { userId: string; companyId: string }>();

  function hasPlace(userId: string, companyId: string): boolean {
    const all = [...open.values()];
    return (
      all.length < places.overall &&
      all.filter((one) => one.companyId === companyId).length < places.perCompany &&
      all.filter((one) => one.userId === userId).length < places.perPerson
    );
  }

  async function answer({ actor, request, reply }: Call<typeof watchChanges>) {
    reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      // Disables buffering: a proxy that collects the whole answer would delay every message.
      .header("x-accel-buffering", "no");
    const readsStreams = request.headers.accept?.includes("text/event-stream") ?? false;
    if (!readsStreams) return reply.send(retryIn(retryMs));
    if (!hasPlace(actor.id, actor.companyId)) return reply.send(retryIn(retryWithoutPlaceMs));

    const stream = new PassThrough();
    open.set(stream, { userId: actor.id, companyId: actor.companyId });
    let unfollow = () => {};
    const keepAlive = setInterval(() => stream.write(":\n\n"), keepAliveEveryMs);
    const end = setTimeout(() => stream.end(), streamMs);
    const leave = () => {
      clearInterval(keepAlive);
      clearTimeout(end);
      unfollow();
      open.delete(stream);
      stream.end();
    };
    // Registered before any await: a page that disconnects meanwhile would otherwise keep its place.
    reply.raw.on("close", leave);
    const mayRead = changeTopics.filter((topic) => mayCall(topicPolicies[topic], actor));
    const onChange = (types: readonly EventType[]) => {
      // During a rolling release the other process may emit types that this one does not know.
      const changed = new Set(types.map((type): string | undefined => eventCatalogue[type]?.object));
      const topics: ChangeTopic[] = mayRead.filter((topic) => changed.has(topic));
      if (topics.length > 0) stream.write(`event: change\ndata: ${JSON.stringify({ topics })}\n\n`);
    };
    try {
      unfollow = await watch.follow(actor.companyId, onChange);
    } catch (error) {
      leave();
      throw error;
    }
    if (reply.raw.closed) leave();
    else stream.write(retryIn(retryMs));
    return reply.send(stream);
  }

  return {
    answer,
    endAll() {
      for (const stream of open.keys()) stream.end();
    },
  };
}

const retryIn = (ms: number) => `retry: ${ms}\n\n`;

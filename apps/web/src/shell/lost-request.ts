import { useState } from "react";
import { CallError } from "./call.ts";
import { forgetKept, keep, readKept } from "./kept.ts";
import { newId } from "./new-id.ts";

/** A movement of money that was sent. Without an answer it may have been done: under its key and as it was, it is the same one. */
interface Sent<Content> {
  content: Content;
  idempotencyKey: string;
  at: number;
}

/** The server knows a key for seven days. */
const knownMs = 6 * 24 * 3_600_000;

/** Whether what failed so may have been done all the same. */
function mayBeDone(error: unknown, wasLost: boolean): boolean {
  if (!(error instanceof CallError)) return true;
  const { status, errorCode } = error;
  if (status === 0 || status >= 500 || errorCode === "idempotency_in_progress") return true;
  // Refused on arrival: nothing was done now, which proves nothing about earlier calls.
  return wasLost && [401, 403, 429].includes(status);
}

/**
 * The key of a form that moves money, and what it sent without receiving an answer: kept from before it is sent until
 * an answer comes, also over another opening of the form and over a reload, so that nothing is moved twice.
 */
export function useLostRequest<Content>(name: string) {
  const place = `malote.lost.${name}`;
  const [lost, setLost] = useState(() => {
    const sent = readKept<Sent<Content>>(place);
    return sent && Date.now() - sent.at < knownMs ? sent : undefined;
  });
  const [ownKey, setOwnKey] = useState(() => newId());
  const idempotencyKey = lost?.idempotencyKey ?? ownKey;
  function forget() {
    forgetKept(place);
    setLost(undefined);
  }
  return {
    lost: lost?.content,
    idempotencyKey,
    /** Called before the request is sent. */
    sending: (content: Content) => keep<Sent<Content>>(place, { content, idempotencyKey, at: Date.now() }),
    answered: forget,
    failed(error: unknown, content: Content) {
      if (mayBeDone(error, lost !== undefined)) setLost({ content, idempotencyKey, at: Date.now() });
      else forget();
    },
    /** The person does not want to know: what is sent next is another movement. */
    discard() {
      forget();
      setOwnKey(newId());
    },
  };
}

import { useState } from "react";
import { CallError } from "./call.ts";
import { forgetKept, keep, readKept } from "./kept.ts";
import { newId } from "./new-id.ts";

/**
 * A movement of money without an answer, which may have been executed. Repeating it unchanged under its key cannot move
 * money twice.
 */
interface Sent<Content> {
  content: Content;
  idempotencyKey: string;
  at: number;
}

/** The server remembers a key for seven days. */
const knownMs = 6 * 24 * 3_600_000;

/** True when the failed request may have been executed all the same. */
function mayBeDone(error: unknown, wasLost: boolean): boolean {
  if (!(error instanceof CallError)) return true;
  const { status, errorCode } = error;
  if (status === 0 || status >= 500 || errorCode === "idempotency_in_progress") return true;
  // The server refused this call at once, which proves nothing about earlier calls.
  return wasLost && [401, 403, 429].includes(status);
}

/**
 * Key of a form that moves money, with the request that has no answer yet. It is stored from before sending until an
 * answer comes, also over another opening of the form and over a reload, so that nothing is moved twice.
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
    /** Call before the request is sent. */
    sending: (content: Content) => keep<Sent<Content>>(place, { content, idempotencyKey, at: Date.now() }),
    answered: forget,
    failed(error: unknown, content: Content) {
      if (mayBeDone(error, lost !== undefined)) setLost({ content, idempotencyKey, at: Date.now() });
      else forget();
    },
    /** The person discards the lost request: the next one is another movement. */
    discard() {
      forget();
      setOwnKey(newId());
    },
  };
}

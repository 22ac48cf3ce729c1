import { AppError } from "../app-error.ts";

export interface SemaphoreLimits {
  /** Maximum number of running calls per company. */
  perCompany: number;
  /** Maximum number of running calls of all companies; the other connections are for money and background work. */
  overall: number;
  /** Maximum number of waiting calls per company; the next is refused. */
  waitingMax: number;
  /** Maximum number of waiting calls of one person, so that the others of the company can wait too. */
  waitingPerPersonMax?: number;
  /** Lower maximum for long calls: each occupies a processor, which others need too. */
  long?: { perCompany: number; fromMs: number };
  /** Returns the current time in milliseconds. */
  now?: () => number;
}

export interface QueuedCaller {
  /** Groups calls of similar duration; a call without a kind counts as short. */
  kind?: string;
  /** Id of the user or credential. */
  person?: string;
  /** Aborts when the client has gone: a call that still waits then never begins. */
  gone?: AbortSignal;
}

/** The client disconnected before its call began. No one reads the answer, and the caller was refused nothing. */
export class ClientGone extends Error {}

interface Waiting {
  person: string | undefined;
  /** Kind under which the call's duration is remembered. */
  kind: string | undefined;
  goAhead(isLong: boolean): void;
}

interface Line {
  running: number;
  runningLong: number;
  waiting: Waiting[];
  /** Number of its last turn; a company without one comes first. */
  turn: number;
  /** Number of the last turn of each person; a person without one comes first. */
  turnOf: Map<string | undefined, number>;
}

/**
 * Queues possibly heavy work before it takes a connection: a company runs only a few calls, and when a place becomes
 * free the companies take turns, and within a company its people. However many calls a company or a colleague makes,
 * another one waits for at most one of them.
 */
export function fairSemaphore({
  perCompany,
  overall,
  waitingMax,
  waitingPerPersonMax = waitingMax,
  long,
  now = () => performance.now(),
}: SemaphoreLimits) {
  const lines = new Map<string, Line>();
  const durations = lastDurations();
  let running = 0;
  let turns = 0;

  const isLong = ({ kind }: Waiting): boolean =>
    long !== undefined && kind !== undefined && !(durations.of(kind) < long.fromMs);

  /**
   * Returns the index of the next call that may begin: the first one of the person with the oldest last turn. Short
   * calls overtake long ones without a place.
   */
  function nextOf(line: Line): number {
    if (line.running >= perCompany) return -1;
    const mayBeLong = !long || line.runningLong < long.perCompany;
    let next = -1;
    let oldest = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of line.waiting.entries()) {
      const turn = line.turnOf.get(waiting.person) ?? 0;
      if (turn < oldest && (mayBeLong || !isLong(waiting))) [next, oldest] = [at, turn];
    }
    return next;
  }

  /** Returns the company with the fewest running calls; among equals, the one with the oldest last turn. */
  function nextLine(): { line: Line; at: number } | undefined {
    let next: { line: Line; at: number } | undefined;
    for (const line of lines.values()) {
      const isBefore =
        !next ||
        line.running < next.line.running ||
        (line.running === next.line.running && line.turn < next.line.turn);
      const at = isBefore ? nextOf(line) : -1;
      if (at >= 0) next = { line, at };
    }
    return next;
  }

  function admitNext(): void {
    while (running < overall) {
      const next = nextLine();
      if (!next) return;
      const [waiting] = next.line.waiting.splice(next.at, 1);
      if (!waiting) return;
      const countsAsLong = isLong(waiting);
      next.line.running++;
      if (countsAsLong) next.line.runningLong++;
      running++;
      next.line.turn = ++turns;
      next.line.turnOf.set(waiting.person, turns);
      waiting.goAhead(countsAsLong);
    }
  }

  function requireRoom({ waiting }: Line, person: string | undefined): void {
    const ofPerson = () => waiting.filter((one) => one.person === person).length;
    if (waiting.length >= waitingMax || (person !== undefined && ofPerson() >= waitingPerPersonMax))
      throw new AppError("too_many_requests");
  }

  /** Runs `work` when a place is free. */
  return async function oneOfThem<T>(
    companyId: string,
    work: () => Promise<T>,
    { kind, person, gone }: QueuedCaller = {},
  ): Promise<T> {
    const line: Line = lines.get(companyId) ?? {
      running: 0,
      runningLong: 0,
      waiting: [],
      turn: 0,
      turnOf: new Map(),
    };
    lines.set(companyId, line);
    if (gone?.aborted) throw new ClientGone();
    requireRoom(line, person);
    const companyKind = kind === undefined ? undefined : `${companyId} ${kind}`;
    const countsAsLong = await new Promise<boolean>((goAhead, refuse) => {
      const waiting = { kind: companyKind, person, goAhead };
      line.waiting.push(waiting);
      admitNext();
      gone?.addEventListener("abort", () => {
        const at = line.waiting.indexOf(waiting);
        if (at < 0) return;
        line.waiting.splice(at, 1);
        refuse(new ClientGone());
      });
    });
    const began = now();
    try {
      return await work();
    } finally {
      if (companyKind !== undefined) durations.note(companyKind, now() - began);
      line.running--;
      if (countsAsLong) line.runningLong--;
      running--;
      if (line.running === 0 && line.waiting.length === 0) lines.delete(companyId);
      admitNext();
    }
  };
}

const remembered = 10_000;
/** Factor by which one short answer reduces the remembered duration. */
const decay = 0.1;

/**
 * Remembers how long calls of each kind took lately. A long duration is adopted at once and decays over a dozen short
 * ones, so that long calls cannot hide among short ones. A contract without a measurement counts as long until its
 * first answer.
 */
function lastDurations() {
  const known = new Map<string, number>();
  const of = (kind: string) => known.get(kind) ?? Number.POSITIVE_INFINITY;
  return {
    of,
    note(kind: string, took: number) {
      const before = known.get(kind) ?? took;
      known.delete(kind);
      known.set(kind, took >= before ? took : before + (took - before) * decay);
      const [oldest] = known.keys();
      if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    },
  };
}

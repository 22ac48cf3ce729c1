/**
 * Plays one sequence on the product and on the model in parallel until all work is complete; stops at the first
 * difference.
 */
import { createHash } from "node:crypto";
import { act } from "./act.ts";
import { look } from "./look.ts";
import { predict } from "./model.ts";
import { differences, type Picture, pictureOfModel, pictureOfProduct } from "./observe.ts";
import type { Operation } from "./operations.ts";
import { emptyState, type State } from "./state.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

export interface Played {
  operations: Operation[];
  /** The first difference, with its operation; empty without one. */
  faults: string[];
  /** Question and answer of each step, with a digest of the state: the same for the same sequence. */
  trace: string[];
  /** Answers with their counts. */
  answers: Record<string, number>;
  /** The number of faults that happened. */
  broken: number;
  /** The number of operations, including those that completed the work. */
  done: number;
}

/** Earlier than the first day of any sequence. */
const beginning = Date.parse("2026-01-01T12:00:00Z");
/** Operations between two comparisons of the pages, which are compared at the end too. */
const lookEvery = 10;
/** Far more operations than a sequence needs to complete its work. */
const restMax = 400;

export type Next = (state: State, done: number) => Operation | undefined;

/** Plays the operations that `next` returns until it returns none; then it completes all pending work. */
export async function play(system: SystemUnderTest, next: Next): Promise<Played> {
  await system.wipe();
  const played: Played = { operations: [], faults: [], trace: [], answers: {}, broken: 0, done: 0 };
  let state = emptyState(beginning);
  let isResting = false;
  for (; played.faults.length === 0; played.done++) {
    let operation = isResting ? undefined : next(state, played.done);
    if (operation) played.operations.push(operation);
    else {
      isResting = true;
      operation = towardsRest(state);
    }
    if (!operation) break;
    if (played.done - played.operations.length > restMax) {
      played.faults.push("it never comes to rest");
      break;
    }
    const step = await compare(system, state, operation, played);
    if (played.done % lookEvery === lookEvery - 1) played.faults.push(...(await look(system, step.state)));
    state = step.state;
    played.trace.push(`${JSON.stringify(operation)}: ${step.answer}, ${digestOf(step.picture)}`);
    if (played.faults.length > 0) played.faults.unshift(`after ${JSON.stringify(operation)}:`);
  }
  if (played.faults.length === 0) {
    played.faults.push(...(await look(system, state)), ...(await system.books()));
    if (played.faults.length > 0) played.faults.unshift("at rest:");
  }
  return played;
}

/** Digests a picture in the order of its names, because PostgreSQL returns the rows in any order. */
const digestOf = (picture: Picture) =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(picture).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex")
    .slice(0, 8);

async function compare(system: SystemUnderTest, before: State, operation: Operation, played: Played) {
  const predicted = predict(before, operation);
  const { after, states } = predicted;
  const { answer, hasFailed } = await act(system, operation, after.now, after.settings);
  const picture = await pictureOfProduct(system);
  if (hasFailed) {
    // A cut-off operation leaves the state after one of its commits, and no other.
    played.broken++;
    const found = states.findLast((state) => differences(picture, pictureOfModel(state)).length === 0);
    if (!found) {
      played.faults.push("cut off, it is in no state it may be left in");
      for (const state of states) played.faults.push(differences(picture, pictureOfModel(state)).join("; "));
    }
    return { state: found ?? before, answer: "cut off", picture };
  }
  const name = `${operation.do} ${answer ?? ""}`.trim();
  played.answers[name] = (played.answers[name] ?? 0) + 1;
  if (answer !== predicted.answer)
    played.faults.push(`the answer is ${answer} and should be ${predicted.answer}`);
  played.faults.push(...differences(picture, pictureOfModel(after)));
  return { state: after, answer, picture };
}

/** Returns the next operation of a worker that never sleeps; undefined when no work is left. */
function towardsRest(state: State): Operation | undefined {
  // Work of a blocked company waits until the block ends.
  if (state.settings.blocked) return { do: "settings", change: { blocked: false } };
  if (state.jobs.length > 0) return { do: "work", job: 0 };
  const payments = Object.values(state.payments);
  const leaving = payments.filter(({ status }) => status === "RECEIVED" || status === "SCHEDULED");
  const held = payments.filter(({ status, handedOver }) => status === "EXECUTING" && !handedOver);
  const undelivered = state.network.filter(({ delivered }) => !delivered);
  const soon = state.now + 1_000;
  if (undelivered.some(({ dueAt }) => dueAt <= soon)) return { do: "deliver" };
  const orphanAt = held.map(({ takenAt }) => takenAt + 8_001);
  const workAt = [...leaving.map(({ leavesAt }) => leavesAt ?? 0), ...orphanAt];
  if (workAt.some((instant) => instant <= soon)) return { do: "tick" };
  const next = Math.min(...workAt, ...undelivered.map(({ dueAt }) => dueAt));
  return Number.isFinite(next) ? { do: "clock", to: new Date(next).toISOString() } : undefined;
}

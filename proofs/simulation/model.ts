/** The whole model as one function: a state and an operation in, every permitted state of the product out. */
import { deliver, work } from "./background.ts";
import type { Operation } from "./operations.ts";
import { ask } from "./rules.ts";
import type { State } from "./state.ts";

export interface Prediction {
  /** The answer to a caller; undefined without a call. */
  answer: string | undefined;
  /** The state after the whole operation, without a fault. */
  after: State;
  /** The states after each commit, from none to the last, in which a fault may leave the product. */
  states: State[];
}

/** Every operation takes a second. */
export const tickMs = 1_000;

export function predict(before: State, operation: Operation): Prediction {
  const state = structuredClone(before);
  state.now = timeOf(before, operation);
  const states = [structuredClone(state)];
  const commit = () => void states.push(structuredClone(state));
  const answer = act(state, operation, commit);
  return { answer, after: state, states };
}

function timeOf({ now }: State, operation: Operation): number {
  return Math.max(now + tickMs, operation.do === "clock" ? Date.parse(operation.to) : 0);
}

function act(state: State, operation: Operation, commit: () => void): string | undefined {
  switch (operation.do) {
    case "work":
    case "tick":
    case "receive":
      return work(state, operation, commit) ? "ok" : "failed";
    case "deliver":
      return void deliver(state);
    case "clock":
      return undefined;
    case "settings":
      state.settings = { ...state.settings, ...operation.change };
      return undefined;
    case "deposit": {
      const { deposit, value } = operation;
      const id = `d${deposit}`;
      if (state.network.some((event) => event.id === id)) return undefined;
      state.network.push({ id, kind: "deposit", value, dueAt: state.now, delivered: false });
      return undefined;
    }
    default: {
      const answer = ask(state, operation);
      if (answer.startsWith("ok")) commit();
      return answer;
    }
  }
}

/** Somebody of another company who looks at their balance all the time, and how long that takes while others attack. */
import { setTimeout as sleep } from "node:timers/promises";
import { readBalance } from "@malote/contracts/statement";
import { send } from "../../e2e/api.ts";

export interface Neighbour {
  /** A while in which nobody attacks: quiet and loud times alternate, so that the machine's mood meets both. */
  quiet(): Promise<void>;
  /** From now on somebody attacks. */
  loud(): void;
  /** Nobody attacks any more. Waits for what was asked meanwhile: making the next attack takes this very process a second. */
  answered(): Promise<void>;
  end(): Promise<{ ratio: number }>;
}

const everyMs = 10;
const quietMs = 1_000;

export function watchNeighbour(url: string, token: string): Neighbour {
  const quietMsSeen: number[] = [];
  const loudMsSeen: number[] = [];
  const now: { state: "quiet" | "loud" | "between" } = { state: "between" };
  let ended = false;
  let asking: Promise<unknown> = Promise.resolve();
  const looking = (async () => {
    while (!ended) {
      const during = now.state;
      const since = performance.now();
      const answer = send(url, token, readBalance);
      asking = answer.catch(() => undefined);
      const { status, text } = await answer;
      if (status !== 200) throw new Error(`a neighbour was refused: ${status} ${text}`);
      const ms = performance.now() - since;
      if (during === "quiet" && now.state === "quiet") quietMsSeen.push(ms);
      if (during === "loud") loudMsSeen.push(ms);
      await sleep(everyMs);
    }
  })();
  looking.catch(() => undefined);
  return {
    async quiet() {
      now.state = "quiet";
      await sleep(quietMs);
    },
    loud() {
      now.state = "loud";
    },
    async answered() {
      now.state = "between";
      await asking;
    },
    async end() {
      ended = true;
      await looking;
      return { ratio: p99(loudMsSeen) / Math.max(p99(quietMsSeen), 0.001) };
    },
  };
}

function p99(times: number[]): number {
  const inOrder = times.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * 0.99))] ?? 0;
}

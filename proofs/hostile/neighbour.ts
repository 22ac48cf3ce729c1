/**
 * Somebody of another company who looks at their balance all the time, and how long that takes while others attack. In a
 * thread of their own, which goes before this one: attacks are made and sent on another machine, and what that costs is not
 * the product's doing.
 */
import { once } from "node:events";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export type Mood = "quiet" | "loud" | "between" | "end";
export interface FromNeighbour {
  mood: Mood;
  ratio?: number;
}

export interface Neighbour {
  /** A while in which nobody attacks: quiet and loud times alternate, so that the machine's mood meets both. */
  quiet(): Promise<void>;
  /** From now on somebody attacks. */
  loud(): Promise<void>;
  /** Nobody attacks any more, and what was asked meanwhile is answered. */
  answered(): Promise<void>;
  end(): Promise<{ ratio: number }>;
}

const quietMs = 1_000;
/** Of nice's 19. On Linux it is this thread's alone, and everything else is there already. */
const attackersNiceness = 10;

export function watchNeighbour(url: string, token: string): Neighbour {
  const thread = new Worker(new URL("./neighbour-thread.ts", import.meta.url), {
    workerData: { url, token },
  });
  if (process.platform === "linux") setPriority(process.pid, attackersNiceness);
  async function tell(mood: Mood): Promise<FromNeighbour> {
    thread.postMessage(mood);
    const [heard] = (await once(thread, "message")) as [FromNeighbour];
    return heard;
  }
  return {
    async quiet() {
      await tell("quiet");
      await sleep(quietMs);
    },
    loud: async () => void (await tell("loud")),
    answered: async () => void (await tell("between")),
    async end() {
      const { ratio } = await tell("end");
      if (ratio === undefined) throw new Error("the neighbour said nothing");
      return { ratio };
    },
  };
}

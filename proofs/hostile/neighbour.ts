/**
 * A person of another company who reads their balance all the time, and how long that takes while others attack. In a
 * process of their own, which has priority over this one: attacks are made and sent on another machine, and what that
 * costs is not the product's doing.
 */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Mood = "quiet" | "loud" | "between" | "rest";
export interface FromNeighbour {
  mood: Mood;
  /** After an attack: whether the machine was ours all the while. */
  counts?: boolean;
  /** At the end of a series. */
  p99Ms?: P99Ms;
}

/** What 99 of 100 answers to them took at most. */
export interface P99Ms {
  quiet: number;
  loud: number;
}

export interface Neighbour {
  /**
   * A while without an attack: quiet and loud times alternate, so that both see the same variations of the machine.
   */
  quiet(): Promise<void>;
  /** From now on the attack runs. */
  loud(): Promise<void>;
  /**
   * The attack has ended, and calls made meanwhile are answered. False when the machine was taken away for a good
   * part of this quiet and this loud time: both are dropped then, and the attack is to be made again.
   */
  answered(): Promise<boolean>;
  /** Of all since the last series ended. Nothing is asked until the next quiet. */
  endSeries(): Promise<P99Ms>;
  stop(): void;
}

const quietMs = 500;
const neighbourFile = fileURLToPath(new URL("./neighbour-process.ts", import.meta.url));

/** To be called before `stepBack`, or the neighbour would get idle processor time only, as the attacks do. */
export function watchNeighbour(url: string, email: string): Neighbour {
  const neighbour = fork(neighbourFile, [url, email], {
    execArgv: [],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let said = "";
  neighbour.stderr?.on("data", (piece) => {
    said += piece;
  });
  const gaveUp = once(neighbour, "close").then(([code]) => {
    throw new Error(`the neighbour ended with ${code}: ${said}`);
  });
  // It may give up while no caller waits for it; the next caller learns why.
  gaveUp.catch(() => undefined);
  async function switchTo(mood: Mood): Promise<FromNeighbour> {
    // What cannot be sent to one that ended fails here without a reason, and below with it.
    neighbour.send(mood, () => undefined);
    const [message] = (await Promise.race([once(neighbour, "message"), gaveUp])) as [FromNeighbour];
    return message;
  }
  return {
    async quiet() {
      await switchTo("quiet");
      await sleep(quietMs);
    },
    loud: async () => void (await switchTo("loud")),
    answered: async () => (await switchTo("between")).counts === true,
    async endSeries() {
      const { p99Ms } = await switchTo("rest");
      if (!p99Ms) throw new Error("the neighbour said nothing");
      return p99Ms;
    },
    stop() {
      if (neighbour.connected) neighbour.disconnect();
    },
  };
}

/**
 * This process delays no neighbour from now on: every thread of it gets only idle processor time. Only Linux supports
 * it.
 */
export function stepBack(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) {
    execFileSync("chrt", ["--idle", "--pid", "0", thread]);
  }
}

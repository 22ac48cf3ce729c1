/**
 * A person of another company who reads their balance all the time, with the response times during attacks. It is a
 * separate process with priority over this one: in reality attacks come from another machine, and their cost is not the
 * product's.
 */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Mood = "quiet" | "loud" | "between" | "rest";
export interface FromNeighbour {
  mood: Mood;
  /** After an attack: true when the host gave no processor time to others. */
  counts?: boolean;
  /** Present at the end of a series. */
  p99Ms?: P99Ms;
}

/** The 99th percentile of the response times. */
export interface P99Ms {
  quiet: number;
  loud: number;
}

export interface Neighbour {
  /** Waits without an attack: quiet and loud periods alternate, so that both see the same variations of the machine. */
  quiet(): Promise<void>;
  /** Marks the start of an attack. */
  loud(): Promise<void>;
  /**
   * Marks the end of the attack, with all its calls answered. Returns false when the host took the machine for a good
   * part of these periods: both are dropped, and the attack must be repeated.
   */
  answered(): Promise<boolean>;
  /** Returns the percentiles of the series. No calls are made until the next quiet period. */
  endSeries(): Promise<P99Ms>;
  stop(): void;
}

const quietMs = 500;
const neighbourFile = fileURLToPath(new URL("./neighbour-process.ts", import.meta.url));

/**
 * Starts the neighbour. Call it before `stepBack`, otherwise the neighbour gets only idle processor time, as the
 * attacks do.
 */
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
  // The neighbour may give up while no caller waits for it; the next caller gets the reason.
  gaveUp.catch(() => undefined);
  async function switchTo(mood: Mood): Promise<FromNeighbour> {
    // Sending to an ended process fails here without a reason, and below with it.
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
      if (!p99Ms) throw new Error("the neighbour sent no result");
      return p99Ms;
    },
    stop() {
      if (neighbour.connected) neighbour.disconnect();
    },
  };
}

/**
 * Gives every thread of this process only idle processor time, so that it delays no neighbour. Only Linux supports it.
 */
export function stepBack(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) {
    execFileSync("chrt", ["--idle", "--pid", "0", thread]);
  }
}

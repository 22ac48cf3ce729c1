/**
 * Child process for work on files that takes seconds to minutes of processor time. It runs with low priority, a bounded
 * heap and no secret in its environment. A worker thread does not isolate enough: V8 collects the garbage of all threads
 * with the same helper threads, so while a thread parses a large file, each collection of the main thread waits for them
 * and delays every answer by tens of milliseconds.
 */
import { type ChildProcess, fork } from "node:child_process";
import { on, once } from "node:events";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import type { Socket } from "node:net";

/** Maximum heap in MB: old generation, and each half of the young one. */
export interface HeapLimits {
  oldMb: number;
  semiSpaceMb: number;
}

/** The process needed more memory than its limits, which only a hostile file does. */
export class OutOfMemory extends Error {}

/** The process ended by an error of its own, which the same input triggers again. */
export class ProcessFailed extends Error {}

export interface LowPriorityProcess<Question, Answer> {
  ask(question: Question): void;
  /**
   * Yields the answers until the process ends or the signal aborts. Throws `OutOfMemory`, `ProcessFailed`, or another
   * error when the process was killed from outside, after which a retry is useful.
   */
  answers(signal?: AbortSignal): AsyncIterableIterator<Answer>;
  /** Lets this process exit while the child is idle, and takes that back. */
  setIdle(isIdle: boolean): void;
  readonly hasEnded: boolean;
  /** Ends the process at once. */
  kill(): Promise<void>;
}

/** Last characters of the error output, as the cause in the log. */
const outputLengthMax = 4_000;

/** Starts the module `entry`, which talks to this process with `parentOf`. */
export function startLowPriorityProcess<Question extends object | string, Answer>(
  entry: URL,
  { oldMb, semiSpaceMb }: HeapLimits,
): LowPriorityProcess<Question, Answer> {
  const compileCache = getCompileCacheDir();
  const child = fork(entry, {
    execArgv: [
      `--max-old-space-size=${oldMb}`,
      `--max-semi-space-size=${semiSpaceMb}`,
      "--import",
      new URL("./lower-priority.ts", import.meta.url).href,
    ],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "pipe", "ipc"],
    env: {
      ...(process.env["TZ"] && { TZ: process.env["TZ"] }),
      ...(compileCache && { NODE_COMPILE_CACHE: compileCache }),
    },
  });
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    output = (output + piece).slice(-outputLengthMax);
  });
  let killed = false;
  // A failed send or start is reported by `answers`; without a reader it must not end this process.
  let failure: unknown;
  child.on("error", (error) => {
    failure = error;
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    ask(question) {
      // The callback takes the error of a child that has just ended; `answers` reports it.
      child.send(question, () => undefined);
    },
    async *answers(signal) {
      for await (const [answer] of on(child, "message", { close: ["close"], ...(signal && { signal }) }))
        yield answer as Answer;
      if (!killed) throw endOf(child, output, failure);
    },
    setIdle(isIdle) {
      // The pipe of the error output is a socket, which would keep this process running as well.
      for (const handle of [child, child.channel, child.stderr as Socket | null])
        isIdle ? handle?.unref() : handle?.ref();
    },
    get hasEnded() {
      return hasEnded(child);
    },
    async kill() {
      killed = true;
      child.kill("SIGKILL");
      if (child.pid !== undefined) await closed;
    },
  };
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null;

function endOf({ exitCode, signalCode }: ChildProcess, output: string, failure: unknown): Error {
  if (/heap out of memory|Reached heap limit/.test(output)) return new OutOfMemory();
  const cause = failure ?? output;
  if (exitCode !== null) return new ProcessFailed(`the process ended with code ${exitCode}`, { cause });
  return new Error(`the process ended by ${signalCode}`, { cause });
}

/** The process that started this one, as seen from an entry module. */
export interface Parent<Question, Answer> {
  answer(answer: Answer): void;
  /** A failure of `take` ends this process. */
  onQuestion(take: (question: Question) => void | Promise<void>): void;
  /** Resolves with the next question. */
  nextQuestion(): Promise<void>;
  /** Ends this process after the last answer has left. */
  end(): void;
}

export function parentOf<Question, Answer>(): Parent<Question, Answer> {
  const send = process.send?.bind(process);
  if (!send) throw new Error("this file only runs as a child process");
  process.once("disconnect", () => process.exit());
  // The process is usually killed, and Node writes the cache only at an orderly exit. Without it each start strips the
  // types again, which costs most of its processor time and 30 MB.
  flushCompileCache();
  return {
    answer: (answer) => void send(answer),
    onQuestion: (take) => void process.on("message", (question) => void take(question as Question)),
    nextQuestion: async () => void (await once(process, "message")),
    end: () => process.disconnect(),
  };
}

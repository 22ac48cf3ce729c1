/** Ends of a child process, and what it inherits. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import {
  type LowPriorityProcess,
  OutOfMemory,
  ProcessFailed,
  startLowPriorityProcess,
} from "./low-priority-process.ts";

const folder = mkdtempSync(join(tmpdir(), "malote-child-"));
const module = new URL("./low-priority-process.ts", import.meta.url).href;
let entries = 0;
let child: LowPriorityProcess<string, unknown>;
afterEach(() => {
  vi.unstubAllEnvs();
  return child.kill();
});

/** Starts a child that runs `body` for each question, with `parent` at hand. */
function startChild(body: string, oldMb = 64): void {
  const entry = join(folder, `${++entries}.mjs`);
  writeFileSync(
    entry,
    `import { parentOf } from ${JSON.stringify(module)};
     const parent = parentOf();
     parent.onQuestion(async (question) => { ${body} });`,
  );
  child = startLowPriorityProcess(pathToFileURL(entry), { oldMb, semiSpaceMb: 1 });
}

async function firstAnswer(question: string, signal?: AbortSignal): Promise<unknown> {
  child.ask(question);
  for await (const answer of child.answers(signal)) return answer;
  return undefined;
}

it("returns bytes and dates unchanged", async () => {
  startChild("parent.answer({ question, bytes: new Uint8Array([1, 2]), at: new Date(5) })");
  const answer = await firstAnswer("x");
  expect(answer).toEqual({ question: "x", bytes: new Uint8Array([1, 2]), at: new Date(5) });
});

it("gives the child no variable of the environment but the time zone and the compile cache", async () => {
  vi.stubEnv("MALOTE_SECRET", "a secret of the parent");
  startChild("parent.answer(Object.keys(process.env))");
  const names = (await firstAnswer("x")) as string[];
  // The channel's own variables are removed by Node on some versions only.
  expect(names.filter((name) => !/^(NODE_|TZ$|__)/.test(name))).toEqual([]);
  expect(names).not.toContain("MALOTE_SECRET");
});

it.runIf(process.platform === "linux")(
  "runs every thread of the child with a priority ten steps below normal",
  async () => {
    startChild(`
    const { readdirSync } = await import("node:fs");
    const { getPriority } = await import("node:os");
    parent.answer(readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread))));
  `);
    const all = (await firstAnswer("x")) as number[];
    expect(new Set(all)).toEqual(new Set([Math.max(getPriority(), 10)]));
  },
);

it("reports a child that exceeds its heap as out of memory", async () => {
  startChild("globalThis.all = []; for (;;) all.push(new Array(1000).fill(question + all.length));", 16);
  await expect(firstAnswer("x")).rejects.toBeInstanceOf(OutOfMemory);
});

it("reports an error of the child with its output as the cause", async () => {
  startChild("throw new Error('no such ' + question)");
  const error = await firstAnswer("column").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProcessFailed);
  expect(String((error as Error).cause)).toContain("no such column");
});

it("reports a child that was killed from outside as an error that can be retried", async () => {
  startChild("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})");
  const error = await firstAnswer("x").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ProcessFailed);
  expect(error).not.toBeInstanceOf(OutOfMemory);
  expect(child.hasEnded).toBe(true);
});

it("stops waiting when the signal aborts, and ends the child when it is killed", async () => {
  startChild("await new Promise((resolve) => setTimeout(resolve, 60_000))");
  const aborting = new AbortController();
  const waiting = firstAnswer("x", aborting.signal);
  aborting.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  await child.kill();
  expect(child.hasEnded).toBe(true);
});

it("lets this process end while the child is idle", async () => {
  startChild("parent.answer(question)");
  const parent = join(folder, "parent.mjs");
  const entry = join(folder, `${entries}.mjs`);
  writeFileSync(
    parent,
    `import { startLowPriorityProcess } from ${JSON.stringify(module)};
     const child = startLowPriorityProcess(new URL(${JSON.stringify(pathToFileURL(entry).href)}), { oldMb: 64, semiSpaceMb: 1 });
     child.ask("read");
     for await (const answer of child.answers()) { console.log(answer); break; }
     child.setIdle(true);`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [parent]);
  expect(stdout).toBe("read\n");
});

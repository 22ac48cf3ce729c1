/**
 * P13: from a stopped process to the first 200 of /readyz: first with an empty data folder (after install and build),
 * then with existing data. Also measures resident memory after ten idle seconds. The floor is a bare Fastify on the
 * same Node that answers 200.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverArguments } from "../scripts/steps/server.mjs";
import { median, print } from "./kit.ts";

const root = join(import.meta.dirname, "..");
const dataDir = mkdtempSync(join(tmpdir(), "malote-bench-"));
chmodSync(dataDir, 0o755);
const port = 4390;

const bare = `
  import Fastify from "fastify";
  const app = Fastify();
  app.get("/readyz", () => ({ status: "ready" }));
  await app.listen({ port: ${port}, host: "127.0.0.1" });
  process.on("SIGTERM", () => process.exit(0));
`;

async function run(command: string[], idleMs = 0): Promise<{ readyMs: number; rssMb: number }> {
  const [file = "", ...args] = command;
  const start = performance.now();
  const child = spawn(file, args, {
    cwd: join(root, "apps/api"),
    env: { ...process.env, MALOTE_DATA: dataDir, PORT: String(port), MALOTE_LOG: "silent" },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    await sleep(10);
  }
  const readyMs = performance.now() - start;
  await sleep(idleMs);
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  child.kill("SIGTERM");
  await ended;
  return { readyMs, rssMb };
}

const node = process.execPath;
const malote = [node, ...serverArguments];
const first = await run(malote);
const later: number[] = [];
const floor: number[] = [];
const rounds = 5;
for (let round = 0; round < rounds; round++) {
  later.push((await run(malote)).readyMs);
  floor.push((await run([node, "--input-type=module", "-e", bare])).readyMs);
}
const idle = await run(malote, 10_000);
print("P13", {
  unit: "ms",
  n: 1,
  rounds,
  ours: median(later),
  floor: median(floor),
  first_ms: first.readyMs,
  idle_rss_mb: idle.rssMb,
});
rmSync(dataDir, { recursive: true, force: true });

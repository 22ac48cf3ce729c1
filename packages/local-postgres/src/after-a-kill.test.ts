/** Tests a start after owner, server or both were killed. */
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres } from "./start-postgres.ts";
import {
  databaseCalls,
  isAlive,
  kill,
  owners,
  query,
  recall,
  remember,
  running,
  stop,
} from "./start-postgres-kit.ts";

let dataDir: string;
let sentences: string[];
/** A stopped database, created once; every test except those of the very first start works on a copy of it. */
let madeOnce: string;
beforeAll(async () => {
  madeOnce = mkdtempSync(join(tmpdir(), "malote-made-"));
  chmodSync(madeOnce, 0o755);
  await (await startPostgres({ dataDir: madeOnce, log: () => {} })).stop();
});
afterAll(() => rmSync(madeOnce, { recursive: true, force: true }));
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "malote-postgres-"));
  chmodSync(dataDir, 0o755);
  sentences = [];
});
afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
  for (const server of running.splice(0)) await server.stop();
  const home = join(dataDir, "postgres");
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
});

const { copyMadeOnce, start, postmasterPid, startOwner } = databaseCalls(
  () => dataDir,
  () => sentences,
  () => madeOnce,
);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("the condition was not met within 15 s");
    await sleep(10);
  }
}
/** Stops the process if it is a child of this one. Some workers of the server end by themselves meanwhile. */
function stopChild(pid: number, parent: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] !== String(parent)) return false;
    return process.kill(pid, "SIGSTOP");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

describe("after a kill", () => {
  it("adopts the running server of a killed owner, with its data and without its locks", async () => {
    copyMadeOnce();
    const owner = await startOwner();
    await remember(owner.connection);
    const pid = postmasterPid();
    // A session whose client is gone for good but whose transaction still holds the table.
    const abandoned = new pg.Client(owner.connection);
    abandoned.on("error", () => {});
    await abandoned.connect();
    await abandoned.query("BEGIN; LOCK TABLE kept");
    await kill(owner.process);

    const server = await start();
    expect(server.adopted).toBe(true);
    expect(postmasterPid()).toBe(pid);
    expect(await recall(server.connection)).toEqual([{ id: 1 }]);
    await abandoned.end().catch(() => {});
    await stop(server);
    expect(isAlive(pid)).toBe(false);
  });

  it("restarts a server with other settings instead of adopting it", async () => {
    copyMadeOnce();
    const owner = await startOwner();
    await remember(owner.connection);
    await kill(owner.process);
    const settings = join(dataDir, "postgres/cluster/malote.conf");
    writeFileSync(settings, readFileSync(settings, "utf8").replace("jit = 'off'", "jit = 'on'"));

    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await query(server.connection, "SHOW jit")).toEqual([{ jit: "off" }]);
    expect(await recall(server.connection)).toEqual([{ id: 1 }]);
  });

  it("reopens when owner and server were killed together", async () => {
    copyMadeOnce();
    const owner = await startOwner();
    await remember(owner.connection);
    const pid = postmasterPid();
    await kill(owner.process);
    process.kill(-pid, "SIGKILL");
    await until(() => !isAlive(pid));

    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await recall(server.connection)).toEqual([{ id: 1 }]);
  });

  it("reopens when only the main process of the server was killed and its children still run", async () => {
    copyMadeOnce();
    const owner = await startOwner();
    await remember(owner.connection);
    const pid = postmasterPid();
    process.kill(owner.process.pid as number, "SIGSTOP");
    // A stopped child does not notice the death of its parent and keeps the shared memory.
    const stopped = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && stopChild(Number(name), pid));
    expect(stopped.length).toBeGreaterThan(0);
    process.kill(pid, "SIGKILL");
    await kill(owner.process);

    const server = await start();
    expect(await recall(server.connection)).toEqual([{ id: 1 }]);
  });

  it("restarts the server automatically when it ends while Malote runs", async () => {
    copyMadeOnce();
    const { connection } = await start();
    await remember(connection);
    const pid = postmasterPid();
    process.kill(pid, "SIGKILL");
    await until(async () => (await recall(connection).catch(() => [])).length === 1);
    expect(postmasterPid()).not.toBe(pid);
    expect(sentences).toContain("O PostgreSQL parou sem ser pedido; iniciando de novo.");
  });

  it("starts anew after a first start that was killed", async () => {
    const owner = startOwner().catch(() => undefined);
    const home = join(dataDir, "postgres");
    await until(() => existsSync(home) && readdirSync(home).some((name) => name.startsWith("unfinished-")));
    await kill(owners[0] as ChildProcess);
    void owner;
    expect(existsSync(join(home, "cluster"))).toBe(false);

    await remember((await start()).connection);
    expect(readdirSync(home)).toContain("cluster");
    expect(readdirSync(home).filter((name) => name.startsWith("unfinished-"))).toEqual([]);
  });

  it("ignores a pid file whose number now belongs to another program", async () => {
    copyMadeOnce();
    const first = await start();
    await remember(first.connection);
    const pidFile = join(dataDir, "postgres/cluster/postmaster.pid");
    const contents = readFileSync(pidFile, "utf8");
    await stop(first);
    writeFileSync(pidFile, contents.replace(/^\d+/, String(process.pid)));

    expect(await recall((await start()).connection)).toEqual([{ id: 1 }]);
  });
});

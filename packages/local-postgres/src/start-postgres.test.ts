import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountFor, canWrite } from "./account.ts";
import { binariesFor, installedBinaries } from "./binaries.ts";
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

const isRoot = process.getuid?.() === 0;
function othersReachThisClone(): boolean {
  const { spawnAs } = accountFor("/nonexistent");
  return spawnSync(process.execPath, ["--version"], { cwd: "/", ...spawnAs }).status === 0;
}
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

describe("a start", () => {
  it("creates a durable database that listens on its private socket only", async () => {
    const { connection, adopted } = await start();
    expect(adopted).toBe(false);
    const names = [
      "listen_addresses",
      "fsync",
      "synchronous_commit",
      "full_page_writes",
      "jit",
      "server_encoding",
    ];
    const rows = await query(
      connection,
      `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: "",
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      jit: "off",
      server_encoding: "UTF8",
    });
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "postgres/cluster")).mode & 0o777).toBe(0o700);
  });

  it("creates a missing database, as after a kill between creating cluster and database", async () => {
    copyMadeOnce();
    const first = await start();
    await query({ ...first.connection, database: "postgres" }, "DROP DATABASE malote");
    await stop(first);
    await remember((await start()).connection);
  });

  it("finds the data of the previous start, and leaves no process behind when stopped", async () => {
    copyMadeOnce();
    const first = await start();
    await remember(first.connection);
    const pid = postmasterPid();
    await stop(first);
    expect(isAlive(pid)).toBe(false);

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await recall(second.connection)).toEqual([{ id: 1 }]);
  });

  it("refuses data that a living process holds, and names the process", async () => {
    copyMadeOnce();
    await start();
    await expect(start()).rejects.toThrow(`já está rodando com estes dados (processo ${process.pid})`);
  });

  it("refuses a cluster of another major version in one sentence", async () => {
    copyMadeOnce();
    await stop(await start());
    writeFileSync(join(dataDir, "postgres/cluster/PG_VERSION"), "17\n");
    await expect(start()).rejects.toThrow(/é do PostgreSQL 17 e este Malote traz o 18/);
  });

  it("reports PostgreSQL's own reason when it cannot start, and releases the data", async () => {
    copyMadeOnce();
    await stop(await start());
    const settings = join(dataDir, "postgres/cluster/postgresql.conf");
    const good = readFileSync(settings, "utf8");
    writeFileSync(settings, `${good}\nno_such_setting = 1\n`);
    await expect(start()).rejects.toThrow(/O PostgreSQL não iniciou: .*FATAL/);
    writeFileSync(settings, good);
    await start();
  });

  it("uses a shorter path for a socket that is too long for the kernel", async () => {
    const deep = join(dataDir, "a-folder-with-a-long-name".repeat(2), "and-another-one-below-it".repeat(2));
    mkdirSync(deep, { recursive: true });
    const server = await start(deep);
    expect(Buffer.byteLength(join(server.connection.host, ".s.PGSQL.5432"))).toBeLessThanOrEqual(107);
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
    await remember(server.connection);
    await stop(server);
    rmSync(server.connection.host, { recursive: true });
    expect(await recall((await start(deep)).connection)).toEqual([{ id: 1 }]);
  });
});

describe.runIf(isRoot)("under root", () => {
  it("runs the server as an unprivileged user", async () => {
    copyMadeOnce();
    await start();
    expect(statSync(`/proc/${postmasterPid()}`).uid).not.toBe(0);
  });

  it("moves the database to a system folder when the data is below a folder that only root may enter", async () => {
    chmodSync(dataDir, 0o700);
    const inside = join(dataDir, "postgres");
    const first = await start();
    await remember(first.connection);
    expect(lstatSync(inside).isSymbolicLink()).toBe(true);
    const folder = readlinkSync(inside);
    expect(dirname(folder)).toBe("/var/lib/malote");
    expect(sentences.join()).toContain(`o banco de dados fica em ${folder}`);
    await stop(first);

    expect(await recall((await start()).connection)).toEqual([{ id: 1 }]);
  });

  it("creates a new database for a new data folder when an older one of the same path was deleted", async () => {
    chmodSync(dataDir, 0o700);
    const inside = join(dataDir, "postgres");
    const old = await start();
    await remember(old.connection);
    await stop(old);
    const oldFolder = readlinkSync(inside);
    rmSync(inside);

    const fresh = await start();
    await expect(recall(fresh.connection)).rejects.toThrow(/does not exist/);
    rmSync(oldFolder, { recursive: true });
  });

  it("copies binaries that the server's user cannot reach, and creates the links that npm omits", async () => {
    const account = accountFor(join(dataDir, "none"));
    const closed = join(dataDir, "closed", "package");
    const installed = installedBinaries();
    cpSync(installed.root, join(closed, "native"), { recursive: true, verbatimSymlinks: true });
    for (const name of readdirSync(join(closed, "native/lib"))) {
      const path = join(closed, "native/lib", name);
      if (lstatSync(path).isSymbolicLink()) rmSync(path);
    }
    chmodSync(join(dataDir, "closed"), 0o700);
    const home = join(dataDir, "home");
    mkdirSync(home);
    const given = { root: join(closed, "native"), version: installed.version };

    const first = binariesFor(account, home, given);
    expect(first).toMatchObject({
      copied: true,
      binaries: { root: join(home, "binaries", installed.version, "native") },
    });
    const copiedAt = statSync(first.binaries.root).ctimeMs;
    expect(binariesFor(account, home, given)).toEqual({ ...first, copied: false });
    expect(statSync(first.binaries.root).ctimeMs).toBe(copiedAt);
  });

  // A clone below a folder of root's own cannot be run by another user, so there is nothing to prove there.
  it.runIf(isRoot && othersReachThisClone())(
    "works for a normal user, whose database can be reopened by root and by the user",
    async () => {
      const user = accountFor(join(dataDir, "none"));
      expect(canWrite(user, dataDir)).toBe(false);
      chownSync(dataDir, user.spawnAs.uid as number, user.spawnAs.gid as number);
      const owner = await startOwner(user.spawnAs);
      await remember(owner.connection);
      expect(statSync(`/proc/${owner.process.pid}`).uid).toBe(user.uid);
      await kill(owner.process);

      const asRoot = await start();
      expect(asRoot.adopted).toBe(true);
      await stop(asRoot);
      const again = await startOwner(user.spawnAs);
      expect(await recall(again.connection)).toEqual([{ id: 1 }]);
      const pid = postmasterPid();
      again.process.kill("SIGTERM");
      await once(again.process, "exit");
      expect(isAlive(pid)).toBe(false);
    },
  );
});

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { type Home, socketPort } from "./home.ts";

export const superuser = "postgres";

/**
 * Creates the cluster if there is none. It is built under another name and renamed when complete, so a kill during the
 * first start leaves remains that the next start clears, never half a database.
 */
export function ensureCluster(home: Home, binaries: Binaries, durable: boolean): void {
  const { folder, cluster, account } = home;
  if (existsSync(cluster)) {
    refuseOtherMajor(cluster, binaries);
    return;
  }

  const rubbish = readdirSync(folder).filter((entry) => entry.startsWith("unfinished-"));
  if (rubbish.length > 0) endUnfinishedWork(folder);
  for (const name of rubbish) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const unfinished = join(folder, `unfinished-${randomBytes(6).toString("hex")}`);
  mkdirSync(unfinished, { mode: 0o700 });
  account.own(unfinished);
  const made = spawnSync(
    join(binaries.root, "bin", "initdb"),
    [
      ...["--pgdata", unfinished, "--username", superuser, "--auth", "trust", "--encoding", "UTF8"],
      // PostgreSQL's own collation, so that the same data sorts and compares alike on every machine.
      ...["--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
      ...["--no-instructions", ...(durable ? [] : ["--no-sync"])],
    ],
    { cwd: folder, env: serverEnvironment, encoding: "utf8", ...account.spawnAs },
  );
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason = (made.stderr || made.error?.message || "o initdb foi interrompido").trim();
    throw new Error(`O banco de dados não pôde ser criado em ${folder}: ${reason}`);
  }
  // Only the socket: its folder belongs to the server's user alone, so every caller that can open it is admitted.
  writeFileSync(join(unfinished, "pg_hba.conf"), "local all all trust\n");
  appendFileSync(join(unfinished, "postgresql.conf"), "\ninclude 'malote.conf'\n");
  writeFileSync(join(unfinished, "malote.conf"), "");
  for (const name of ["pg_hba.conf", "postgresql.conf", "malote.conf"]) account.own(join(unfinished, name));
  renameSync(unfinished, cluster);
}

/** Ends an unfinished initdb, which survives the kill of its parent and would continue to write into the folder. */
function endUnfinishedWork(folder: string): void {
  if (process.platform !== "linux") return;
  const isLeftOver = (pid: number) => {
    try {
      const program = basename(readlinkSync(`/proc/${pid}/exe`));
      const place = readlinkSync(`/proc/${pid}/cwd`);
      return (
        /^(initdb|postgres)\b/.test(program) &&
        (place === folder || place.startsWith(join(folder, "unfinished-")))
      );
    } catch {
      // The process ended meanwhile, or belongs to another user.
      return false;
    }
  };
  const leftOver = () =>
    readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && isLeftOver(pid));
  for (let pids = leftOver(); pids.length > 0; pids = leftOver()) {
    for (const pid of pids) killIfThere(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

function refuseOtherMajor(cluster: string, binaries: Binaries): void {
  const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const needed = binaries.version.split(".")[0];
  if (found === needed) return;
  throw new Error(
    `O banco de dados em ${cluster} é do PostgreSQL ${found} e este Malote traz o ${needed}: ` +
      "faça a mudança descrita em docs/operations.md.",
  );
}

/** The server gets no variables of the caller's environment, because a PGPORT or PGOPTIONS there would change it. */
export const serverEnvironment = { PATH: process.env.PATH, LANG: "C", LC_ALL: "C", TZ: "UTC" };

/**
 * Writes the settings of this version of Malote and returns whether they differ from those of the last start. A running
 * server with other settings is restarted instead of adopted.
 */
export function writeSettings(home: Home, binaries: Binaries, durable: boolean): { changed: boolean } {
  const file = join(home.cluster, "malote.conf");
  const text = settings(binaries, home.socket, durable);
  if (readFileSync(file, "utf8") === text) return { changed: false };
  const draft = `${file}.new`;
  writeFileSync(draft, text);
  home.account.own(draft);
  renameSync(draft, file);
  return { changed: true };
}

function settings(binaries: Binaries, socket: string, durable: boolean): string {
  const values: Record<string, string | number> = {
    listen_addresses: "",
    unix_socket_directories: socket,
    unix_socket_permissions: "0700",
    port: socketPort,
    max_connections: 100,
    // Sized for a small machine shared with Node and a browser; a large one deserves its own server (DATABASE_URL).
    shared_buffers: "128MB",
    effective_cache_size: "1GB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    jit: "off",
    max_parallel_workers_per_gather: 0,
    random_page_cost: 1.1,
    // The embedded server has no replicas, and a smaller log makes recovery after a kill faster.
    wal_level: "minimal",
    max_wal_senders: 0,
    max_wal_size: "512MB",
    checkpoint_timeout: "5min",
    // Statements of a killed Malote must not hold locks while the next one starts.
    client_connection_check_interval: "1s",
    timezone: "UTC",
    log_timezone: "UTC",
    // Details and statements contain people's names and documents, which must not be logged.
    log_min_messages: "warning",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
  };
  // For tests only, whose data may be lost.
  if (!durable) Object.assign(values, { fsync: "off", synchronous_commit: "off", full_page_writes: "off" });
  const quoted = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`;
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${quoted(value)}`);
  return [
    `# Written by Malote at every start. Binaries: ${binaries.root} ${binaries.version}`,
    ...lines,
    "",
  ].join("\n");
}

/** Kills a process, which may have ended by itself meanwhile. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

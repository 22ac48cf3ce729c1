/**
 * Goal P1: from the upload of 100,000 × 15 cells to a draft with all rows checked and visible, against two floors in
 * the same interleaved run: the minimum to read the file (inflate, scan the text for cells), and PostgreSQL's COPY of
 * the same rows into a table without indexes. Also measures how long the main thread is busy, because all other callers
 * wait for it. Prints one JSON line.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { inflateRawSync } from "node:zlib";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { demoPassword, seedDemo } from "../apps/api/src/adapters/sandbox/demo/seed.ts";
import { assemble } from "../apps/api/src/assemble.ts";
import { importSheet } from "../apps/api/src/payouts/import/import-sheet.ts";
import { importedColumns } from "../apps/api/src/payouts/payment-columns.ts";
import { openSecrets } from "../apps/api/src/platform/auth/secrets.ts";
import { readConfig } from "../apps/api/src/platform/config.ts";
import { openDatabase } from "../apps/api/src/platform/db/database.ts";
import { migrate } from "../apps/api/src/platform/db/migrate.ts";
import { localFiles } from "../apps/api/src/platform/files/files.ts";
import { createServer } from "../apps/api/src/platform/http/server.ts";
import { createLog } from "../apps/api/src/platform/log.ts";
import type { Services } from "../apps/api/src/platform/services.ts";
import { noRails } from "../apps/api/src/testing/no-rails.ts";
import { memoryOf, watchMemory } from "../e2e/memory.ts";
import { buildXlsx, headings, rowCount } from "./big-sheet.ts";
import { cpuWithEnded } from "./cpu.ts";
import { median, print } from "./kit.ts";

const rounds = 5;
/**
 * SheetJS, which reads the same file in the same rounds. Its newest version in the registry has known faults with
 * hostile files, so the product does not depend on it: the bench installs it separately, at the version of its
 * lockfile.
 */
function installPeer(): string {
  const folder = join(import.meta.dirname, "peer");
  const path = join(folder, "node_modules/xlsx");
  if (!existsSync(path))
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  return path;
}
const peerPath = installPeer();

const dataDir = mkdtempSync(join(tmpdir(), "malote-bench-"));
chmodSync(dataDir, 0o755);
const server = await startPostgres({ dataDir, log: () => undefined, durable: false });
await migrate(server.connection);
const db = openDatabase({ ...server.connection, max: 6 });
const now = new Date("2026-08-12T13:00:00Z");
const clock = { now: () => now };
await seedDemo(db, clock);

const jobs: { companyId: string; sheetId: string }[] = [];
const unavailable = () => Promise.reject(new Error("no network here"));
const services: Services = {
  config: readConfig({ MALOTE_LOG: "silent", MALOTE_DATA: dataDir }),
  log: createLog("silent"),
  db,
  clock,
  secrets: openSecrets("a secret of a measurement that is long enough"),
  jobs: {
    enqueue: async (_tx, _queue, data) => void jobs.push(data as never),
    work: async () => undefined,
    stop: async () => undefined,
  },
  files: localFiles(dataDir),
  mailer: { send: async () => undefined },
  sms: { send: unavailable },
  accountCheck: { findKey: unavailable, findHolder: unavailable },
  boletoRegister: { find: unavailable },
  pixCodes: { read: unavailable },
  rails: noRails,
  connections: new Map(),
  directory: { id: noRails.id, ask: unavailable, reports: unavailable, acknowledge: unavailable },
  charges: { id: noRails.id, charge: unavailable, cancel: unavailable, refund: unavailable },
  handleEvents: unavailable,
  infractions: { id: noRails.id, answer: unavailable },
};
const app = await createServer(services);
assemble(app, services);
const base = `${await app.listen({ host: "127.0.0.1", port: 0 })}/api`;
const signedIn = await fetch(`${base}/login/authorize`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ grant_type: "password", email: "helena@aurora.example", password: demoPassword }),
});
const { access_token } = (await signedIn.json()) as { access_token: string };
const authorization = `Bearer ${access_token}`;

async function call<Answer>(path: string, body?: object | FormData): Promise<Answer> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${base}/payments${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization, ...(body && !isForm && { "content-type": "application/json" }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Seconds of each statement, grouped by its first words. */
const statements = new Map<string, number>();
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function timed(this: unknown, ...given: unknown[]) {
  const result = query.apply(this, given);
  const text = typeof given[0] === "string" ? given[0] : (given[0] as { text?: string }).text;
  const name = /INSERT INTO transfers|CREATE TEMP|COMMIT/i.exec(text ?? "")?.[0];
  if (name && result instanceof Promise) {
    const started = performance.now();
    return result.finally(() => statements.set(name, (performance.now() - started) / 1000));
  }
  return result;
} as typeof pg.Client.prototype.query;

const xlsx = buildXlsx();

async function importOnce() {
  statements.clear();
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = cpuWithEnded();
  const mainCpu = process.threadCpuUsage();
  const started = performance.now();
  const form = new FormData();
  form.set("fileName", "folha.xlsx");
  form.set("file", new Blob([new Uint8Array(xlsx)]), "folha.xlsx");
  const sheet = await call<{ id: string }>("/batch/sheet/upload", form);
  const uploaded = performance.now();
  await call("/batch/spreadsheet", { sheet_id: sheet.id });
  for (const job of jobs.splice(0)) await importSheet(services, job);
  const imported = performance.now();
  const { batch_id } = await call<{ batch_id: string }>(`/batch/sheet/${sheet.id}`);
  const batch = await call<{ payments_count: number; errors_count: number }>(`/app/batch/${batch_id}`);
  const visible = performance.now();
  delay.disable();
  if (batch.payments_count !== rowCount) throw new Error(`${batch.payments_count} payments`);
  const used = cpuWithEnded() - cpu;
  const usedByMain = process.threadCpuUsage(mainCpu);
  const insert = statements.get("INSERT INTO transfers") ?? 0;
  const create = statements.get("CREATE TEMP") ?? 0;
  return {
    batchId: batch_id,
    seconds: (visible - started) / 1000,
    upload: (uploaded - started) / 1000,
    readAndCopy: (imported - uploaded) / 1000 - insert - create,
    insert,
    visible: (visible - imported) / 1000,
    nodeCpu: used,
    mainThreadCpu: (usedByMain.user + usedByMain.system) / 1e6,
    loopDelayP99: delay.percentile(99) / 1e6,
    loopDelayMax: delay.max / 1e6,
    errors: batch.errors_count,
  };
}

/** Visits every cell of the file once and stores nothing. */
function scanOnce(): number {
  const started = performance.now();
  let cells = 0;
  // The directory is at the end; each entry holds its position and sizes.
  let at = xlsx.readUInt32LE(xlsx.length - 22 + 16);
  for (let left = xlsx.readUInt16LE(xlsx.length - 22 + 10); left > 0; left--) {
    const packed = xlsx.readUInt32LE(at + 20);
    const nameLength = xlsx.readUInt16LE(at + 28);
    const local = xlsx.readUInt32LE(at + 42);
    const data = local + 30 + xlsx.readUInt16LE(local + 26) + xlsx.readUInt16LE(local + 28);
    const xml = inflateRawSync(xlsx.subarray(data, data + packed)).toString("latin1");
    for (let cell = xml.indexOf("<c "); cell >= 0; cell = xml.indexOf("<c ", cell + 3)) {
      const end = xml.indexOf("</c>", cell);
      if (xml.slice(xml.indexOf("<v>", cell) + 3, end - 4).length > 0) cells++;
    }
    at += 46 + nameLength + xlsx.readUInt16LE(at + 30) + xlsx.readUInt16LE(at + 32);
  }
  if (cells !== (rowCount + 1) * headings.length) throw new Error(`${cells} cells`);
  return (performance.now() - started) / 1000;
}

const raw = new pg.Client(server.connection);
await raw.connect();
let copied: Buffer | undefined;

/** The same rows in COPY's format, into a table without keys, indexes or rules. */
async function copyOnce(batchId: string): Promise<number> {
  if (!copied) {
    const columns = importedColumns.TRANSFER.join(", ");
    const chunks: Buffer[] = [];
    await raw.query("SET row_security = off");
    const out = raw.query(
      copyTo(
        `COPY (SELECT ${columns} FROM transfers WHERE batch_id = '${batchId}' ORDER BY position) TO STDOUT`,
      ),
    );
    for await (const chunk of out) chunks.push(chunk as Buffer);
    copied = Buffer.concat(chunks);
    if (copied.length === 0) throw new Error("nothing to copy");
  }
  await raw.query(
    `CREATE TEMP TABLE bare AS SELECT ${importedColumns.TRANSFER.join(", ")} FROM transfers WITH NO DATA`,
  );
  const started = performance.now();
  const size = 256 * 1024;
  const bytes = copied;
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  await pipeline(Readable.from(chunks), raw.query(copyFrom("COPY bare FROM STDIN")));
  const seconds = (performance.now() - started) / 1000;
  await raw.query("DROP TABLE bare");
  return seconds;
}

const peerSource = `
const XLSX = require(process.argv[1]);
const bytes = require("node:fs").readFileSync(process.argv[2]);
const started = performance.now();
const book = XLSX.read(bytes, { dense: true });
const seconds = (performance.now() - started) / 1000;
const sheet = book.Sheets[book.SheetNames[0]];
if (!sheet || XLSX.utils.decode_range(sheet["!ref"]).e.r !== ${rowCount}) throw new Error("the peer did not read the sheet");
console.log(seconds);`;

/** A separate process, so that its memory does not count as ours. */
function peerOnce(): number {
  const file = join(dataDir, "peer.xlsx");
  writeFileSync(file, xlsx);
  return Number(execFileSync(process.execPath, ["-e", peerSource, peerPath, file], { encoding: "utf8" }));
}

const ours: Awaited<ReturnType<typeof importOnce>>[] = [];
const peers: number[] = [];
const scans: number[] = [];
const copies: number[] = [];
const memoryBefore = memoryOf(process.pid).now;
const memory = watchMemory(process.pid);
for (let round = 0; round < rounds; round++) {
  const imported = await importOnce();
  ours.push(imported);
  scans.push(scanOnce());
  copies.push(await copyOnce(imported.batchId));
  peers.push(peerOnce());
}
const extraBytes = memory.peak() - memoryBefore;
memory.stop();

const middle = (key: keyof (typeof ours)[number]) => median(ours.map((one) => Number(one[key])));
print("P1", {
  unit: "s",
  n: rowCount,
  rounds,
  ours: middle("seconds"),
  floor: median(scans) + median(copies),
  to_sheetjs: middle("seconds") / median(peers),
  sheetjs: median(peers),
  extra_mib: extraBytes / 1024 / 1024,
  best: Math.min(...ours.map((one) => one.seconds)),
  floor_inflate_and_scan: median(scans),
  floor_copy: median(copies),
  where: {
    upload: middle("upload"),
    read_and_copy: middle("readAndCopy"),
    insert: middle("insert"),
    visible: middle("visible"),
    node_cpu: middle("nodeCpu"),
    main_thread_cpu: middle("mainThreadCpu"),
    loop_delay_p99_ms: middle("loopDelayP99"),
    loop_delay_max_ms: middle("loopDelayMax"),
  },
  columns: headings.length,
  xlsx_bytes: xlsx.length,
  rows_with_errors: ours[0]?.errors,
});

await raw.end();
await app.close();
await db.close();
await server.stop();
rmSync(dataDir, { recursive: true, force: true });

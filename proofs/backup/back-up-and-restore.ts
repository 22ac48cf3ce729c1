/**
 * A Malote on its embedded PostgreSQL works while it is backed up; the backup is restored into an empty database of
 * another server, whose owner has no special rights, and the product continues there.
 */

import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { readMe } from "@malote/contracts/session";
import { runPending } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { startOrAttachPostgres } from "@malote/local-postgres/start-or-attach";
import { type Connection, startPostgres } from "@malote/local-postgres/start-postgres";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { listTables, sameTexts } from "../../apps/api/src/backup/copied-tables.ts";
import { makeBackup } from "../../apps/api/src/backup/make-backup.ts";
import { restoreBackup } from "../../apps/api/src/backup/restore-backup.ts";
import { createLog } from "../../apps/api/src/platform/log.ts";
import { jobs } from "../../apps/api/src/registry.ts";
import { send, signIn } from "../../e2e/api.ts";
import { createMalote } from "../../e2e/server.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { books, withClient } from "../kills/postgres-of.ts";
import type { Outcome, Run } from "../proof.ts";

const clients = 4;
const log = createLog("silent");
const silent = () => undefined;

export async function backUpAndRestore({ count, seed, report }: Run): Promise<Outcome> {
  const chance = chanceOf(seed);
  const folder = mkdtempSync(join(tmpdir(), "malote-backup-"));
  chmodSync(folder, 0o755);
  const source = await createMalote({ MALOTE_LOG: "error" });
  const other = await startPostgres({ dataDir: folder, log: silent });
  const faults: string[] = [];
  let rows = 0;
  let batches = 0;
  try {
    await source.start();
    const token = await signIn(source.url, adminEmail);
    for (let round = 1; round <= count; round++) {
      const work = startWork(source.url, token, chance);
      await sleep(chance.between(300, 900));
      const promised = [...work.batches];
      const file = join(folder, `${round}.tar.gz`);
      await backUp(file, source.dataDir);
      await work.stop();
      const target = await emptyDatabase(other.connection);
      const dataDir = mkdtempSync(join(folder, "data-"));
      const restored = await restoreBackup(file, target, dataDir, log, jobs);
      rows += restored.rows;
      batches += promised.length;
      faults.push(...(await goesOn(target, dataDir, token, promised)));
      report(`${round} backups, ${rows} rows, ${faults.length} faults`);
    }
    // The proof compares both databases at rest, by a method other than the backup's own sums.
    await source.shutDown();
    const file = join(folder, "rest.tar.gz");
    await backUp(file, source.dataDir);
    const target = await emptyDatabase(other.connection);
    await restoreBackup(file, target, mkdtempSync(join(folder, "data-")), log, jobs);
    const here = await contentsOf(source.dataDir);
    faults.push(...differences(here, await contents(target)), ...(await books(target)));
    const missed: string[] = [];
    for (const [name, plant] of Object.entries(plants)) {
      const found = await withClient(target, async (client) => {
        await client.query(plant);
        return differences(here, await contents(target));
      });
      if (found.length === 0) missed.push(name);
    }
    return {
      faults,
      figures: { rows, batches },
      planted: { count: Object.keys(plants).length, missed },
    };
  } finally {
    await source.stop();
    await other.stop();
    rmSync(realpathSync(join(folder, "postgres")), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

const [company] = demoCompanies;
const adminEmail = company?.users.find(({ profile }) => profile === "admin")?.email ?? "";

const plants = {
  "a payment that is missing":
    "DELETE FROM transfers WHERE id = (SELECT id FROM transfers ORDER BY id LIMIT 1)",
  "a centavo more":
    "UPDATE transfers SET value = value + 1 WHERE id = (SELECT max(id::text)::uuid FROM transfers)",
  "a job that was lost": "DELETE FROM pgboss.job WHERE id = (SELECT id FROM pgboss.job LIMIT 1)",
};

async function backUp(file: string, dataDir: string): Promise<void> {
  const { connection, release } = await startOrAttachPostgres({ dataDir, log: silent });
  try {
    await makeBackup(file, connection, dataDir, new Date(), { withSecret: true });
  } finally {
    await release();
  }
}

/**
 * Creates a database as a company's administrator prepares one: its owner may create roles, and has no other rights.
 */
async function emptyDatabase(connection: Connection): Promise<Connection> {
  const database = `restored_${randomUUID().slice(0, 8)}`;
  const user = "malote_owner";
  await withClient({ ...connection, database: "postgres" }, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [user]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${user} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS`);
    await client.query(`CREATE DATABASE ${database} OWNER ${user}`);
  });
  return { ...connection, user, database };
}

/** Makes deposits and closes batches until it is stopped; records what the server acknowledged. */
function startWork(url: string, token: string, chance: Chance) {
  const batches: string[] = [];
  let stopping = false;
  async function client(): Promise<void> {
    while (!stopping) {
      const id = randomUUID();
      const transfers = Array.from({ length: chance.between(1, 8) }, (_, n) => ({
        integration_id: `${id} ${n}`,
        value: chance.between(1, 9_000),
        destination_bank_account: {
          name: "Ana Lima",
          pix_key_type: "EMAIL" as const,
          pix_key: `ana${n}@exemplo.com.br`,
        },
      }));
      const body = { pix_key: company?.pixKeys[0]?.key ?? "", value: chance.between(1, 50_000) };
      await send(url, undefined, depositPix, { body });
      const made = await send(url, token, createBatch, { body: { id, name: "Folha", transfers } });
      const closed = made.done && (await send(url, token, closeBatch, { params: { id }, body: {} }));
      if (closed?.done) batches.push(id);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client));
  running.catch(silent);
  return {
    batches,
    async stop() {
      stopping = true;
      await running;
    },
  };
}

/**
 * Runs the product on the restored database: the same people, all acknowledged data, all work completed, balanced
 * books.
 */
async function goesOn(
  target: Connection,
  dataDir: string,
  token: string,
  promised: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  const url = `postgres://${target.user}@localhost/${target.database}?host=${encodeURIComponent(target.host)}&port=${target.port}`;
  const restored = await createMalote({ DATABASE_URL: url, MALOTE_DATA: dataDir, MALOTE_LOG: "error" });
  try {
    await restored.start();
    // The token is older than the backup: it is still valid, because the secret was entered again and the sessions were
    // restored.
    const me = await send(restored.url, token, readMe);
    if (!me.done) faults.push(`a session from before the backup ended: ${me.text}`);
    for (let pass = 0; pass < 5; pass++) await send(restored.url, undefined, runPending, {});
    for (const id of promised) {
      const batch = await send(restored.url, token, readBatch, { params: { id } });
      if (!batch.done) faults.push(`batch ${id} was acknowledged and is not in the backup`);
    }
  } finally {
    await restored.stop();
  }
  return [...faults, ...(await books(target))];
}

async function contentsOf(dataDir: string): Promise<Map<string, string>> {
  const { connection, release } = await startOrAttachPostgres({ dataDir, log: silent });
  try {
    return await contents(connection);
  } finally {
    await release();
  }
}

/** Returns each table as one hash of its rows in order, read as a role that bypasses row security. */
const contents = (connection: Connection): Promise<Map<string, string>> =>
  withClient({ ...connection, user: "postgres" }, async (client) => {
    await client.query(sameTexts);
    const found = new Map<string, string>();
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(
        `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash FROM ${name} t`,
      );
      found.set(name, rows[0]?.hash);
    }
    return found;
  });

function differences(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): string[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names]
    .filter((name) => left.get(name) !== right.get(name))
    .map((name) => `${name} is not the same`);
}

/** The audit trail is a chain: entries changed, removed, inserted or moved outside the product are found. */
import type { AuditAction } from "@malote/domain/audit-trail";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../ledger/check-books.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { type AuditDetail, audit } from "./audit.ts";
import { openDatabase, type Tx } from "./db/database.ts";

const rule = "each entry of the audit trail is unchanged since it was written";
const companyId = demoCompanies[0]?.id ?? "";
const otherId = demoCompanies[1]?.id ?? "";
const now = new Date("2026-08-12T13:00:00.123Z");

/** Contents of four entries of each company. */
const things = ["batch_created", "batch_renamed", "batch_closed", "batch_cancelled"] as const;

let app: TestApp;
beforeEach(async () => {
  app = await buildTestApp();
  for (const id of [companyId, otherId])
    for (const n of [1, 2, 3, 4])
      await app.services.db.withCompany(id, (tx) =>
        entry(tx, things[n - 1] ?? things[0], { from: n, to: "é ç" }),
      );
});
afterEach(() => app.close());

const entry = (tx: Tx, action: AuditAction, detail: AuditDetail = {}) =>
  audit(tx, { actor: "system", now, requestId: "r1" }, action, "subject", detail);
const runSql = (text: string, values: unknown[] = []) => app.services.db.pool.query(text, values);
const faults = async () => (await checkBooks(app.services.db)).filter((fault) => fault.rule === rule);
const ofThird = `company_id = '${companyId}' AND action = 'batch_closed'`;
const third = `(SELECT id FROM audit_entries WHERE ${ofThird})`;

describe("finds an entry that was", () => {
  beforeEach(async () => expect(await faults()).toEqual([]));

  it.each([
    ["at", "at + interval '1 microsecond'"],
    ["actor_kind", "'machine'"],
    ["actor_id", "gen_random_uuid()"],
    ["actor_name", "'Malot3'"],
    ["action", "'batch_approved'"],
    ["subject_id", "NULL"],
    ["detail", `detail || '{"to": "e ç"}'`],
    ["request_id", "'r2'"],
    ["company_id", `'${otherId}'`],
    ["id", "gen_random_uuid()"],
  ])("changed in its %s", async (column, value) => {
    await runSql(`UPDATE audit_entries SET ${column} = ${value} WHERE ${ofThird}`);
    expect(await faults()).toHaveLength(1);
  });

  it("removed, alone, with its link, and with the later links renumbered", async () => {
    await runSql(`DELETE FROM audit_chain WHERE entry_id = ${third}`);
    await runSql(`DELETE FROM audit_entries WHERE ${ofThird}`);
    expect((await faults())[0]).toMatchObject({ companyId });
    await runSql("UPDATE audit_chain SET seq = seq - 1 WHERE company_id = $1 AND seq = 4", [companyId]);
    expect((await faults())[0]).toMatchObject({ companyId });
  });

  it("removed while its link is still there", async () => {
    await runSql(`DELETE FROM audit_entries WHERE ${ofThird}`);
    expect((await faults())[0]).toMatchObject({ companyId });
  });

  it("the last, removed with its link", async () => {
    await runSql("DELETE FROM audit_entries WHERE company_id = $1 AND action = 'batch_cancelled'", [
      companyId,
    ]);
    await runSql(
      "DELETE FROM audit_chain WHERE company_id = $1 AND entry_id NOT IN (SELECT id FROM audit_entries)",
      [companyId],
    );
    expect((await faults())[0]).toMatchObject({ companyId });
  });

  it("inserted without the trigger", async () => {
    await runSql("ALTER TABLE audit_entries DISABLE TRIGGER USER");
    await runSql(
      "INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action) VALUES ($1, now(), 'system', 'Malote', 'batch_saved')",
      [companyId],
    );
    expect((await faults())[0]).toMatchObject({ companyId });
  });

  it("moved to another place", async () => {
    await runSql("UPDATE audit_chain SET seq = -seq + 1000 WHERE company_id = $1 AND seq IN (2, 3)", [
      companyId,
    ]);
    await runSql("UPDATE audit_chain SET seq = seq - 995 WHERE company_id = $1 AND seq > 990", [companyId]);
    const { rows } = await runSql("SELECT seq FROM audit_chain WHERE company_id = $1 ORDER BY seq", [
      companyId,
    ]);
    expect(rows.map(({ seq }) => seq)).toContain(2);
    expect((await faults())[0]).toMatchObject({ companyId });
  });
});

it("lets neither a company nor the system write the chain, or change or remove an entry", async () => {
  const statements = [
    "UPDATE audit_entries SET actor_name = 'x'",
    "DELETE FROM audit_entries",
    "UPDATE audit_chain SET seq = seq",
    "DELETE FROM audit_chain",
    "UPDATE audit_heads SET seq = 0",
    "DELETE FROM audit_heads",
    `INSERT INTO audit_chain VALUES ('${companyId}', 99, '${companyId}', '')`,
    "SELECT chain_audit_entry()",
  ];
  for (const statement of statements) {
    const { db } = app.services;
    await expect(db.withCompany(companyId, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(
      /permission|trigger/,
    );
    await expect(db.withSystem((tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/permission|trigger/);
  }
  expect(await faults()).toEqual([]);
});

it("does not block other transactions of the company by an entry of an open one, and leaves no gap after its rollback", async () => {
  const { db } = app.services;
  await expect(
    db.withCompany(companyId, async (tx) => {
      await entry(tx, "batch_saved");
      await db.withCompany(companyId, (other) => entry(other, "batch_approved"));
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  const { rows } = await runSql(
    `SELECT e.action, c.seq FROM audit_chain c JOIN audit_entries e ON e.id = c.entry_id
     WHERE c.company_id = $1 ORDER BY c.seq DESC LIMIT 2`,
    [companyId],
  );
  expect(rows.map(({ action }) => action)).toEqual(["batch_approved", "batch_cancelled"]);
  expect(rows[0].seq - rows[1].seq).toBe(1);
  expect(await faults()).toEqual([]);
});

it("makes two complete chains of many concurrent entries of two processes and two companies", async () => {
  const { host, port, user, password, database } = app.services.db.pool.options;
  const other = openDatabase({ host, port, user, password, database, max: 6 } as never);
  const many = Array.from({ length: 60 }, (_, n) => n);
  await Promise.all(
    many.map((n) =>
      (n % 2 ? other : app.services.db).withCompany(n % 3 ? companyId : otherId, async (tx) => {
        await entry(tx, "batch_saved", { n });
        if (n % 5 === 0) await entry(tx, "batch_closed", { n });
      }),
    ),
  );
  await other.close();
  const { rows } = await runSql(
    "SELECT count(*)::int AS links, max(seq)::int AS last FROM audit_chain GROUP BY company_id",
  );
  for (const { links, last } of rows) expect(links).toBe(last);
  expect(await faults()).toEqual([]);
});

/** Daily counts: of payments older than the counts, never below zero, and covered by the books check. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { checkBooks } from "../ledger/check-books.ts";
import { openDatabase } from "../platform/db/database.ts";
import { listKnownMigrations, migrate } from "../platform/db/migrate.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { auroraId, openPayments, type PaymentsKit, paidFor, pix } from "../testing/payments-kit.ts";
import { countMoved } from "./index.ts";

let kit: PaymentsKit | undefined;
beforeEach(() => {
  kit = undefined;
});
afterEach(() => kit?.close());

const rule = "the indicators count each payment once, by its outcome";

it.each([
  ["one payment more", "UPDATE payment_days SET payments = payments + 1"],
  ["a day too late", "UPDATE payment_days SET day = day + 1"],
  [
    "a count of no feature",
    "INSERT INTO payment_days SELECT company_id, day, 'RETURNED', '', '', 1 FROM payment_days",
  ],
])("reports in the books check %s", async (_, fault) => {
  kit = await openPayments();
  await paidFor(kit, [pix(1_00)]);
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
  const { pool } = kit.services.db;
  const { rows } = await pool.query("SELECT * FROM payment_days");
  expect(rows).toHaveLength(1);
  expect(await kit.faults()).toEqual([]);
  await pool.query(fault);
  expect(await kit.faults()).toMatchObject([{ rule, companyId: auroraId }]);
  await pool.query("DELETE FROM payment_days");
  expect(await kit.faults()).toMatchObject([{ rule, companyId: auroraId }]);
  const { company_id, day, status, bank_ispb, reason, payments } = rows[0];
  await pool.query("INSERT INTO payment_days VALUES ($1, $2, $3, $4, $5, $6)", [
    company_id,
    day,
    status,
    bank_ispb,
    reason,
    payments,
  ]);
});

it("never subtracts a payment from an empty count", async () => {
  kit = await openPayments();
  const was = { day: "2026-11-03", status: "FINISHED", bank: "", reason: "" };
  const counted = kit.services.db.withCompany(auroraId, (tx) => countMoved(tx, [{ was, is: null }]));
  await expect(counted).rejects.toThrow("fewer payments than none");
});

it("counts both of two concurrent changes of the same count", async () => {
  kit = await openPayments();
  const { db } = kit.services;
  const key = { day: "2026-11-03", status: "FAILED", bank: "", reason: "x" };
  const other = { ...key, day: "2026-11-04" };
  const moves = [key, other].map((is) => ({ was: null, is }));
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      db.withCompany(auroraId, (tx) => countMoved(tx, n % 2 ? moves : moves.toReversed())),
    ),
  );
  const { rows } = await db.pool.query("SELECT payments FROM payment_days");
  expect(rows).toEqual([{ payments: 20 }, { payments: 20 }]);
  await db.pool.query("DELETE FROM payment_days");
});

it("counts the payments of an older installation, and dates their failures", async () => {
  const { config } = await testDatabase();
  const older = { ...inject("testServer").connection, database: `older_counts_${process.pid}` };
  const admin = new pg.Client(config);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${older.database} TEMPLATE template0`);
  await admin.end();
  const known = await listKnownMigrations();
  await migrate(
    older,
    known.filter((name) => name < "0033"),
  );
  const client = new pg.Client(older);
  await client.connect();
  const id = randomUUID();
  await client.query(
    `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
     VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', '{}', now())`,
    [id],
  );
  for (const type of ["TRANSFER", "WITHDRAWAL"]) {
    const batchId = randomUUID();
    await client.query(
      `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name)
       VALUES ($1, $2, 'Folha', $3, 'RECEIVED', now(), 'Ana')`,
      [id, batchId, type],
    );
    await client.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, created_at, bank_ispb,
         status_description, sent_at, transfer_date, returned_date)
       SELECT $1, gen_random_uuid(), $2, 1, status, 1, method, '2026-01-01', bank, reason, '2026-03-01T02:59:59Z', arrived, back
       FROM (VALUES
         -- A bank typed beside a key counts for nothing.
         ('FINISHED', 'PIX', '60701190', NULL, timestamptz '2026-03-01T03:00:00Z', NULL::timestamptz),
         ('FINISHED', 'TED', '60701190', NULL, '2026-03-01T15:00:00Z', NULL),
         ('FINISHED', 'TED', '60701190', NULL, '2026-03-01T16:00:00Z', NULL),
         ('RETURNED', 'TED', '60701190', 'Conta encerrada', '2026-03-01T16:00:00Z', '2026-03-03T16:00:00Z'),
         ('FAILED', 'PIX', NULL, 'Chave não encontrada', NULL, NULL),
         ('RECEIVED', 'TED', NULL, NULL, NULL, NULL)) made (status, method, bank, reason, arrived, back)`,
      [id, batchId],
    );
  }
  await migrate(older);
  const { rows } = await client.query(
    "SELECT to_char(day, 'YYYY-MM-DD') AS day, status, bank_ispb, reason, payments FROM payment_days ORDER BY 1, 2, 3",
  );
  expect(rows.map((row) => Object.values(row).join("|"))).toEqual([
    "2026-02-28|FAILED||Chave não encontrada|1",
    "2026-03-01|FINISHED|||1",
    "2026-03-01|FINISHED|60701190||2",
    "2026-03-03|RETURNED|60701190|Conta encerrada|1",
  ]);
  await client.end();
  const db = openDatabase(older);
  expect((await checkBooks(db)).map((fault) => fault.rule)).not.toContain(rule);
  await db.close();
});

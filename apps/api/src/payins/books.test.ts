/** Faults of payins that the books check reports, and the payins that the migration creates for earlier Pix. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { checkBooks, checkRecentBooks } from "../ledger/check-books.ts";
import { knownPostingRule } from "../ledger/known-postings.ts";
import { listKnownMigrations, migrate } from "../platform/db/migrate.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { auroraId, horizonteId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { blockPayin, createCharge, findPayinByEndToEndId, returnPayin } from "./index.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
  // These are the demonstration's payins; each fault changes one row.
  await kit.services.db.pool.query("DELETE FROM card_receivables");
  await kit.services.db.pool.query("DELETE FROM payins");
  const now = kit.clock.now();
  const [returned, blocked] = [await kit.deposit(100_00), await kit.deposit(50_00)];
  await kit.services.db.withCompany(auroraId, async (tx) => {
    const payin = await findPayinByEndToEndId(tx, returned);
    await returnPayin(tx, { payinId: payin?.id ?? "", refundId: uuidv7(), amount: 40_00, now });
    const other = await findPayinByEndToEndId(tx, blocked);
    if (other) await blockPayin(tx, other, "MED", now);
  });
  const card = { number: goodCard, holder: "M", expiry: { month: 12, year: 2031 }, securityCode: "123" };
  await createCharge(kit.services, auroraId, {
    id: uuidv7(),
    paymentLinkId: null,
    amount: 90_00,
    payer: { name: "Bruno Sales", taxId: "11222333000181" },
    description: null,
    method: { kind: "credit_card", installments: 2, card },
  });
  await kit.pass({ days: 31 });
});
afterAll(() => kit.close());

const query = (text: string) => kit.services.db.pool.query(text);
const recent = () => kit.services.db.withSystem((tx) => checkRecentBooks(tx, 0));

const later = "seen each hour";
const faults: [rule: string, harm: string, undo: string, when?: string][] = [
  [
    "each received payment is posted once, to the centavo",
    "UPDATE payins SET received_amount = received_amount + 1 WHERE status = 'blocked'",
    "UPDATE payins SET received_amount = received_amount - 1 WHERE status = 'blocked'",
  ],
  [
    "each received payment is posted once, to the centavo",
    "UPDATE payins SET received_amount = received_amount + 1 WHERE payment_type = 'credit_card'",
    "UPDATE payins SET received_amount = received_amount - 1 WHERE payment_type = 'credit_card'",
  ],
  [
    knownPostingRule,
    "UPDATE payins SET posting_cause = 'pix:Eother' WHERE status = 'blocked'",
    "UPDATE payins SET posting_cause = 'pix:' || end_to_end_id WHERE status = 'blocked'",
  ],
  [
    "the accounts of incoming money equal the payins less their refunds",
    "UPDATE payins SET received_amount = received_amount + 1 WHERE status = 'blocked'",
    "UPDATE payins SET received_amount = received_amount - 1 WHERE status = 'blocked'",
    later,
  ],
  [
    "the accounts of incoming money equal the payins less their refunds",
    "UPDATE payins SET refunded_amount = refunded_amount - 1 WHERE status = 'partially_refunded'",
    "UPDATE payins SET refunded_amount = refunded_amount + 1 WHERE status = 'partially_refunded'",
    later,
  ],
  [
    "the fees equal those of the receivables that arrived",
    "UPDATE card_receivables SET net_amount = net_amount - 1 WHERE installment = 1",
    "UPDATE card_receivables SET net_amount = net_amount + 1 WHERE installment = 1",
    later,
  ],
  [
    "a payment is received once in the installation",
    `UPDATE received_payments SET company_id = '${horizonteId}' WHERE cause = (SELECT posting_cause FROM payins WHERE status = 'blocked')`,
    `UPDATE received_payments SET company_id = '${auroraId}' WHERE cause = (SELECT posting_cause FROM payins WHERE status = 'blocked')`,
  ],
  [
    "a payin's refunded amount equals its refunds",
    "UPDATE payins SET refunded_amount = refunded_amount - 1 WHERE status = 'partially_refunded'",
    "UPDATE payins SET refunded_amount = refunded_amount + 1 WHERE status = 'partially_refunded'",
  ],
  [
    "each refund is posted once, and reversed when it failed",
    "UPDATE payin_refunds SET status = 'failed', error = 'x'",
    "UPDATE payin_refunds SET status = 'succeeded', error = NULL",
  ],
  [
    "the account card_in equals the receivables that arrived",
    "UPDATE card_receivables SET status = 'scheduled', receive_date = NULL WHERE installment = 1",
    "UPDATE card_receivables SET status = 'received', receive_date = expected_receive_date WHERE installment = 1",
    later,
  ],
  [
    "a card sale's receivables add up to its amount",
    "UPDATE card_receivables SET gross_amount = gross_amount + 1 WHERE installment = 2",
    "UPDATE card_receivables SET gross_amount = gross_amount - 1 WHERE installment = 2",
    later,
  ],
  [
    "the account blocked equals the blocked amounts of payins",
    "UPDATE payins SET block_amount = block_amount + 1 WHERE status = 'blocked'",
    "UPDATE payins SET block_amount = block_amount - 1 WHERE status = 'blocked'",
    later,
  ],
];

it.each(faults)("reports %s (%s)", async (rule, harm, undo, when) => {
  expect(await recent()).toEqual([]);
  expect((await query(harm)).rowCount).toBe(1);
  expect((await checkBooks(kit.services.db)).map((fault) => fault.rule)).toContain(rule);
  if (when !== later) expect((await recent()).map((fault) => fault.rule)).toContain(rule);
  await query(undo);
});

it("refuses to refund more than was received, in every statement", async () => {
  const harm = "UPDATE payins SET refunded_amount = received_amount + 1 WHERE status = 'partially_refunded'";
  await expect(query(harm)).rejects.toThrow("payins_never_give_back_more");
});

it("makes a payin of each Pix from before payins existed", async () => {
  const { config } = await testDatabase();
  const older = { ...inject("testServer").connection, database: `older_payins_${process.pid}` };
  const admin = new pg.Client(config);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${older.database} TEMPLATE template0`);
  await admin.end();
  await migrate(
    older,
    (await listKnownMigrations()).filter((name) => name < "0045"),
  );
  const client = new pg.Client(older);
  await client.connect();
  const id = randomUUID();
  await client.query(
    `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
     VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', '{}', now())`,
    [id],
  );
  await client.query("BEGIN; SET LOCAL ROLE malote_app");
  await client.query(`SET LOCAL app.company_id = '${id}'`);
  await client.query("SELECT open_ledger($1)", [id]);
  await client.query(
    `SELECT post_movements($1, '2026-03-01T12:00:00Z', ARRAY[
       ROW(gen_random_uuid(), 'DEPOSIT', 'pix:E123', 'pix_in', 'available', 500, 'Pix', '{"payer":{"name":"Ana","document":"1"}}')::movement,
       ROW(gen_random_uuid(), 'PAYMENT', 'close:1', 'available', 'reserved', 100, 'Lote', '{}')::movement])`,
    [id],
  );
  await client.query("COMMIT");
  await migrate(older);
  const { rows } = await client.query(
    `SELECT status, payment_type, amount, received_amount, payer_name, payer_tax_id, end_to_end_id, posting_cause,
       created_at, refund_expires_at FROM payins`,
  );
  expect(rows).toEqual([
    {
      status: "received",
      payment_type: "pix_key",
      amount: 500,
      received_amount: 500,
      payer_name: "Ana",
      payer_tax_id: "1",
      end_to_end_id: "E123",
      posting_cause: "pix:E123",
      created_at: new Date("2026-03-01T12:00:00Z"),
      refund_expires_at: new Date("2026-05-30T12:00:00Z"),
    },
  ]);
  const accounts = await client.query("SELECT count(*)::int AS count FROM ledger_accounts");
  expect(accounts.rows).toEqual([{ count: 9 }]);
  await client.end();
});

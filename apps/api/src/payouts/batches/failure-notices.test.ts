/** The makers and the closer of a batch get one e-mail about payments that fail together. */
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { refundTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { databaseBefore } from "../../testing/migration-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const badKey = (value: number, name: string) =>
  pix(value, {
    destination_bank_account: { name, pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
  });
const notices = () => kit.mails.filter(({ subject }) => /falhou|falharam/.test(subject));

/** An operator made the batch, an admin approved it, and the network refused all but one of its payments. */
async function failed(payments = [badKey(10_00, "Ana Lima"), badKey(20_00, "Bento Cruz"), pix(5_00)]) {
  await kit.deposit(100_00);
  const { id, revision } = await draft(kit.operator, payments, "Fornecedores");
  await kit.operator.call(sendBatchToApproval, { params: { id }, body: { revision } });
  expect((await closing(kit.admin, id, undefined, { revision })).status).toBe(200);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
  return id;
}

it("writes one e-mail to each a minute after the first failure, with names, values and reasons", async () => {
  const id = await failed();
  expect(await batch(kit.admin, id)).toMatchObject({ failed_count: 2 });
  await kit.pass({ seconds: 57 });
  expect(notices()).toEqual([]);
  await kit.pass({ seconds: 3 });
  expect(notices().map(({ to, subject }) => [to, subject])).toEqual([
    ["rui@aurora.example", "2 pagamentos falharam no lote Fornecedores"],
    ["helena@aurora.example", "2 pagamentos falharam no lote Fornecedores"],
  ]);
  const { text = "" } = notices()[0] ?? {};
  expect(text).toMatch(/Bento Cruz: R\$ 20,00 · .+\nAna Lima: R\$ 10,00 · .+/);
  expect(text).toContain(`/pagamentos/lotes?lote=${id}`);
  await kit.pass({ hours: 1 });
  expect(notices()).toHaveLength(2);
});

it("writes to every approver, not only to the one whose approval closed the batch", async () => {
  const { pool } = kit.services.db;
  const id = await failed([badKey(10_00, "Ana Lima"), pix(5_00)]);
  const { rows } = await pool.query("SELECT id, name FROM users WHERE email = 'ana@aurora.example'");
  // One of two required approvals is given.
  await pool.query(
    `INSERT INTO approvals (company_id, id, batch_id, revision, digest, user_id, user_name, with_factor, approved_at)
     VALUES ($1, gen_random_uuid(), $2, 1, 'x', $3, $4, false, $5)`,
    [auroraId, id, rows[0].id, rows[0].name, kit.clock.now()],
  );
  await kit.pass({ minutes: 2 });
  expect(notices().map(({ to }) => to)).toEqual([
    "rui@aurora.example",
    "helena@aurora.example",
    "ana@aurora.example",
  ]);
});

it("writes nothing if all were returned within the minute, nor about a batch of others", async () => {
  const id = await failed([badKey(10_00, "Ana Lima")]);
  const [{ id: tid }] = (await batch(kit.admin, id)).transfers;
  const key = { "idempotency-key": "give-back" };
  expect((await kit.admin.call(refundTransfer, { params: { id, tid } }, key)).status).toBe(200);
  await kit.pass({ minutes: 2 });
  expect(notices()).toEqual([]);
});

it("does not write to a person who left the company, and names at most ten payments", async () => {
  await kit.services.db.pool.query(
    "UPDATE users SET removed_at = now() WHERE company_id = $1 AND email = $2",
    [auroraId, "rui@aurora.example"],
  );
  await kit.deposit(100_00);
  const many = Array.from({ length: 12 }, (_, at) => badKey(1_00 + at, `Pessoa ${at + 1}`));
  const { id } = await draft(kit.admin, many, "Muitos");
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  await kit.pass({ minutes: 1, seconds: 5 });
  expect(notices().map(({ to, subject }) => [to, subject])).toEqual([
    ["helena@aurora.example", "12 pagamentos falharam no lote Muitos"],
  ]);
  expect(notices()[0]?.text).toContain("Outros: mais 2 no lote");
});

it("0120 keeps the due e-mails of batches from before the upgrade", async () => {
  const old = await databaseBefore("0120");
  try {
    const company = await old.company();
    const batchDue = (name: string, due: string) =>
      old.query(
        `INSERT INTO batches (company_id, id, name, type, status, created_by_name, created_at, failure_notice_at)
         VALUES ('${company}', uuidv7(), '${name}', 'TRANSFER', 'DRAFT', 'Helena', '2026-08-12T12:00:00Z', ${due})`,
      );
    await batchDue("Folha", "'2026-08-12T13:01:00Z'");
    await batchDue("Paga", "NULL");
    await old.upTo();
    expect(
      await old.query(
        "SELECT b.name, n.due_at FROM failure_notices n JOIN batches b ON b.company_id = n.company_id AND b.id = n.batch_id",
      ),
    ).toEqual([{ name: "Folha", due_at: new Date("2026-08-12T13:01:00Z") }]);
  } finally {
    await old.close();
  }
});

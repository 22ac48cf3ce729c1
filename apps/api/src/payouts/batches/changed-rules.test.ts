/**
 * Data that was valid when it was typed may be invalid when it is paid: a blocked document, a lower limit, a manual
 * change.
 */
import { randomUUID } from "node:crypto";
import { listIssueGroups } from "@malote/contracts/batch-issues";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { createCredential } from "@malote/contracts/developer";
import { readPaymentHistory } from "@malote/contracts/history";
import { importSheet, readSheet } from "@malote/contracts/import";
import { authorize } from "@malote/contracts/session";
import { addTransfer, listTransfers, refundTransfer, type Transfer } from "@malote/contracts/transfers";
import { cents } from "@malote/domain/money";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changeSettings, readCompany } from "../../company/store.ts";
import {
  csvOf,
  multipart,
  multipartType,
  pixHeadings,
  pixRow,
  uploadPath,
} from "../../testing/import-kit.ts";
import { blockDocument, setCompany } from "../../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const cpf = "52998224725";
const toCpf = (value: number) =>
  pix(value, { destination_bank_account: { pix_key_type: "CPF", pix_key: cpf } });
const block = () => blockDocument(kit.services, cpf);
const limitPix = (PIX: number) =>
  kit.services.db.withCompany(auroraId, async (tx) => {
    const { settings } = await readCompany(tx);
    await changeSettings(tx, { accountLimits: { ...settings.accountLimits, PIX: cents(PIX) } });
  });
const wrongRows = async (id: string) =>
  (await kit.admin.call(listTransfers, { params: { id }, query: { status: "WITH_ERRORS" } })).body.data;

it("TRF-030 does not pay a document that was blocked after it was typed, and shows why on its row", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [toCpf(10_00), pix(5_00)]);
  await block();
  const answer = await closing(kit.admin, id);
  expect(answer.body).toMatchObject({ code: "batch_has_errors", data: { count: 1 } });
  expect(await wrongRows(id)).toMatchObject([{ errors: [{ code: "tax_id_blocked", field: "pix_key" }] }]);
  expect(await fetchBalance(kit.admin)).toBe(100_00);
});

const holdsKey = (key: string) =>
  kit.services.db.pool.query(
    `INSERT INTO key_lookups (company_id, pix_key, key_type, outcome, holder_name, holder_tax_id, asked_by_name, asked_at)
     VALUES ($1, $2, 'EMAIL', 'found', 'João Bloqueado', $3, 'Helena Prado', $4)
     ON CONFLICT (company_id, pix_key) DO UPDATE SET outcome = 'found', holder_name = 'João Bloqueado', holder_tax_id = $3`,
    [auroraId, key, cpf, kit.clock.now()],
  );

it("TRF-030 does not pay a key without a document if the directory named a blocked document as its holder", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [pix(10_00)]);
  await holdsKey("maria@exemplo.com.br");
  await block();
  expect((await closing(kit.admin, id)).body).toMatchObject({ code: "batch_has_errors", data: { count: 1 } });
  expect(await wrongRows(id)).toMatchObject([{ errors: [{ code: "tax_id_blocked", field: "pix_key" }] }]);
  const { body } = await kit.admin.call(listIssueGroups, { params: { id } });
  expect(body).toMatchObject({ rows_count: 1, data: [{ issue: { code: "tax_id_blocked" }, count: 1 }] });
  expect(await fetchBalance(kit.admin)).toBe(100_00);
});

it("TRF-030 fails a scheduled payment on its day if its document or key was blocked since, and permits the return of its money", async () => {
  const later = { payment_date: "2026-08-13" };
  const key = "joao@exemplo.com.br";
  const byKey = { destination_bank_account: { pix_key_type: "EMAIL", pix_key: key } } as const;
  const id = await paidFor(
    kit,
    [toCpf(10_00), pix(20_00, byKey), ted(30_00, {}, cpf), pix(40_00)].map((one) => ({ ...one, ...later })),
    100_00,
  );
  await kit.drainJobs();
  await holdsKey(key);
  await block();
  await kit.pass({ days: 1 });
  await kit.pass({ minutes: 1 });
  const { transfers } = await batch(kit.admin, id);
  expect(transfers.map(({ status, status_description }: Transfer) => [status, status_description])).toEqual([
    ["FAILED", "CPF ou CNPJ bloqueado"],
    ["FAILED", "CPF ou CNPJ bloqueado"],
    ["FAILED", "CPF ou CNPJ bloqueado"],
    ["FINISHED", null],
  ]);
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ count: number }>`SELECT count(*)::int AS count FROM sandbox.orders`.execute(tx),
  );
  expect(rows).toEqual([{ count: 1 }]);
  const [{ id: tid }] = transfers;
  const history = (await kit.admin.call(readPaymentHistory, { params: { id: tid }, query: { page: "0" } }))
    .body;
  expect(history.items[0]).toMatchObject({ what: "payment.failed", actor: { kind: "system" } });
  expect(history.items.map(({ what }: { what: string }) => what)).not.toContain("payment.sent");
  for (const failed of transfers.slice(0, 3))
    await kit.admin.call(
      refundTransfer,
      { params: { id, tid: failed.id } },
      { "idempotency-key": randomUUID() },
    );
  expect(await fetchBalance(kit.admin)).toBe(60_00);
});

it("TRF-037 applies a lowered limit at closing to a payment that was typed before", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [pix(10_00), pix(9_99)]);
  await limitPix(9_99);
  expect((await closing(kit.admin, id)).body).toMatchObject({ code: "batch_has_errors", data: { count: 1 } });
  expect(await wrongRows(id)).toMatchObject([{ value: 10_00, errors: [{ code: "value_above_max" }] }]);
});

it("makes a waiting batch that may no longer be paid a draft, and releases the next in the queue", async () => {
  const blocked = await draft(kit.admin, [toCpf(10_00)]);
  const next = await draft(kit.admin, [pix(20_00)]);
  for (const { id } of [blocked, next]) {
    await closing(kit.admin, id);
    await kit.pass({ seconds: 1 });
  }
  await block();
  await kit.deposit(25_00);
  expect(await batch(kit.admin, blocked.id)).toMatchObject({
    status: "DRAFT",
    sent_back_by: "system",
    reprove_reason: expect.stringContaining("bloqueado"),
  });
  // One person creates and closes it, and gets one e-mail.
  const written = kit.mails.filter(({ subject }) => subject.includes("voltou a ser rascunho"));
  expect(written.map(({ to }) => to)).toEqual(["helena@aurora.example"]);
  expect(written[0]?.text).toContain("nenhum valor saiu da conta");
  expect(written[0]?.text).toContain("um recebedor foi bloqueado");
  expect((await batch(kit.admin, next.id)).status).not.toBe("WAITING");
  expect(await fetchBalance(kit.admin)).toBe(5_00);
});

it("TRF-030 does not pay a document that was blocked since, even if the payment's day passed during the wait", async () => {
  const { id } = await draft(kit.admin, [{ ...toCpf(10_00), payment_date: "2026-08-12" }]);
  await closing(kit.admin, id);
  await kit.pass({ days: 1 });
  await block();
  await kit.deposit(25_00);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "DRAFT" });
  expect(await fetchBalance(kit.admin)).toBe(25_00);
  // The blocked document is reported first: another day would not make the payment possible.
  expect((await closing(kit.admin, id)).body).toMatchObject({ code: "batch_has_errors", data: { count: 1 } });
});

it("requires a person who is neither an editor of the content nor its creator", async () => {
  await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));
  await kit.deposit(100_00);
  const { id } = await draft(kit.operator, [pix(10_00)]);
  await kit.admin.call(addTransfer, { params: { id }, body: pix(20_00) });
  expect((await closing(kit.admin, id)).body.code).toBe("approver_is_creator");
  expect((await batch(kit.admin, id)).status).toBe("DRAFT");
});

it("requires another person than the one behind the credential, as preparer and as approver", async () => {
  await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));
  await kit.deposit(100_00);
  const made = (await kit.admin.call(createCredential, { body: {} })).body;
  const { client_id, client_secret } = made;
  const { body } = await kit.call(authorize, {
    body: { grant_type: "client_credentials", client_id, client_secret },
  });
  const machine = { token: body.access_token, headers: { "idempotency-key": randomUUID() } };

  const byMachine = await kit.call(
    createBatch,
    { body: { name: "Folha", transfers: [pix(10_00)] } },
    machine,
  );
  expect((await closing(kit.admin, byMachine.body.id)).body.code).toBe("approver_is_creator");
  const sheet = await kit.send(
    "POST",
    uploadPath,
    multipart([{ name: "file", fileName: "folha.csv", content: csvOf([pixHeadings, pixRow()]) }]),
    { token: body.access_token, headers: multipartType },
  );
  await kit.call(importSheet, { body: { sheet_id: sheet.body.id } }, machine);
  await kit.drainJobs();
  const uploaded = (await kit.admin.call(readSheet, { params: { id: sheet.body.id } })).body.batch_id;
  expect((await closing(kit.admin, uploaded)).body.code).toBe("approver_is_creator");

  const byPerson = await draft(kit.admin, [pix(20_00)]);
  const params = { id: byPerson.id };
  // A credential does not count as a second approver either.
  expect((await kit.call(closeBatch, { params, body: {} }, machine)).body.code).toBe("approver_not_a_person");
  const byOther = await draft(kit.operator, [pix(30_00)]);
  expect((await kit.call(closeBatch, { params: { id: byOther.id }, body: {} }, machine)).body.code).toBe(
    "approver_not_a_person",
  );
});

it("sends nothing for a blocked company", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [pix(10_00)]);
  await setCompany(kit.services, auroraId, { blocked: true });
  expect(await closing(kit.admin, id)).toMatchObject({ status: 403, body: { code: "company_blocked" } });
});

it("TRF-044 refuses a day more than a year ahead, because a mistyped year would lock the money", async () => {
  const { id } = await draft(kit.admin, []);
  await kit.admin.call(addTransfer, { params: { id }, body: pix(10_00, { payment_date: "2126-08-12" }) });
  expect(await wrongRows(id)).toMatchObject([
    { errors: [{ code: "payment_date_too_far", field: "payment_date" }] },
  ]);
});

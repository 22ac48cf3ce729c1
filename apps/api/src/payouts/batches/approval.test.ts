/** Two-person approval: sent, approved, rejected, and never approved with content other than the sent one. */
import { randomUUID } from "node:crypto";
import { deleteBatch, enableBatchEdit, rejectBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { renameBatch } from "@malote/contracts/batches";
import { addTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { Person } from "../../testing/app.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const fetchStatus = async (id: string) => (await batch(kit.admin, id)).status;
const send = (by: Person, id: string, body: object = {}) =>
  by.call(sendBatchToApproval, { params: { id }, body });
/** Approves as the screen does, with the revision that it showed. */
const approve = async (id: string) => {
  const { revision } = await batch(kit.admin, id);
  return closing(kit.admin, id, randomUUID(), { revision });
};
const reject = (by: Person, id: string, reason?: string) =>
  by.call(rejectBatch, { params: { id }, body: reason === undefined ? {} : { reason } });
const remove = (by: Person, id: string) => by.call(deleteBatch, { params: { id } });
/** Writes into the database as an attacker who bypasses the product. */
const tamper = (change: string, id: string) =>
  kit.services.db.pool.query(`UPDATE transfers SET ${change} WHERE batch_id = $1`, [id]);

it("BAT-061 sends to approval, once, only a batch that could be closed, by people who may prepare it", async () => {
  const { id, revision } = await draft(kit.operator);
  expect((await kit.call(sendBatchToApproval, { params: { id }, body: {} })).status).toBe(401);
  expect((await send(kit.analyst, id)).status).toBe(403);
  expect((await send(kit.stranger, id)).body.code).toBe("not_found");
  expect((await send(kit.operator, id, { revision: revision + 1 })).body.code).toBe("batch_changed");
  expect((await send(kit.operator, (await draft(kit.operator, [])).id)).body.code).toBe("batch_empty");
  expect((await send(kit.operator, id, { revision })).body.status).toBe("WAITING_APPROVAL");
  expect((await send(kit.operator, id)).body.code).toBe("batch_not_draft");
  const change = await kit.operator.call(addTransfer, { params: { id }, body: pix(1_00) });
  expect(change.body.code).toBe("batch_not_draft");
  expect((await remove(kit.operator, id)).body.code).toBe("batch_not_removable");
  // All admins except the sender are notified once.
  await kit.drainJobs();
  expect(kit.mails.map((mail) => [mail.to, mail.subject])).toEqual([
    ["helena@aurora.example", expect.stringContaining("aguarda sua aprovação")],
  ]);
  expect(kit.mails[0]?.text).toContain("Rui Tavares");
});

it("BAT-064 approving closes; without the money the batch waits", async () => {
  await kit.deposit(100_00);
  const [paid, waits] = [await draft(kit.operator), await draft(kit.operator)];
  for (const { id } of [paid, waits]) await send(kit.operator, id);
  expect((await approve(paid.id)).body).toEqual({ is_batch_paid: true, status: "PENDING" });
  expect((await approve(waits.id)).body).toEqual({ is_batch_paid: false, status: "WAITING" });
  await kit.drainJobs();
  const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
    sql`SELECT actor_name, action FROM audit_entries WHERE action LIKE 'batch_approved' ORDER BY id`.execute(
      tx,
    ),
  );
  expect(rows).toEqual(Array(2).fill({ actor_name: "Helena Prado", action: "batch_approved" }));
});

it("e-mails the approval to the maker of the batch, unless the maker approved it", async () => {
  await kit.deposit(1_000_00);
  const { id } = await draft(kit.operator);
  await send(kit.operator, id);
  await kit.drainJobs();
  kit.mails.splice(0);
  expect((await approve(id)).status).toBe(200);
  await kit.drainJobs();
  expect(kit.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["rui@aurora.example", expect.stringMatching(/^O lote .+ foi aprovado$/)],
  ]);
  expect(kit.mails[0]?.text).toContain("Helena Prado aprovou o lote.");
  kit.mails.splice(0);
  const own = await draft(kit.admin);
  await send(kit.admin, own.id);
  expect((await approve(own.id)).status).toBe(200);
  await kit.drainJobs();
  expect(kit.mails.filter(({ subject }) => subject.endsWith("foi aprovado"))).toEqual([]);
});

it.each([
  ["the value", "value = 20000"],
  ["two values that sum to the same", "value = CASE position WHEN 1 THEN 9000 ELSE 11000 END"],
  ["the key", "pix_key = 'ladrao@exemplo.com.br'"],
  ["the day", "payment_date = '2026-12-01'"],
  ["a field into its empty neighbour", "name = NULL, tax_id = name"],
])("BAT-064 binds an approval to the content: %s", async (_what, change) => {
  await kit.deposit(1_000_00);
  const { id } = await draft(kit.operator, [pix(100_00), pix(100_00)]);
  await send(kit.operator, id);
  const { rows } = await kit.services.db.pool.query(
    "SELECT * FROM transfers WHERE batch_id = $1 ORDER BY id",
    [id],
  );
  await tamper(change, id);
  expect((await approve(id)).body.code).toBe("approval_content_changed");
  expect([await fetchStatus(id), await fetchBalance(kit.admin)]).toEqual(["WAITING_APPROVAL", 1_000_00]);
  // Once the content is restored, the sent revision may be approved.
  for (const row of rows) {
    await kit.services.db.pool.query(
      "UPDATE transfers SET value = $2, pix_key = $3, payment_date = $4, name = $5, tax_id = $6 WHERE id = $1",
      [row.id, row.value, row.pix_key, row.payment_date, row.name, row.tax_id],
    );
  }
  expect((await approve(id)).status).toBe(200);
});

it("BAT-064 binds an approval to the revision", async () => {
  const { id } = await draft(kit.operator);
  await send(kit.operator, id);
  await kit.services.db.pool.query("UPDATE batches SET revision = revision + 1 WHERE id = $1", [id]);
  expect((await approve(id)).body.code).toBe("approval_content_changed");
});

it("ruling D21: requires an approval to name the revision that was seen, also by API", async () => {
  await kit.deposit(1_000_00);
  const { id, revision } = await draft(kit.operator);
  await send(kit.operator, id);
  expect(await closing(kit.admin, id)).toMatchObject({ status: 422, body: { code: "revision_missing" } });
  expect((await closing(kit.admin, id, randomUUID(), { revision: revision + 1 })).body.code).toBe(
    "batch_changed",
  );
  expect([await fetchStatus(id), await fetchBalance(kit.admin)]).toEqual(["WAITING_APPROVAL", 1_000_00]);
  expect((await closing(kit.admin, id, randomUUID(), { revision })).body.is_batch_paid).toBe(true);
});

it("BAT-065 makes a rejected batch a draft again, e-mails the reason to its creator, and permits to send it again", async () => {
  const { id } = await draft(kit.operator, [pix(1_00)], "Folha");
  // A person who adds a payment later did not create the batch.
  await kit.admin.call(addTransfer, { params: { id }, body: pix(2_00) });
  expect((await reject(kit.admin, id)).body.code).toBe("batch_not_waiting_approval");
  await send(kit.operator, id);
  await kit.drainJobs();
  kit.mails.splice(0);
  expect((await reject(kit.operator, id)).status).toBe(403);
  expect((await reject(kit.stranger, id)).body.code).toBe("not_found");
  expect((await reject(kit.admin, id, "x".repeat(256))).body.code).toBe("invalid_request");
  const reason = `Valor <b>errado</b> ${"x".repeat(255 - 20)}`.slice(0, 255);
  expect((await reject(kit.admin, id, reason)).body).toMatchObject({
    status: "DRAFT",
    reprove_reason: reason,
  });
  expect((await reject(kit.admin, id)).body.code).toBe("batch_not_waiting_approval");
  await kit.drainJobs();
  expect(kit.mails.map((mail) => mail.to)).toEqual(["rui@aurora.example"]);
  expect(kit.mails[0]?.text).toContain("Helena Prado");
  expect(kit.mails[0]?.text).toContain("Valor <b>errado</b>");
  expect(kit.mails[0]?.html).not.toContain("<b>errado</b>");
  expect((await send(kit.operator, id)).body).toMatchObject({
    status: "WAITING_APPROVAL",
    reprove_reason: null,
  });
});

it("BAT-024 BAT-067 keeps its name while it awaits approval, and is a draft again for an admin who edits it", async () => {
  const { id } = await draft(kit.operator, [pix(1_00)], "Folha");
  await send(kit.operator, id);
  const rename = (name: string) => kit.admin.call(renameBatch, { params: { id }, body: { name } });
  expect(await rename("Outra folha")).toMatchObject({ status: 409, body: { code: "batch_keeps_name" } });
  const edit = (by: Person) => by.call(enableBatchEdit, { params: { id } });
  expect((await edit(kit.operator)).status).toBe(403);
  expect((await edit(kit.admin)).body).toMatchObject({
    status: "DRAFT",
    name: "Folha",
    reprove_reason: null,
  });
  expect((await rename("Outra folha")).body.name).toBe("Outra folha");
  await kit.deposit(1_00);
  expect((await closing(kit.admin, id)).body.status).toBe("PENDING");
  // The name is fixed while the batch closes; afterwards it is only a label.
  expect((await rename("Terceira")).body.code).toBe("batch_keeps_name");
  await kit.drainJobs();
  expect((await rename("Terceira")).body.name).toBe("Terceira");
  const waits = await draft(kit.admin, [pix(2_00)]);
  expect((await closing(kit.admin, waits.id)).body.status).toBe("WAITING");
  const renamed = await kit.admin.call(renameBatch, { params: { id: waits.id }, body: { name: "Quarta" } });
  expect(renamed.body).toMatchObject({ status: "WAITING", name: "Quarta" });
});

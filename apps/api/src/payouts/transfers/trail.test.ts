/** Entries of the audit trail about the payments of a draft. */
import { renameBatch } from "@malote/contracts/batches";
import { addTransfer, changeTransfer, removeTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auroraId, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const entries = async (subjectId: string) => {
  const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
    sql<{ action: string; actor_name: string; detail: object }>`
      SELECT action, actor_name, detail FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id
    `.execute(tx),
  );
  return rows;
};

it("S10 writes one entry for each payment that a person adds, changes or removes, and none for a refused change", async () => {
  const { id } = await draft(kit.admin, []);
  const added = await kit.operator.call(addTransfer, { params: { id }, body: pix(10_00) });
  const params = { id, tid: added.body.id };
  expect((await kit.operator.call(changeTransfer, { params, body: { value: 1 } })).status).toBe(400);
  await kit.operator.call(changeTransfer, { params, body: pix(12_00) });
  await kit.admin.call(removeTransfer, { params });
  expect((await kit.admin.call(removeTransfer, { params })).status).toBe(404);
  expect(await entries(params.tid)).toEqual([
    { action: "transfer_added", actor_name: "Rui Tavares", detail: { batch: id, value: 10_00 } },
    {
      action: "transfer_changed",
      actor_name: "Rui Tavares",
      detail: { batch: id, changes: { value: { from: 10_00, to: 12_00 } } },
    },
    { action: "transfer_removed", actor_name: "Helena Prado", detail: { batch: id, value: 12_00 } },
  ]);
});

it("refuses half a character in a name, and writes nothing", async () => {
  const { id } = await draft(kit.admin, [], "Lote");
  const answer = await kit.admin.call(renameBatch, { params: { id }, body: { name: "meio \ud83d" } });
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
  expect((await entries(id)).filter(({ action }) => action === "batch_renamed")).toEqual([]);
});

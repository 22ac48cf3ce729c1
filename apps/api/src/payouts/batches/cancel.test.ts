import { randomUUID } from "node:crypto";
import {
  cancelScheduledBatch,
  deleteBatch,
  readReceiversToRemove,
  setBatchReconciled,
} from "@malote/contracts/batch-life";
import { createReceiver, listReceivers, readReceiver } from "@malote/contracts/receivers";
import { listTransfers } from "@malote/contracts/transfers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendDuePayments } from "../../payments/index.ts";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf } from "../../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const cancel = (by: Person, id: string, key: string = randomUUID()) =>
  by.call(cancelScheduledBatch, { params: { id } }, { "idempotency-key": key });
const refused = { status: 409, body: { code: "batch_not_cancellable" } };
const inDays = (days: number) =>
  new Date(kit.services.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const scheduled = async () => {
  const id = await paidFor(kit, [
    pix(10_00, { payment_date: inDays(3) }),
    pix(20_00, { payment_date: inDays(4) }),
  ]);
  await kit.drainJobs();
  return id;
};

describe("cancelling a scheduled batch", () => {
  it("BAT-073 refuses people without the permission, another company, and batches with payments that are not scheduled", async () => {
    const id = await scheduled();
    expect((await kit.call(cancelScheduledBatch, { params: { id } })).status).toBe(401);
    expect((await cancel(kit.analyst, id)).status).toBe(403);
    expect((await cancel(kit.stranger, id)).status).toBe(404);
    expect(await cancel(kit.admin, (await draft(kit.admin)).id)).toMatchObject(refused);
    const half = await paidFor(kit, [pix(10_00), pix(20_00, { payment_date: inDays(3) })]);
    await kit.drainJobs();
    expect(await cancel(kit.admin, half)).toMatchObject(refused);
    expect(await fetchStatuses(kit.admin, half)).toContain("SCHEDULED");
    const bills = await boletoDraft(kit.admin, [boletoOf(15_00, { payment_date: inDays(5) })]);
    await closing(kit.admin, bills.id);
    await kit.drainJobs();
    expect(await cancel(kit.admin, bills.id)).toMatchObject(refused);
  });

  it("BAT-041 reports whether all transfers are scheduled, and not for a batch without any", async () => {
    const areAllScheduled = async (id: string) =>
      (await kit.analyst.call(listTransfers, { params: { id } })).body.is_all_transfers_scheduled;
    const id = await scheduled();
    expect(await areAllScheduled(id)).toBe(true);
    const half = await paidFor(kit, [pix(10_00), pix(20_00, { payment_date: inDays(3) })]);
    await kit.drainJobs();
    expect(await areAllScheduled(half)).toBe(false);
    expect(await areAllScheduled((await draft(kit.admin, [])).id)).toBe(false);
    await cancel(kit.admin, id);
    expect(await areAllScheduled(id)).toBe(false);
  });

  it("BAT-009 BAT-075 returns all of its money once as one entry, and never sends any of it", async () => {
    const id = await scheduled();
    const before = await fetchBalance(kit.admin);
    const key = randomUUID();
    const answer = await cancel(kit.operator, id, key);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "RETURNED", is_canceled: true, returned_count: 2 },
    });
    expect(await batch(kit.analyst, id)).toMatchObject({
      is_canceled: true,
      cancel_requested_at: kit.services.clock.now().toISOString(),
    });
    expect((await cancel(kit.operator, id, key)).body).toEqual(answer.body);
    expect(await cancel(kit.operator, id)).toMatchObject(refused);
    expect(await fetchBalance(kit.admin)).toBe(before + 30_00);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "REFUND",
      value: 30_00,
      complement: { batch_id: id },
    });
    await kit.drainJobs();
    await kit.pass({ days: 5 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["RETURNED", "RETURNED"]);
    expect(await fetchBalance(kit.admin)).toBe(before + 30_00);
    const { rows } = await kit.services.db.pool.query(
      "SELECT FROM transfers WHERE batch_id = $1 AND (sent_at IS NOT NULL OR end_to_end_id IS NOT NULL)",
      [id],
    );
    expect(rows).toEqual([]);
    const { rows: trail } = await kit.services.db.pool.query(
      "SELECT FROM audit_entries WHERE subject_id = $1 AND action = 'batch_cancelled'",
      [id],
    );
    expect(trail).toHaveLength(1);
  });

  it("BAT-075 lets exactly one of two concurrent calls win, and returns the money once", async () => {
    const id = await scheduled();
    const before = await fetchBalance(kit.admin);
    const answers = await Promise.all([cancel(kit.admin, id), cancel(kit.operator, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await fetchBalance(kit.admin)).toBe(before + 30_00);
  });

  it("BAT-075 cancels all of it or nothing if a worker sends it concurrently", async () => {
    const id = await paidFor(
      kit,
      Array.from({ length: 20 }, () => pix(1_00, { payment_date: inDays(1) })),
    );
    await kit.drainJobs();
    const before = await fetchBalance(kit.admin);
    // The day begins while the cancellation is running.
    const cancelling = cancel(kit.admin, id);
    kit.clock.advance({ days: 2 });
    const [answer] = await Promise.all([cancelling, sendDuePayments(kit.services, { companyId: auroraId })]);
    await kit.pass({ minutes: 5 });
    const statuses = new Set(await fetchStatuses(kit.admin, id));
    expect(statuses).toEqual(new Set([answer.status === 200 ? "RETURNED" : "FINISHED"]));
    expect(await fetchBalance(kit.admin)).toBe(answer.status === 200 ? before + 20_00 : before);
  });
});

describe("reconciling", () => {
  it("BAT-076 BAT-077 marks finished batches, for people with the permission", async () => {
    const id = await paidFor(kit, [pix(10_00)]);
    const set = (by: Person, reconciled: boolean) =>
      by.call(setBatchReconciled, { params: { id }, body: { reconciled } });
    await kit.drainJobs();
    expect(await set(kit.admin, true)).toMatchObject({ status: 409, body: { code: "batch_not_finished" } });
    await kit.pass({ minutes: 5 });
    expect((await set(kit.analyst, true)).status).toBe(403);
    expect((await set(kit.stranger, true)).status).toBe(404);
    for (const reconciled of [true, true, false]) {
      expect((await set(kit.operator, reconciled)).body).toMatchObject({ reconciled });
      expect((await batch(kit.admin, id)).reconciled).toBe(reconciled);
    }
    const { rows } = await kit.services.db.pool.query(
      "SELECT action FROM audit_entries WHERE subject_id = $1 AND action LIKE '%reconciled' ORDER BY at, id",
      [id],
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(["batch_reconciled", "batch_unreconciled"]),
    );
  });
});

describe("receivers of a deleted draft", () => {
  it("BAT-071 BAT-070 are deleted on request, and only those that it imported", async () => {
    const to = (name: string, key: string) => ({ name, pix_key_type: "EMAIL" as const, pix_key: key });
    await kit.admin.call(createReceiver, {
      body: { id: randomUUID(), ...to("Antes", "antes@exemplo.com.br") },
    });
    kit.clock.advance({ seconds: 1 });
    const { id } = await draft(kit.admin, [
      pix(1_00, { destination_bank_account: to("Antes", "antes@exemplo.com.br") }),
      pix(1_00, { destination_bank_account: to("Durante", "durante@exemplo.com.br") }),
    ]);
    const makeCall = async (by: Person) =>
      (await by.call(readReceiversToRemove, { params: { id } })).body.data;
    expect(await makeCall(kit.admin)).toBe(false);
    expect((await kit.stranger.call(readReceiversToRemove, { params: { id } })).status).toBe(404);
    await kit.admin.call(createReceiver, {
      body: { id: randomUUID(), ...to("Durante", "durante@exemplo.com.br") },
    });
    expect(await makeCall(kit.admin)).toBe(true);
    const query = { removeDestinationBankAccounts: "true" as const };
    expect((await kit.admin.call(deleteBatch, { params: { id }, query })).status).toBe(200);
    const { body } = await kit.admin.call(listReceivers, { query: { page: "0" } });
    const names = body.data.map(({ name }) => name);
    expect(names).toContain("Antes");
    expect(names).not.toContain("Durante");
  });

  it.each([undefined, { removeDestinationBankAccounts: "false" as const }])(
    "BAT-071 BAT-070 stay without the request: %o",
    async (query) => {
      const name = query ? "Fica" : "Fica também";
      const key = query ? "fica@exemplo.com.br" : "fica.tambem@exemplo.com.br";
      const to = { name, pix_key_type: "EMAIL" as const, pix_key: key };
      const { id } = await draft(kit.admin, [pix(1_00, { destination_bank_account: to })]);
      await kit.admin.call(createReceiver, { body: { id: randomUUID(), ...to } });
      expect((await kit.admin.call(readReceiversToRemove, { params: { id } })).body.data).toBe(true);
      expect((await kit.admin.call(deleteBatch, { params: { id }, ...(query && { query }) })).status).toBe(
        200,
      );
      const { body } = await kit.admin.call(listReceivers, { query: { page: "0" } });
      expect(body.data.map((one) => one.name)).toContain(name);
    },
  );

  it("BAT-071 BAT-070 are deleted with an account as with a key, and not those of other drafts", async () => {
    const payment = ted(1_00);
    const { id } = await draft(kit.admin, [payment]);
    const unsaved = { name: "Sem cadastro", pix_key_type: "EMAIL" as const, pix_key: "sem@exemplo.com.br" };
    const other = await draft(kit.admin, [pix(1_00, { destination_bank_account: unsaved })]);
    const saved = await kit.admin.call(createReceiver, {
      body: { id: randomUUID(), ...payment.destination_bank_account },
    });
    expect(saved.status).toBe(200);
    const isOffered = async (of: string) =>
      (await kit.admin.call(readReceiversToRemove, { params: { id: of } })).body.data;
    expect([await isOffered(id), await isOffered(other.id)]).toEqual([true, false]);
    const query = { removeDestinationBankAccounts: "true" as const };
    expect((await kit.admin.call(deleteBatch, { params: { id }, query })).status).toBe(200);
    expect((await kit.admin.call(readReceiver, { params: { id: saved.body.id } })).status).toBe(404);
  });

  it("BAT-071 stay if another batch has paid them since", async () => {
    const to = { name: "Já pago", pix_key_type: "EMAIL" as const, pix_key: "ja.pago@exemplo.com.br" };
    const { id } = await draft(kit.admin, [pix(1_00, { destination_bank_account: to })]);
    await kit.admin.call(createReceiver, { body: { id: randomUUID(), ...to } });
    const isOffered = async () => (await kit.admin.call(readReceiversToRemove, { params: { id } })).body.data;
    expect(await isOffered()).toBe(true);
    await paidFor(kit, [pix(2_00, { destination_bank_account: to })]);
    await kit.drainJobs();
    await kit.pass({ minutes: 5 });
    expect(await isOffered()).toBe(false);
    const query = { removeDestinationBankAccounts: "true" as const };
    expect((await kit.admin.call(deleteBatch, { params: { id }, query })).status).toBe(200);
    const { body } = await kit.admin.call(listReceivers, { query: { page: "0" } });
    expect(body.data.map((one) => one.name)).toContain("Já pago");
  });

  it("BAT-071 BAT-072 stay if their batch waits for its money, whatever is requested", async () => {
    const to = { name: "Espera", pix_key_type: "EMAIL" as const, pix_key: "espera@exemplo.com.br" };
    const value = (await fetchBalance(kit.admin)) + 1_00;
    const { id } = await draft(kit.admin, [pix(value, { destination_bank_account: to })]);
    await kit.admin.call(createReceiver, { body: { id: randomUUID(), ...to } });
    const isOffered = async () => (await kit.admin.call(readReceiversToRemove, { params: { id } })).body.data;
    expect(await isOffered()).toBe(true);
    expect((await closing(kit.admin, id)).body.status).toBe("WAITING");
    expect(await isOffered()).toBe(false);
    const query = { removeDestinationBankAccounts: "true" as const };
    expect((await kit.admin.call(deleteBatch, { params: { id }, query })).status).toBe(200);
    const { body } = await kit.admin.call(listReceivers, { query: { page: "0" } });
    expect(body.data.map((one) => one.name)).toContain("Espera");
  });
});

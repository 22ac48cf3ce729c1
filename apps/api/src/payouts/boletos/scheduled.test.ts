/** A scheduled boleto is cancelled until the day before has ended. */
import { randomUUID } from "node:crypto";
import { saveBatch } from "@malote/contracts/batches";
import { changeBoleto, removeBoleto } from "@malote/contracts/boletos";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, fetchBoletoStatuses, fetchBoletos } from "../../testing/boletos.ts";
import { paidBoletoCalls } from "../../testing/paid-boletos-kit.ts";
import {
  batch,
  closing,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

const { paid, settle } = paidBoletoCalls(() => kit);

const cancel = (by: Person, id: string, billetId: string, key: string = randomUUID()) =>
  by.call(removeBoleto, { params: { id, billetId } }, { "idempotency-key": key });

describe("BIL-028 BAT-062 a scheduled boleto", () => {
  const scheduled = async () => {
    const id = await paid([
      boletoOf(30_00, { payment_date: "2026-08-14" }),
      boletoOf(40_00, { payment_date: "2026-08-14" }),
    ]);
    await kit.drainJobs();
    const [boleto, other] = await fetchBoletos(kit.admin, id);
    expect(boleto).toMatchObject({ status: "SCHEDULED", scheduled_for: "2026-08-14", can_cancel: true });
    return { id, billetId: boleto?.id ?? "", otherId: other?.id ?? "" };
  };

  it("can be cancelled until the end of the day before, also by an operator, and its money is returned once", async () => {
    const { id, billetId } = await scheduled();
    expect((await kit.call(removeBoleto, { params: { id, billetId } })).status).toBe(401);
    expect((await cancel(kit.analyst, id, billetId)).status).toBe(403);
    expect((await cancel(kit.stranger, id, billetId)).body.code).toBe("not_found");
    await kit.passUntil("2026-08-14T02:59:59Z");
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(kit.operator, id, billetId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await fetchBalance(kit.admin)).toBe(960_00);
    const [boleto] = await fetchBoletos(kit.admin, id);
    expect(boleto).toMatchObject({
      status: "RETURNED",
      status_description: "Agendamento cancelado",
      can_cancel: false,
    });
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "REFUND",
      value: 30_00,
      description: "Devolução: Agendamento cancelado",
    });
    await kit.passUntil("2026-08-14T10:00:00Z");
    await settle();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["RETURNED", "PAID"]);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "FINISHED",
      paid_count: 1,
      returned_count: 1,
    });
  });

  it("is cancelled once, and a repeated request gets the same answer", async () => {
    const { id, billetId } = await scheduled();
    const bare = await kit.admin.call(removeBoleto, { params: { id, billetId } });
    expect(bare.body.code).toBe("not_acceptable_key");
    for (const _ of [1, 2])
      expect(await cancel(kit.operator, id, billetId, "one")).toMatchObject({
        status: 200,
        body: { ok: true },
      });
    expect((await cancel(kit.operator, id, billetId, "two")).body.code).toBe("billet_not_cancellable");
    expect(await fetchBalance(kit.admin)).toBe(960_00);
  });

  it("cannot be cancelled on its day, and cannot be changed", async () => {
    const { id, billetId } = await scheduled();
    const changed = await kit.admin.call(changeBoleto, {
      params: { id },
      body: { ...boletoOf(30_00), id: billetId },
    });
    expect(changed.body.code).toBe("transfer_not_editable");
    expect(
      (await kit.admin.call(saveBatch, { params: { id }, body: { name: "x", removed_ids: [billetId] } })).body
        .code,
    ).toBe("batch_not_draft");
    await kit.passUntil("2026-08-14T03:00:00Z");
    expect((await fetchBoletos(kit.admin, id))[0]?.can_cancel).toBe(false);
    expect((await cancel(kit.admin, id, billetId)).body.code).toBe("billet_not_cancellable");
  });

  it("on a day without settlement can be cancelled until the end of the day before its payment", async () => {
    // The date is a Saturday, so it is paid on Monday.
    const given = { payment_date: "2026-08-15" };
    const id = await paid([boletoOf(30_00, given), boletoOf(40_00, given)]);
    await kit.drainJobs();
    const [first, second] = await fetchBoletos(kit.admin, id);
    expect(first).toMatchObject({ status: "SCHEDULED", scheduled_for: "2026-08-17" });
    await kit.passUntil("2026-08-17T02:59:59Z");
    const canCancel = async () => (await fetchBoletos(kit.admin, id)).map(({ can_cancel }) => can_cancel);
    expect(await canCancel()).toEqual([true, true]);
    expect((await cancel(kit.operator, id, first?.id ?? "")).status).toBe(200);
    await kit.pass({ seconds: 1 });
    expect(await canCancel()).toEqual([false, false]);
    expect((await cancel(kit.operator, id, second?.id ?? "")).body.code).toBe("billet_not_cancellable");
    expect(await fetchBalance(kit.admin)).toBe(960_00);
  });

  it("returns the money of a whole batch, and releases the batch that waits for money", async () => {
    const { id, billetId, otherId } = await scheduled();
    const waiting = await boletoDraft(kit.admin, [boletoOf(990_00)]);
    expect((await closing(kit.admin, waiting.id)).body.is_batch_paid).toBe(false);
    await cancel(kit.admin, id, billetId);
    await kit.drainJobs();
    expect((await batch(kit.admin, waiting.id)).status).toBe("WAITING");
    await cancel(kit.admin, id, otherId);
    await kit.drainJobs();
    expect((await batch(kit.admin, id)).status).toBe("RETURNED");
    expect((await batch(kit.admin, waiting.id)).status).toBe("RECEIVED");
    expect(await fetchBalance(kit.admin)).toBe(10_00);
  });
});

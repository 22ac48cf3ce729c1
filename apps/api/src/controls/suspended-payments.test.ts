/**
 * A payment requested before the suspension of a function waits with its money, and money that arrives anyway is booked
 * (decision 0056).
 */
import { randomUUID } from "node:crypto";
import { listIssueGroups } from "@malote/contracts/batch-issues";
import { createBatch } from "@malote/contracts/batches";
import { listBoletos } from "@malote/contracts/boletos";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { sendTed } from "@malote/contracts/simulator-payins";
import { listTransfers } from "@malote/contracts/transfers";
import { chargeFunctionOf, type MoneyFunction } from "@malote/domain/suspended-functions";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { offerMoney } from "../offer-money.ts";
import { listCompaniesWithDueWork } from "../payins/charge-store.ts";
import type { ChargeRequest } from "../payins/index.ts";
import { listCompaniesWithPayableBatches } from "../payouts/batches/store.ts";
import { listCompaniesWithDuePayments } from "../payouts/index.ts";
import { RailFault } from "../ports/rails.ts";
import { boletoDraft, boletoOf, fetchBoletoStatuses } from "../testing/boletos.ts";
import { buildChargeRequest, card, chargeCalls } from "../testing/charges-kit.ts";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { fetchInfraction, receiveInfraction } from "../testing/contestations.ts";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatuses,
  paidFor,
  pix,
  releaseOnly,
  ted,
} from "../testing/payments-kit.ts";
import { suspend } from "../testing/ways-of-money.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls({ balance: 0 });
});
afterEach(() => kit.close());

const isDue = async () => (await listCompaniesWithDuePayments(kit.services)).includes(auroraId);

/** A Pix arrives at once and a TED within minutes, so a missing one is reported on the next day. */
async function settle() {
  await kit.pass({ seconds: 1 });
  await kit.pass({ minutes: 10 });
}

describe("a payment from before the suspension", () => {
  const later = { payment_date: "2026-08-13" };
  it.each<[MoneyFunction, string[]]>([
    ["payout_pix", ["SCHEDULED", "TRANSFERRED"]],
    ["payout_ted", ["FINISHED", "SCHEDULED"]],
  ])(
    "SHL-038 waits past its scheduled day while '%s' is suspended, but not one by another method",
    async (by, during) => {
      const id = await paidFor(kit, [pix(20_00, later), ted(30_00, later)]);
      await kit.drainJobs();
      await suspend(kit, by);
      await kit.passUntil("2026-08-13T15:00:00Z");
      await settle();
      expect(await fetchStatuses(kit.admin, id)).toEqual(during);
      expect(await isDue()).toBe(false);
      await suspend(kit);
      expect(await isDue()).toBe(true);
      await settle();
      expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "TRANSFERRED"]);
    },
  );

  it("SHL-038 waits as a scheduled boleto while boletos are suspended", async () => {
    await kit.deposit(100_00);
    const { id } = await boletoDraft(kit.admin, [boletoOf(20_00, later)]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    await suspend(kit, "payout_boleto");
    await kit.passUntil("2026-08-13T15:00:00Z");
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["SCHEDULED"]);
    await suspend(kit);
    await settle();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
  });

  it.each(["not_sent", "lost"])("is not resent if the network does not have it (%s)", async (how) => {
    const id = await paidFor(kit, [pix(20_00)]);
    await releaseOnly(kit, id);
    const { rails } = kit.services;
    let sent = 0;
    kit.services.rails = {
      ...rails,
      send: () => {
        sent++;
        throw new RailFault("the network is away", { left: how === "lost" ? "maybe" : "no" });
      },
    };
    await kit.pass({ seconds: 1 });
    kit.services.rails = rails;
    expect(sent).toBe(1);
    await suspend(kit, "payout_pix");
    for (let hours = 0; hours < 5; hours++) await kit.pass({ hours: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    await suspend(kit);
    await kit.pass({ hours: 1 });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  });
});

it("BAT-031 a batch that waits for money waits for its function too, shows why, and lets a later batch by another method overtake", async () => {
  const [first, second] = [
    await draft(kit.admin, [pix(20_00), ted(10_00)]),
    await draft(kit.admin, [ted(30_00)]),
  ];
  for (const { id } of [first, second]) await closing(kit.admin, id);
  await suspend(kit, "payout_pix");
  await kit.deposit(100_00);
  await settle();
  expect(await batch(kit.admin, first.id)).toMatchObject({
    status: "WAITING",
    waiting_reason: expect.stringContaining("Uma função que este lote usa está suspensa"),
  });
  expect(await fetchStatuses(kit.admin, second.id)).toEqual(["TRANSFERRED"]);
  const payable = () =>
    kit.services.db.withSystem((tx) => listCompaniesWithPayableBatches(tx, kit.clock.now()));
  expect(await payable()).toEqual([]);

  await suspend(kit);
  expect((await batch(kit.admin, first.id)).waiting_reason).toBeNull();
  expect(await payable()).toEqual([auroraId]);
  await offerMoney(kit.services, { companyId: auroraId });
  await settle();
  expect(await fetchStatuses(kit.admin, first.id)).toEqual(["FINISHED", "TRANSFERRED"]);
  expect(await fetchBalance(kit.admin)).toBe(40_00);
});

it("SHL-038 shows the suspension on each payment of a draft, in its list, its groups and its filter", async () => {
  await suspend(kit, "payout_pix", "payout_boleto");
  const { body } = await kit.admin.call(createBatch, {
    body: { name: "Folha", transfers: [pix(1_00), ted(2_00)] },
  });
  const [byPix, byTed] = (await batch(kit.admin, body.id)).transfers;
  const issue = { code: "method_suspended", field: "pix_key", data: { function: "Pagar por Pix" } };
  expect([byPix.errors, byTed.errors]).toEqual([[issue], []]);
  const groups = (await kit.admin.call(listIssueGroups, { params: { id: body.id } })).body;
  expect(groups).toMatchObject({ rows_count: 1, data: [{ issue, count: 1 }] });
  const wrong = { params: { id: body.id }, query: { page: "0", status: "WITH_ERRORS" } } as const;
  const listed = (await kit.admin.call(listTransfers, wrong)).body.data;
  expect(listed.map(({ id }) => id)).toEqual([byPix.id]);
  const { id } = await boletoDraft(kit.admin, [boletoOf(20_00)]);
  const boletos = await kit.admin.call(listBoletos, { params: { id }, query: { status: "WITH_ERRORS" } });
  expect(boletos.body.data).toMatchObject([{ errors: [{ code: "method_suspended", field: "barcode" }] }]);
  await suspend(kit);
  expect((await batch(kit.admin, body.id)).transfers[0].errors).toEqual([]);
  expect((await closing(kit.admin, body.id)).status).toBe(200);
});

describe("a received payment", () => {
  const received = async (value: number) => {
    const endToEndId = await kit.deposit(value);
    return (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body.items[0].id as string;
  };

  it("waits if its refund by Pix was requested and the network does not have it yet", async () => {
    const id = await received(100_00);
    const key = { "idempotency-key": randomUUID() };
    await kit.admin.call(refundPayin, { params: { id }, body: { amount: 60_00 } }, key);
    kit.enqueued.splice(0);
    await suspend(kit, "payout_pix_refund");
    await kit.pass({ hours: 1 });
    const due = () => kit.services.db.withSystem((tx) => listCompaniesWithDueWork(tx, kit.clock.now()));
    expect(await due()).toEqual([]);
    const refundIs = () => kit.query("SELECT status FROM payin_refunds WHERE payin_id = $1", [id]);
    expect(await refundIs()).toEqual([{ status: "processing" }]);
    await suspend(kit);
    expect(await due()).toEqual([auroraId]);
    await settle();
    expect(await refundIs()).toEqual([{ status: "succeeded" }]);
  });

  it("MED-012 is returned to its payer after four days without an answer, whatever is suspended", async () => {
    const { id } = await receiveInfraction(kit, 60_00);
    await suspend(kit, "payin_refund_med", "payout_pix_refund", "payin_refund", "payout_pix");
    await kit.pass({ days: 4 });
    expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("delayed");
    expect(await fetchBalance(kit.admin)).toBe(0);
  });
});

it.each<ChargeRequest["method"]>([
  { kind: "pix" },
  { kind: "boleto", dueInBusinessDays: 3 },
  { kind: "credit_card", installments: 1, card: card(goodCard) },
])(
  "makes no new charge for any feature by '$kind' while it is suspended, and repeats the answer of an earlier charge",
  async (method) => {
    const { charge, payin } = chargeCalls(() => kit);
    const before = buildChargeRequest(method);
    await charge(before);
    await suspend(kit, chargeFunctionOf[method.kind]);
    const refused = buildChargeRequest(method);
    await expect(charge(refused)).rejects.toMatchObject({ code: "function_suspended" });
    expect(await payin(refused.id)).toBeUndefined();
    expect((await charge(before)).id).toBe(before.id);
  },
);

describe("money that arrives while its function is suspended", () => {
  const { makeLink, open, paid, payAtBank, fetchStatus, settings } = checkoutCalls(
    () => kit,
    () => "10.8.0.1",
  );
  const all = ["payin_pix", "payin_boleto", "payin_credit_card"] as const;

  it("is booked if a payer has the code of an earlier charge, or sends a Pix or a TED", async () => {
    await settings({ hasBoletoCharge: true, hasCardCharge: true });
    const links = [await makeLink({ amount: 20_00 }), await makeLink({ amount: 30_00 })] as const;
    const [byPix, byBoleto] = [
      await paid(links[0].token, { payment_method: "pix" }),
      await paid(links[1].token, { payment_method: "boleto" }),
    ];
    await suspend(kit, ...all);
    expect((await open(links[0].token)).body.payment_methods).toEqual([]);
    await payAtBank(links[0], byPix);
    await payAtBank(links[1], byBoleto);
    await kit.deposit(5_00);
    const company = { company_id: auroraId, value: 7_00 };
    expect((await kit.call(sendTed, { body: company })).status).toBe(200);
    await settle();
    await kit.pass({ days: 2 });
    expect([await fetchStatus(links[0].id), await fetchStatus(links[1].id)]).toEqual(["paid", "paid"]);
    expect(await fetchBalance(kit.admin)).toBe(62_00);
  });
});

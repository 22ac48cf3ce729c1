/** Charges of a payer and the network's reports about them: applied once, in any order, without losing a centavo. */
import { createPaymentLink } from "@malote/contracts/payment-links";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { readBrCode } from "@malote/domain/br-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { cardRejections } from "@malote/domain/card-rejections";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chargeMagicValues, goodCard } from "../adapters/sandbox/charges/index.ts";
import { handleEvents } from "../payments/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PayinEvent } from "../ports/charges.ts";
import { buildChargeRequest, chargeCalls, payer, sale } from "../testing/charges-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import {
  blockPayin,
  cancelCharges,
  collectDue,
  createCharge,
  findPayinByEndToEndId,
  isPaid,
  listCompaniesToCollectFor,
  lockPayin,
  type PayinRow,
  returnPayin,
  unblockPayin,
} from "./index.ts";
import { listRefundRows } from "./refund-store.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { charge, payin, write, grown } = chargeCalls(() => kit);

const magicCards = chargeMagicValues.filter(({ outcome }) => outcome.startsWith("Venda negada"));

describe("a Pix charge", () => {
  it("is requested at the host name of the installation, within the size of a QR code", async () => {
    const pixHost = "pix.instituicao-exemplo.com.br/charges";
    const services = { ...kit.services, config: { ...kit.services.config, pixHost } };
    const request = buildChargeRequest({ kind: "pix" });
    const { pix } = await createCharge(services, auroraId, request);
    expect(readBrCode(pix?.brCode ?? "")).toMatchObject({
      location: `${pixHost}/qr/v2/${request.id.replaceAll("-", "")}`,
    });
  });

  it("lasts one day, keeps its code when it is read again, and is paid once even if it is reported twice", async () => {
    const request = buildChargeRequest({ kind: "pix" });
    const made = await charge(request);
    expect(made).toMatchObject({ status: "pending", isReady: true, boleto: null, card: null });
    expect(readBrCode(made.pix?.brCode ?? "")).toMatchObject({ key: null, isSingleUse: true });
    expect(made.pix?.expiresAt).toEqual(new Date(kit.clock.now().getTime() + 86_400_000));
    expect(await charge(request)).toEqual(made);
    await expect(charge({ ...request, amount: 1 })).rejects.toMatchObject({ code: "idempotency_key_reused" });

    await kit.network.changeSettings({ duplicate_percent: 100 });
    const growth = await grown(async () => {
      expect(await kit.charges.pay(request.id)).toBe(true);
      expect(await kit.charges.pay(request.id)).toBe(false);
      await kit.pass({ seconds: 1 });
    });
    await kit.network.changeSettings({ duplicate_percent: 0 });
    expect(growth).toBe(150_00);
    expect(await payin(request.id)).toMatchObject({
      status: "received",
      received_amount: 150_00,
      payer_name: payer.name,
      end_to_end_id: expect.stringMatching(/^E88888801/),
    });
  });

  it("expires after its day, and money that arrives nevertheless is received", async () => {
    const request = buildChargeRequest({ kind: "pix" });
    await charge(request);
    await kit.pass({ days: 1 });
    expect((await payin(request.id))?.status).toBe("expired");
    expect(await kit.charges.pay(request.id)).toBe(false);
    const paid = { kind: "charge_paid", id: uuidv7(), companyId: auroraId, chargeId: request.id } as const;
    const at = kit.clock.now().toISOString();
    const event = { ...paid, at, paymentId: `E${uuidv7()}`, value: 150_00, payer: null };
    expect(await grown(() => handleEvents(kit.services, [event, event]))).toBe(150_00);
    expect((await payin(request.id))?.status).toBe("received");
    // A second payment of the charge is another payin, and belongs to the company too.
    const again = { ...event, id: uuidv7(), paymentId: `E${uuidv7()}`, value: 150_00 };
    expect(await grown(() => handleEvents(kit.services, [again, again]))).toBe(150_00);
  });

  it("may be blocked as a second payment, even after the block of the first has ended", async () => {
    const { id: chargeId } = await charge(buildChargeRequest({ kind: "pix" }));
    const receive = (event: Record<string, unknown>) =>
      handleEvents(kit.services, [
        { id: uuidv7(), companyId: auroraId, at: kit.clock.now().toISOString(), ...event } as PayinEvent,
      ]);
    const [first, second] = [`E${uuidv7()}`, `E${uuidv7()}`];
    const pay = (paymentId: string) =>
      receive({ kind: "charge_paid", chargeId, paymentId, value: 150_00, payer: null });
    const block = (endToEndId: string) => receive({ kind: "payin_blocked", endToEndId, reason: "MED" });
    await pay(first);
    await block(first);
    await receive({ kind: "block_ended", endToEndId: first, outcome: "released" });
    await pay(second);
    expect(await grown(() => block(second))).toBe(-150_00);
    const both = await write((tx) => Promise.all([first, second].map((id) => findPayinByEndToEndId(tx, id))));
    expect(both.map((one) => one?.status)).toEqual(["received", "blocked"]);
  });
});

it("makes a boleto due after the given number of business days, and receives it when it settles", async () => {
  // The start is a Wednesday, so the third business day is Monday.
  kit.clock.set("2026-09-02T17:00:00Z");
  const request = buildChargeRequest({ kind: "boleto", dueInBusinessDays: 4 });
  const { boleto, isReady } = await charge(request);
  expect(isReady).toBe(true);
  // Monday, 7 September, is a holiday.
  expect(boleto?.dueDate).toBe("2026-09-09");
  const today = saoPauloDate(kit.clock.now());
  const read = { bankCode: "593", dueDate: "2026-09-09", value: 150_00 };
  expect(readBoletoCode(boleto?.digitableLine ?? "", today)).toMatchObject(read);
  expect(readBoletoCode(boleto?.barcode ?? "", today)).toMatchObject(read);
  // It is 14:00 in São Paulo, too late for today.
  await kit.charges.pay(request.id);
  await kit.pass({ seconds: 5 });
  expect((await payin(request.id))?.status).toBe("pending");
  expect(await grown(() => kit.passUntil("2026-09-03T11:00:00Z"))).toBe(150_00);
  expect((await payin(request.id))?.status).toBe("received");
});

it.each([
  ["Pix", { kind: "pix" }],
  ["boleto", { kind: "boleto", dueInBusinessDays: 1 }],
] as const)("does not show a %s of one payer to another", async (_, method) => {
  const request = buildChargeRequest(method);
  const made = await charge(request);
  const refusal = { code: "idempotency_key_reused" };
  const others = [
    { ...payer, name: "Mariana Prado" },
    { ...payer, taxId: "12345678909" },
  ];
  for (const other of others)
    await expect(charge({ ...request, payer: other })).rejects.toMatchObject(refusal);
  expect(await charge(request)).toEqual(made);
});

describe("a card", () => {
  it("is authorised immediately, and its number is stored nowhere", async () => {
    const request = sale(goodCard, 3);
    const made = await charge(request);
    expect(made).toMatchObject({
      status: "authorized",
      card: { installments: 3, authorizationCode: expect.stringMatching(/^\d{6}$/), rejectionReason: null },
    });
    await kit.pass({ seconds: 5 });
    for (const table of ["payins", "sandbox.charges", "sandbox.events", "audit_entries"]) {
      const { rows } = await kit.services.db.pool.query(
        `SELECT FROM ${table} t WHERE t::text LIKE '%${goodCard}%'`,
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  it("PAY-025 is refused with the code of each possible reason", async () => {
    // The list is written out, so that the test notices an entry removed from the table.
    expect(Object.keys(cardRejections).sort()).toEqual([
      "amount_invalid",
      "card_expired",
      "card_invalid",
      "card_lost",
      "card_pin_attempts_exceeded",
      "card_pin_invalid",
      "card_pin_required",
      "card_security_code_invalid",
      "card_stolen",
      "merchant_registration_divergent",
      "payer_balance_insufficient",
      "payer_institution_not_available",
      "payer_institution_transaction_error",
      "payer_limit_exceeded",
      "processor_transaction_error",
      "processor_transaction_timeout",
      "suspected_of_fraud",
    ]);
    expect(magicCards).toHaveLength(Object.keys(cardRejections).length);
    for (const { value, outcome } of magicCards) {
      const [code] = Object.entries(cardRejections).find(([, message]) => outcome.endsWith(message)) ?? [];
      const made = await charge(sale(value.replaceAll(" ", "")));
      expect(made).toMatchObject({ status: "unauthorized", card: { rejectionReason: code } });
    }
    expect((await charge(sale("4000000000000000"))).card?.rejectionReason).toBe("card_invalid");
  });
});

it("does not delay another sale when its money cannot be posted", async () => {
  for (const request of [sale(goodCard), sale(goodCard)]) await charge(request);
  kit.clock.advance({ days: 35 });
  const today = saoPauloDate(kit.clock.now());
  const due = async () => {
    const { rows } = await kit.services.db.pool.query(
      "SELECT DISTINCT payin_id FROM card_receivables WHERE status = 'scheduled' AND expected_receive_date <= $1",
      [today],
    );
    return rows.length;
  };
  expect(await due()).toBeGreaterThan(1);
  const failing = vi.spyOn(kit.services.jobs, "enqueue").mockRejectedValueOnce(new Error("not now"));
  await expect(collectDue(kit.services, { companyId: auroraId })).rejects.toThrow("not now");
  failing.mockRestore();
  expect(await due()).toBe(1);
  await collectDue(kit.services, { companyId: auroraId });
  expect(await due()).toBe(0);
});

async function makeLink(): Promise<string> {
  const body = {
    name: "Curso de outubro",
    amount: 150_00,
    expires_at: "2027-12-31T12:00:00Z",
    payment_methods: ["pix"],
  };
  return (await kit.admin.call(createPaymentLink, { body })).body.id;
}

it("cancels a link's other charges once one is paid", async () => {
  const paymentLinkId = await makeLink();
  const [pix, boleto] = [
    buildChargeRequest({ kind: "pix" }, { paymentLinkId }),
    buildChargeRequest({ kind: "boleto", dueInBusinessDays: 1 }, { paymentLinkId }),
  ];
  for (const request of [pix, boleto]) await charge(request);
  await kit.charges.pay(pix.id);
  await kit.pass({ seconds: 1 });
  const both = [await payin(pix.id), await payin(boleto.id)];
  expect(both.map((one) => one?.status)).toEqual(["received", "canceled_by_user"]);
  expect(both.map((one) => one && isPaid(one))).toEqual([true, false]);
  await cancelCharges(kit.services, { companyId: auroraId, paymentLinkId });
  expect(await kit.charges.pay(boleto.id)).toBe(false);
});

it("cancels a link's other charges on schedule when the job for it was lost", async () => {
  const paymentLinkId = await makeLink();
  const [pix, boleto] = [
    buildChargeRequest({ kind: "pix" }, { paymentLinkId }),
    buildChargeRequest({ kind: "boleto", dueInBusinessDays: 1 }, { paymentLinkId }),
  ];
  for (const request of [pix, boleto]) await charge(request);
  kit.clock.advance({ minutes: 3 });
  expect(await listCompaniesToCollectFor(kit.services)).not.toContain(auroraId);
  await kit.charges.pay(pix.id);
  await kit.network.deliverDue();
  kit.enqueued.length = 0;
  expect(await listCompaniesToCollectFor(kit.services)).toContain(auroraId);
  await collectDue(kit.services, { companyId: auroraId });
  expect((await payin(boleto.id))?.status).toBe("canceled_by_user");
  expect(await listCompaniesToCollectFor(kit.services)).not.toContain(auroraId);
});

it("stores a payer's document without punctuation, however the network writes it", async () => {
  const id = uuidv7();
  const account = { bank: null, agency: null, account: null, accountDigit: null, accountType: null };
  const ted = { kind: "ted_received", id, companyId: auroraId, at: kit.clock.now().toISOString() } as const;
  const from = { ...account, name: "Olga Prado", document: "390.533.447-05" };
  await handleEvents(kit.services, [{ ...ted, paymentId: id, value: 5_00, purpose: "payment", payer: from }]);
  const { rows } = await kit.services.db.pool.query(
    "SELECT payer_tax_id FROM payins WHERE posting_cause = $1",
    [`ted:${id}`],
  );
  expect(rows).toEqual([{ payer_tax_id: "39053344705" }]);
});

describe("for contestations", () => {
  const received = async (value: number) => {
    const endToEndId = await kit.deposit(value);
    const found = await write((tx) => findPayinByEndToEndId(tx, endToEndId));
    if (!found) throw new Error("a deposit without its payin");
    return found;
  };

  it("returns a Pix once for an id, never more than was received, and not more than the balance has", async () => {
    const { id: payinId } = await received(100_00);
    const [refundId, now] = [uuidv7(), kit.clock.now()];
    const returning = (amount: number, of = refundId) =>
      write((tx) => returnPayin(tx, { payinId, refundId: of, amount, now }));
    expect(await returning(100_01)).toEqual({ kind: "refused", code: "refund_above_refundable" });
    const both = () => Promise.all([returning(60_00), returning(60_00)]);
    expect(await grown(both)).toBe(-60_00);
    expect(await returning(40_01, uuidv7())).toMatchObject({ code: "refund_above_refundable" });
    expect(await payin(payinId)).toMatchObject({ status: "partially_refunded", refunded_amount: 60_00 });
    expect(await returning(40_00, uuidv7())).toMatchObject({ kind: "returned" });
    expect(await payin(payinId)).toMatchObject({ status: "refunded" });
    expect(await returning(1, uuidv7())).toMatchObject({ code: "payin_not_refundable" });
    expect(await write((tx) => listRefundRows(tx, payinId))).toMatchObject([
      { nature: "infraction" },
      { status: "succeeded" },
    ]);
  });

  it("blocks the available part of a Pix, releases it, and returns the blocked part", async () => {
    const one = await received(80_00);
    const locked = async <T>(work: (row: PayinRow, tx: Parameters<typeof lockPayin>[0]) => Promise<T>) =>
      write(async (tx) => {
        const row = await lockPayin(tx, one.id);
        if (!row) throw new Error("gone");
        return work(row, tx);
      });
    const now = kit.clock.now();
    expect(await grown(() => locked((row, tx) => blockPayin(tx, row, "MED", now)))).toBe(-80_00);
    expect(await payin(one.id)).toMatchObject({ status: "blocked", block_amount: 80_00 });
    expect(await locked((row, tx) => blockPayin(tx, row, "MED", now))).toBe(false);
    const given = { payinId: one.id, refundId: uuidv7(), amount: 30_00, now };
    expect(await grown(() => write((tx) => returnPayin(tx, given)))).toBe(50_00);
    expect(await payin(one.id)).toMatchObject({ status: "partially_refunded" });
    expect(await locked((row, tx) => unblockPayin(tx, kit.services.jobs, row, now))).toBe(false);
  });
});

/** Payment links that are paid by boleto. */
import { listPayins, type Payin } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { fetchStatement, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;

/** Each test uses an address of its own, because tries are counted per address. */
let address = "";
let hosts = 0;

beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());
beforeEach(async () => {
  address = `10.0.0.${++hosts}`;
  await settings({ hasBoletoCharge: true, hasCardCharge: true });
});

const { settings, terms, makeLink, paid, payAtBank, look, fetchCharges, boleto } = checkoutCalls(
  () => kit,
  () => address,
);

describe("paying by boleto", () => {
  it("COM-005 LNK-019 is due the link's number of business days later, and names both sides as the law requires", async () => {
    const link = await makeLink();
    const { token } = link;
    const charge = await paid(token, boleto);
    expect(charge.boleto).toMatchObject({
      due_date: "2026-08-17",
      beneficiary: {
        name: "Aurora Papelaria e Serviços Ltda",
        cpf_cnpj: expect.stringMatching(/\//),
        address: "Rua dos Papéis, 120, sala 4, Centro, Florianópolis/SC, CEP 88010-400",
      },
      bank: { code: "593-2", name: expect.stringMatching(/./) },
      our_number: expect.stringMatching(/^\d{17}$/),
      document_number: expect.stringMatching(/^[0-9A-F]{10}$/),
      beneficiary_account: expect.stringMatching(/^\d{4} \/ \d+-\d$/),
      processed_at: kit.clock.now().toISOString(),
      instructions: ["Não receber depois de 30 dias do vencimento."],
      payer: { name: "Marina Lopes", cpf_cnpj: "***.456.789-**" },
    });
    const today = saoPauloDate(kit.clock.now());
    for (const code of [charge.boleto?.digitable_line ?? "", charge.boleto?.barcode ?? ""])
      expect(readBoletoCode(code, today)).toMatchObject({
        value: 150_00,
        dueDate: "2026-08-17",
        bankCode: "593",
      });
    await payAtBank(link, charge);
    await kit.pass({ seconds: 1 });
    expect(await look(token, charge.id)).toMatchObject({ state: "paid", boleto: null });
  });
});

describe("a boleto that is requested again", () => {
  it("stays the same for its payer in every tab until it is paid, and differs for another payer", async () => {
    const link = await makeLink();
    const first = await paid(link.token, boleto);
    const again = await paid(link.token, boleto);
    expect(again.boleto).toEqual(first.boleto);
    expect(await fetchCharges(link.id)).toHaveLength(1);
    // The page finds the charge again by the id of the answer.
    expect((await look(link.token, again.id)).boleto).toEqual(first.boleto);
    const other = await paid(link.token, {
      ...boleto,
      payer: { name: "Bruno Sales", cpf_cnpj: "529.982.247-25" },
    });
    expect(other.boleto?.barcode).not.toBe(first.boleto?.barcode);
    await payAtBank(link, first);
    await kit.pass({ seconds: 1 });
    expect((await look(link.token, again.id)).state).toBe("paid");
  });

  it("is a single boleto when its payer requests it twice concurrently", async () => {
    const link = await makeLink();
    const charges = await Promise.all([1, 2, 3, 4, 5].map(() => paid(link.token, boleto)));
    expect(await fetchCharges(link.id)).toHaveLength(1);
    const codes = await Promise.all(
      charges.map(async ({ id }) => (await look(link.token, id)).boleto?.barcode),
    );
    expect(codes[0]).toMatch(/^\d{44}$/);
    expect(new Set(codes).size).toBe(1);
  });

  it("can also be opened by the company, at the link's own page and at no other", async () => {
    const [link, other] = [await makeLink(), await makeLink()];
    const charge = await paid(link.token, boleto);
    const found = async () =>
      (await kit.admin.call(listPayins, { query: { search: link.id } })).body.items[0] as Payin;
    const { id, boleto_url } = await found();
    expect(boleto_url).toBe(`/pagar/${link.token}?cobranca=${id}`);
    expect((await look(link.token, id)).boleto).toEqual(charge.boleto);
    expect(await look(other.token, id)).toMatchObject({ code: "not_found" });
    await payAtBank(link, charge);
    await kit.pass({ seconds: 1 });
    expect((await found()).boleto_url).toBeNull();
  });

  it("LNK-006 PAY-020 PAY-022 PAY-023 STM-018 costs a fine and interest when paid late, as slip, payin and statement show", async () => {
    const start = kit.clock.now();
    const late = {
      due_days: 3,
      interest: { type: "percentage_per_month", percent: 1 },
      fine: { type: "fixed", amount: 3_00 },
    };
    const details = { payment_methods: ["boleto"], payment_method_details: { boleto: late } };
    const link = await makeLink(details);
    expect(link.payment_method_details).toEqual({ boleto: late });
    const charge = await paid(link.token, boleto);
    expect(charge.boleto?.instructions).toEqual([
      "Após o vencimento, cobrar multa de R$ 3,00.",
      "Após o vencimento, cobrar juros de 1% (percentual ao mês).",
      "Não receber depois de 30 dias do vencimento.",
    ]);
    // It is due on Monday 17/08 and paid on Thursday 27/08, ten days later.
    kit.clock.set("2026-08-27T13:00:00Z");
    await payAtBank(link, charge);
    await kit.pass({ seconds: 1 });
    const [payin] = (await kit.admin.call(listPayins, { query: { search: link.id } })).body.items;
    expect(payin).toMatchObject({
      status: "received",
      original_amount: 150_00,
      amount: 150_00 + 3_00 + 50,
      received_amount: 153_50,
      created_at: expect.stringMatching(/^2026-08-12T/),
      received_at: expect.stringMatching(/^2026-08-27T/),
      details: {
        due_date: "2026-08-17",
        interest_type: "percentage_per_month",
        interest_amount: null,
        interest_percent: 1,
        fine_type: "fixed",
        fine_amount: 3_00,
        fine_percent: null,
      },
    });
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "DEPOSIT",
      value: 153_50,
      complement: { timestamp: expect.stringMatching(/^2026-08-27T/), isTed: false, isPix: false },
    });
    kit.clock.set(start);
  });

  it("LNK-006 PAY-022 shows interest in money and a fine in percent as well", async () => {
    const late = {
      due_days: 3,
      interest: { type: "fixed_per_day", amount: 50 },
      fine: { type: "percentage", percent: 2 },
    };
    const link = await makeLink({
      payment_methods: ["boleto"],
      payment_method_details: { boleto: late },
    });
    expect(link.payment_method_details).toEqual({ boleto: late });
    await paid(link.token, boleto);
    const [payin] = (await kit.admin.call(listPayins, { query: { search: link.id } })).body.items;
    expect(payin.details).toMatchObject({
      interest_type: "fixed_per_day",
      interest_amount: 50,
      interest_percent: null,
      fine_type: "percentage",
      fine_amount: null,
      fine_percent: 2,
    });
  });

  it.each([
    "fixed_per_day",
    "percentage_per_day",
    "percentage_per_month",
    "percentage_per_year",
    "fixed_per_working_day",
    "percentage_per_working_day",
    "percentage_per_month_working_days",
    "percentage_per_year_working_days",
  ])("LNK-006 PAY-023 accepts interest of the type %s for a link, and returns it", async (type) => {
    const interest = type.startsWith("fixed") ? { type, amount: 50 } : { type, percent: 1.5 };
    const link = await makeLink({
      payment_methods: ["boleto"],
      payment_method_details: { boleto: { due_days: 3, interest } },
    });
    expect(link.payment_method_details).toEqual({ boleto: { due_days: 3, interest } });
  });

  it.each([
    ["a fixed one in percent", { fine: { type: "fixed", percent: 2 } }],
    ["a percentage in money", { interest: { type: "percentage_per_day", amount: 2_00 } }],
    ["both", { fine: { type: "percentage", percent: 2, amount: 2_00 } }],
    ["nothing", { fine: { type: "percentage" } }],
  ])("PAY-023 refuses a rate of %s", async (_, rate) => {
    const payment_method_details = { boleto: { due_days: 3, ...rate } };
    const answer = await kit.admin.call(createPaymentLink, {
      body: { ...terms, payment_methods: ["boleto"], payment_method_details },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "payment_link_rate_invalid" } });
  });
});

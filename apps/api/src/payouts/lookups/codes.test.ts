/** Pix codes as the destination of a payment: read, stored, paid once, and settled where the charge is ours. */
import { createBatch, readBatch } from "@malote/contracts/batches";
import { lookUpPixCode } from "@malote/contracts/lookups";
import { addTransfer, changeTransfer, readTransfer, type TransferInput } from "@malote/contracts/transfers";
import { crc16, writeBrCode, writeDynamicBrCode } from "@malote/domain/br-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import type { PixCharge } from "@malote/domain/pix-charge";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCharge } from "../../payins/index.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import type { Person } from "../../testing/app.ts";
import { blockDocument } from "../../testing/operator-kit.ts";
import { batch, closing, fetchStatuses, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 12 August 2026, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

/** A code of the sandbox's other bank; its address encodes the outcome. */
const code = (kind: "cob" | "cobv", amount: number, when: string, held = "01") =>
  writeDynamicBrCode({
    location: `pix.aurora.invalid/qr/v2/${kind}/${amount}/${when}/${held}`,
    merchantName: "Loja Exemplo Ltda",
    merchantCity: "CURITIBA",
  });
const good = code("cob", 150_00, "202608132359");
const byCode = (
  emv: string,
  value: number | null = null,
  more: Partial<TransferInput> = {},
): TransferInput => ({
  value,
  emv,
  destination_bank_account: {},
  ...more,
});
const makeCall = (by: Person, emv: string, payment_date?: string) =>
  by.call(lookUpPixCode, { body: { emv, ...(payment_date && { payment_date }) } });
async function drafted(inputs: TransferInput[]) {
  const answer = await kit.admin.call(createBatch, { body: { name: "Códigos", transfers: inputs } });
  expect(answer.status).toBe(200);
  const { transfers, id, errors_count } = await batch(kit.admin, answer.body.id);
  return { id: id as string, transfers, errors: errors_count as number };
}
const payee = { name: "Loja Exemplo Ltda", taxId: "11222333000181" };
/** Makes the charging institution answer with a charge of its own, whatever the code. */
function answerWith(charge: Partial<PixCharge>): void {
  const nothingMore = { dueDate: null, fine: null, interest: null, discount: null, abatement: null };
  const read: PixCharge = {
    ...nothingMore,
    type: "IMMEDIATE_COLLECTION",
    status: "ACTIVE",
    key: "loja@exemplo.com.br",
    receiver: payee,
    amount: cents(104_00),
    txid: "tx1",
    until: null,
    ...charge,
  };
  kit.services.pixCodes = { read: () => Promise.resolve(read) };
}
const fetchErrors = async (input: TransferInput) =>
  (await drafted([input])).transfers[0].errors.map((issue) => issue.code);

describe("TRF-004 a code that cannot be paid", () => {
  const changed = (from: string, to: string) => {
    const body = good.slice(0, -4).replace(from, to);
    return body + crc16(body);
  };
  it.each([
    ["a false check sum", `${good.slice(0, -4)}0000`, "qr_check_sum"],
    ["another currency", changed("5303986", "5303840"), "qr_currency"],
    ["another country", changed("5802BR", "5802AR"), "qr_country"],
    ["no Pix", changed("br.gov.bcb.pix", "br.gov.bcb.xip"), "qr_not_pix"],
    ["no code", "pague aqui", "qr_invalid"],
  ])(
    "is refused with %s and a sentence of its own, when it is read and when it is saved",
    async (_what, emv, problem) => {
      const answer = await makeCall(kit.operator, emv);
      expect(answer).toMatchObject({ status: 422, body: { errorCode: "pix_code_invalid" } });
      expect(answer.body.data.errors).toEqual([{ code: problem, field: "emv" }]);
      expect(await fetchErrors(byCode(emv))).toContain(problem);
    },
  );

  it.each([
    ["already paid", code("cob", 80_00, "202608132359", "16"), "qr_paid"],
    ["cancelled", code("cob", 80_00, "202608132359", "15"), "qr_removed"],
    ["expired", code("cob", 80_00, "202608111200"), "qr_expired"],
  ])("is saved as a mistake when it is %s", async (_what, emv, problem) => {
    expect(await fetchErrors(byCode(emv))).toEqual([problem]);
  });

  it("stays in the draft while the charging institution does not answer, and is read again", async () => {
    const { pixCodes } = kit.services;
    kit.services.pixCodes = { read: () => Promise.reject(new Error("down")) };
    expect((await makeCall(kit.operator, good)).body).toEqual({ status: "unavailable", charge: null });
    const { id, transfers } = await drafted([byCode(good)]);
    expect(transfers[0].errors.map((issue) => issue.code)).toContain("qr_unread");
    expect((await closing(kit.admin, id)).status).toBe(422);
    kit.services.pixCodes = pixCodes;
    const again = await kit.admin.call(changeTransfer, {
      params: { id, tid: transfers[0].id },
      body: byCode(good),
    });
    expect(again.body).toMatchObject({ value: 150_00, errors: [] });
  });

  it("is refused with another value than its own", async () => {
    expect(await fetchErrors(byCode(good, 149_99))).toEqual(["qr_value_fixed"]);
  });

  it("TRF-030 is refused if its payee is blocked, also at closing when that happened after it was saved", async () => {
    answerWith({});
    const { id, errors } = await drafted([byCode(good)]);
    expect(errors).toBe(0);
    await blockDocument(kit.services, payee.taxId);
    const other = await drafted([byCode(code("cob", 104_00, "202608132359"))]);
    expect(other.transfers[0].errors).toEqual([{ code: "tax_id_blocked", field: "cpf_cnpj" }]);
    await kit.deposit(500_00);
    expect((await closing(kit.admin, id)).body).toMatchObject({
      code: "batch_has_errors",
      data: { count: 1 },
    });
  });

  it("is refused at closing after its end, and for a day after it", async () => {
    const { id } = await drafted([byCode(good)]);
    await kit.deposit(500_00);
    kit.clock.advance({ days: 2 });
    expect((await closing(kit.admin, id)).status).toBe(422);
    kit.clock.advance({ days: -2 });
    expect(
      await fetchErrors(byCode(code("cob", 10_00, "202608132359"), null, { payment_date: "2026-08-14" })),
    ).toEqual(["qr_expired_by_then"]);
  });
});

describe("TRF-004 a code that can be paid", () => {
  const nothingDue = {
    due_date: null,
    fine_amount: null,
    interest_amount: null,
    discount_amount: null,
    abatment_amount: null,
  };

  it("shows every field of a static one, and the key it pays", async () => {
    const emv = writeBrCode({
      key: "+5561912345678",
      merchantName: "Maria da Silva",
      merchantCity: "JOINVILLE",
      amountCents: cents(10_00),
      txid: "MENS202611",
    });
    const { transfers } = await drafted([byCode(emv)]);
    expect(transfers[0]).toMatchObject({
      value: 10_00,
      emv,
      emv_data: { type: "STATIC", amount: 10_00, ...nothingDue, txid: "MENS202611" },
      payment_method: "PIX",
      destination_bank_account: {
        name: "Maria da Silva",
        pix_key_type: "TELEFONE",
        pix_key: "+5561912345678",
      },
      errors: [],
    });
  });

  it("shows the type, amount and txid of an immediate one", async () => {
    const { transfers } = await drafted([byCode(good)]);
    expect(transfers[0].emv_data).toEqual({
      type: "IMMEDIATE_COLLECTION",
      amount: 150_00,
      ...nothingDue,
      txid: expect.stringMatching(/^\w+$/),
    });
  });

  it("shows each part of a charge under its own name, when it is read and when it is saved", async () => {
    answerWith({
      type: "DUE_DATE_COLLECTION",
      dueDate: "2026-08-10" as CalendarDate,
      fine: cents(5_00),
      interest: cents(4_00),
      discount: cents(3_00),
      abatement: cents(2_00),
    });
    const emv_data = {
      type: "DUE_DATE_COLLECTION",
      amount: 104_00,
      due_date: "2026-08-10",
      fine_amount: 5_00,
      interest_amount: 4_00,
      discount_amount: 3_00,
      abatment_amount: 2_00,
      txid: "tx1",
    };
    expect((await makeCall(kit.operator, good)).body.charge).toMatchObject(emv_data);
    expect((await drafted([byCode(good)])).transfers[0].emv_data).toEqual(emv_data);
  });

  it("lets the payer set the value if it is open", async () => {
    const open = code("cob", 0, "202608132359", "02");
    expect((await makeCall(kit.operator, open)).body.charge).toMatchObject({ amount: null });
    expect(await fetchErrors(byCode(open))).toEqual(["value_invalid"]);
    expect(await fetchErrors(byCode(code("cob", 1, "202608132359", "02"), 12_34))).toEqual([]);
  });

  it("shows the fine, interest and discount of the day of payment if it has a due date", async () => {
    const late = code("cobv", 1_000_00, "20260810");
    expect((await makeCall(kit.operator, late)).body.charge).toMatchObject({
      type: "DUE_DATE_COLLECTION",
      amount: 1_020_67,
      due_date: "2026-08-10",
      fine_amount: 20_00,
      interest_amount: 67,
      discount_amount: 0,
      abatment_amount: 0,
      until: "2026-08-13T02:59:59.000Z",
    });
    expect((await makeCall(kit.operator, late, "2026-08-14")).body.charge.amount).toBe(1_021_33);
    const early = code("cobv", 1_000_00, "20260824");
    expect((await makeCall(kit.operator, early)).body.charge).toMatchObject({
      amount: 950_00,
      discount_amount: 50_00,
    });
    const discounted = (await drafted([byCode(early)])).transfers[0].emv_data;
    expect(discounted).toMatchObject({ discount_amount: 50_00, abatment_amount: 0 });
    const { transfers } = await drafted([byCode(late)]);
    const read = await kit.admin.call(readTransfer, { params: { id: transfers[0].id } });
    expect(read.body.emv_data).toEqual({
      type: "DUE_DATE_COLLECTION",
      amount: 1_020_67,
      due_date: "2026-08-10",
      fine_amount: 20_00,
      interest_amount: 67,
      discount_amount: 0,
      abatment_amount: 0,
      txid: expect.stringMatching(/^[a-zA-Z0-9]{26,35}$/),
    });
  });

  it("alone decides who is paid: a key typed beside it has no effect", async () => {
    const { transfers } = await drafted([
      byCode(good, 150_00, {
        destination_bank_account: { name: "Outro", pix_key_type: "EMAIL", pix_key: "outro@exemplo.com.br" },
      }),
    ]);
    expect(transfers[0].destination_bank_account.pix_key).not.toBe("outro@exemplo.com.br");
  });

  it("stays with a payment that is changed without naming it, and can be removed", async () => {
    const { id, transfers } = await drafted([byCode(good)]);
    const { emv: _, ...without } = byCode(good, 150_00);
    const params = { id, tid: transfers[0].id };
    const kept = await kit.admin.call(changeTransfer, {
      params,
      body: { ...without, pix_description: "Pedido 7" },
    });
    expect(kept.body).toMatchObject({ emv: good, pix_description: "Pedido 7", errors: [] });
    const out = await kit.admin.call(changeTransfer, {
      params,
      body: {
        ...without,
        emv: null,
        destination_bank_account: { pix_key_type: "EMAIL", pix_key: "outro@exemplo.com.br" },
      },
    });
    expect(out.body).toMatchObject({ emv: null, emv_data: null, payment_method: "PIX" });
  });
});

describe("a charge", () => {
  it("is paid once: the second payment of it is a mistake, and of two concurrently closed batches one pays it", async () => {
    await kit.deposit(1_000_00);
    const first = await drafted([byCode(good)]);
    kit.clock.advance({ seconds: 1 });
    const second = await drafted([byCode(good)]);
    const shown = await kit.admin.call(readBatch, { params: { id: second.id } });
    expect(shown.body.transfers[0].errors).toEqual([{ code: "qr_duplicated", field: "emv" }]);
    const answers = await Promise.all([first, second].map(({ id }) => closing(kit.admin, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    const statuses = [
      await fetchStatuses(kit.admin, first.id),
      await fetchStatuses(kit.admin, second.id),
    ].flat();
    expect(statuses.toSorted()).toEqual(["CREATED", "FINISHED"]);
    expect((await makeCall(kit.operator, good)).body.charge.status).toBe("PAID");
  });

  it("is settled by our payment with the payer's name if it belongs to another company here", async () => {
    const charge = await createCharge(kit.services, "01990000-0000-7000-8000-00000000b001", {
      id: uuidv7(kit.clock.now().getTime()),
      amount: cents(75_00),
      payer: { name: "Aurora", taxId: "11222333000181" },
      method: { kind: "pix" },
      paymentLinkId: null,
      description: null,
    } as never);
    const emv = charge.pix?.brCode ?? "";
    expect((await makeCall(kit.operator, emv)).body.charge).toMatchObject({
      status: "ACTIVE",
      amount: 75_00,
    });
    await kit.deposit(100_00);
    const { id } = await drafted([byCode(emv)]);
    expect((await closing(kit.admin, id)).status).toBe(200);
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    const { createdPayin } = await kit.services.db.withCompany(
      "01990000-0000-7000-8000-00000000b001",
      async (tx) => {
        const { findPayin } = await import("../../payins/store.ts");
        return { createdPayin: await findPayin(tx, charge.id) };
      },
    );
    expect(createdPayin).toMatchObject({ status: "received", received_amount: 75_00 });
    expect((await makeCall(kit.operator, emv)).body.charge.status).toBe("PAID");
  });

  it("is queried for at most twenty codes of a batch in one call", async () => {
    const many = Array.from({ length: 21 }, (_, n) => byCode(code("cob", 100 + n, "202608132359")));
    const answer = await kit.admin.call(createBatch, { body: { name: "Muitos", transfers: many } });
    expect(answer).toMatchObject({ status: 422, body: { errorCode: "too_many_codes" } });
    const { id } = await drafted([byCode(good)]);
    expect((await kit.admin.call(addTransfer, { params: { id }, body: many[0] })).status).toBe(200);
  });
});

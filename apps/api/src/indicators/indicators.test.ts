/** The indicators compared with payments of known outcome, over days, a month's end and every event of a payment. */
import { randomUUID } from "node:crypto";
import { refundBoleto } from "@malote/contracts/boletos";
import {
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
  readQuantityPerMonth,
} from "@malote/contracts/indicators";
import { withdrawBalance } from "@malote/contracts/statement";
import { changeTransfer, refundTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handleEvents } from "../payments/index.ts";
import type { RailEvent } from "../ports/rails.ts";
import type { Person } from "../testing/app.ts";
import {
  boletoDraft,
  boletoOf,
  fetchBoletoStatuses,
  fetchBoletos,
  magicBarcode,
} from "../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  companyIs,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../testing/payments-kit.ts";

const year = { startDate: "2026-01-01", endDate: "2026-12-31" };
const november = { startDate: "2026-11-01", endDate: "2026-11-30" };
type Period = typeof year;

let kit: PaymentsKit;
beforeEach(async () => {
  // The start is a Friday morning in São Paulo; the Monday after is a bank holiday.
  kit = await openPayments({ start: "2026-10-30T13:00:00Z" });
});
afterEach(() => kit.close());

const badKey = (value: number, ending = "15") =>
  pix(value, {
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: `chave.pix${ending}@exemplo.com.br` },
  });
const inter = (value: number) => {
  const { destination_bank_account: account } = ted(value);
  return ted(value, { destination_bank_account: { ...account, bank_id: "00416968" } });
};
const returningTed = (value: number) => ted(value, {}, "61420738526");

/** The payments are sent, and a TED's duration passes. */
async function settle() {
  await kit.pass({ seconds: 1 });
  await kit.pass({ minutes: 4 });
}

const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as never;
};
async function figures(period: Period, by: Person = kit.admin) {
  const arrived = { ...period, status: "finished,transferred" };
  const [months, days, finished, returned, counts, reasons] = await Promise.all([
    ok(by.call(readQuantityPerMonth, { query: arrived })),
    ok(by.call(readQuantityPerDay, { query: arrived })),
    ok(by.call(readDistributionPerBank, { query: { ...period, status: "finished" } })),
    ok(by.call(readDistributionPerBank, { query: { ...period, status: "returned" } })),
    ok(by.call(readCountByStatus, { query: { ...period, status: "finished,returned" } })),
    ok(by.call(readFailedPerStatusDescription, { query: period })),
  ]);
  const some = ({ data }: { data: { date: string; quantity: number }[] }) =>
    Object.fromEntries(data.filter(({ quantity }) => quantity > 0).map((one) => [one.date, one.quantity]));
  const shares = ({ data }: { data: { name?: string; description?: string; quantity: number }[] }) =>
    Object.fromEntries(data.map((one) => [one.name ?? one.description, one.quantity]));
  return {
    months: some(months),
    days: some(days),
    finished: shares(finished),
    returned: shares(returned),
    counts,
    reasons: shares(reasons),
  };
}
const nothing = {
  months: {},
  days: {},
  finished: {},
  returned: {},
  counts: { finished: 0, returned: 0 },
  reasons: {},
};

const calls = [
  [readQuantityPerMonth, { status: "finished,transferred" }],
  [readQuantityPerDay, { status: "finished,transferred" }],
  [readDistributionPerBank, { status: "finished" }],
  [readCountByStatus, { status: "finished,returned" }],
  [readFailedPerStatusDescription, {}],
] as const;

describe.each(calls)("the call $id", (contract, given) => {
  const makeCall = (by: Person, query: Record<string, string>) => by.call(contract, { query });

  it("IND-005 IND-009 refuses callers without a session, and answers every profile", async () => {
    const query = { ...november, ...given };
    expect((await kit.call(contract, { query })).status).toBe(401);
    for (const person of [kit.admin, kit.operator, kit.analyst])
      expect((await makeCall(person, query)).status).toBe(200);
  });

  it("IND-003 IND-004 refuses a period of more than a year or less than a day, in these words", async () => {
    const refusal = async (startDate: string, endDate: string) => {
      const { status, body } = await makeCall(kit.admin, { startDate, endDate, ...given });
      return [status, body.message];
    };
    const tooLong = [400, "Período selecionado deve ser menor que 1 ano."];
    const tooShort = [400, "Período selecionado deve ser maior que 1 dia."];
    expect(await refusal("2026-01-01", "2027-01-02")).toEqual(tooLong);
    expect(await refusal("2026-11-01", "2026-11-01")).toEqual(tooShort);
    expect(await refusal("2026-11-30", "2026-11-01")).toEqual(tooShort);
    expect(
      (await makeCall(kit.admin, { startDate: "2026-01-01", endDate: "2027-01-01", ...given })).status,
    ).toBe(200);
  });

  it("IND-005 IND-009 refuses invalid days and unknown statuses", async () => {
    const bad = [
      { ...given },
      { ...given, startDate: "2026-11-01" },
      { ...given, startDate: "01/11/2026", endDate: "2026-11-30" },
      { ...given, startDate: "2026-11-01", endDate: "2026-11-31" },
      ...("status" in given ? [{ ...november }, { ...november, status: "finished,paid" }] : []),
    ];
    for (const query of bad)
      expect(await makeCall(kit.admin, query as never), JSON.stringify(query)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
  });
});

describe("the figures", () => {
  it("IND-010 show every month and day of the period, also those without payments, and shares with two decimals", async () => {
    await paidFor(kit, [pix(1_00), ted(1_00), ted(2_00), badKey(1_00), badKey(2_00), badKey(3_00, "25")]);
    await settle();
    await kit.passUntil("2026-11-04T15:00:00Z");
    const months = await kit.admin.call(readQuantityPerMonth, {
      query: { startDate: "2026-09-15", endDate: "2026-11-02", status: "finished" },
    });
    expect(months.body).toEqual({
      data: [
        { date: "2026-09-01", quantity: 0 },
        { date: "2026-10-01", quantity: 3 },
        { date: "2026-11-01", quantity: 0 },
      ],
    });
    const days = await kit.admin.call(readQuantityPerDay, {
      query: { startDate: "2026-10-29", endDate: "2026-11-01", status: "finished" },
    });
    expect(days.body).toEqual({
      data: [
        { date: "2026-10-29", quantity: 0 },
        { date: "2026-10-30", quantity: 3 },
        { date: "2026-10-31", quantity: 0 },
        { date: "2026-11-01", quantity: 0 },
      ],
    });
    const banks = await kit.admin.call(readDistributionPerBank, { query: { ...year, status: "finished" } });
    expect(banks.body).toEqual({
      data: [
        { name: "Itaú Unibanco", percentage: 66.67, quantity: 2 },
        { name: "Pix por chave", percentage: 33.33, quantity: 1 },
      ],
    });
    const counts = await kit.admin.call(readCountByStatus, {
      query: { ...year, status: "finished,returned" },
    });
    expect(counts.body).toEqual({ finished: 3, returned: 0 });
    const reasons = await kit.admin.call(readFailedPerStatusDescription, { query: year });
    expect(reasons.body).toEqual({
      data: [
        { description: "Chave PIX não encontrada.", percentage: 66.67, quantity: 2 },
        {
          description: "Após algumas tentativas não conseguimos enviar a transferência ao banco de destino.",
          percentage: 33.33,
          quantity: 1,
        },
      ],
    });
  });

  it("IND-006 IND-007 IND-008 follow payments that arrive, fail, are corrected, returned and sent back by the bank", async () => {
    expect(await figures(year)).toEqual(nothing);
    const id = await paidFor(kit, [
      pix(1_00),
      pix(2_00),
      ted(3_00),
      inter(4_00),
      returningTed(5_00),
      badKey(6_00),
      badKey(7_00),
      badKey(8_00, "25"),
    ]);
    await settle();
    // TEDs have arrived and may still be returned until the next business day, so they count per day and are not final
    // yet.
    expect(await figures(year)).toEqual({
      months: { "2026-10-01": 5 },
      days: { "2026-10-30": 5 },
      finished: { "Pix por chave": 2 },
      returned: {},
      counts: { finished: 2, returned: 0 },
      reasons: {
        "Chave PIX não encontrada.": 2,
        "Após algumas tentativas não conseguimos enviar a transferência ao banco de destino.": 1,
      },
    });

    // Only the requested status of the list counts.
    for (const [status, quantity] of [
      ["finished", 2],
      ["transferred", 3],
      ["returned", 0],
    ] as const)
      for (const contract of [readQuantityPerMonth, readQuantityPerDay]) {
        const { data } = (await ok(kit.admin.call(contract, { query: { ...year, status } }))) as {
          data: { quantity: number }[];
        };
        expect([status, data.reduce((sum, one) => sum + one.quantity, 0)]).toEqual([status, quantity]);
      }

    // On the first business day after the holiday all TEDs are final except the returned one.
    await kit.passUntil("2026-11-03T15:00:00Z");
    const back = "TED devolvida pelo banco de destino: agência ou conta inválida.";
    expect(await figures(year)).toMatchObject({
      days: { "2026-10-30": 4 },
      finished: { "Pix por chave": 2, "Itaú Unibanco": 1, Inter: 1 },
      returned: { "Itaú Unibanco": 1 },
      counts: { finished: 4, returned: 1 },
      reasons: { "Chave PIX não encontrada.": 2, [back]: 1 },
    });

    const transfers = (await batch(kit.admin, id)).transfers;
    const [first, , third] = transfers.filter(({ status }) => status === "FAILED");
    await ok(kit.admin.call(changeTransfer, { params: { id, tid: first.id }, body: pix(first.value) }));
    // The payment is on its way again, so it counts neither as failed nor as arrived.
    expect((await figures(year)).reasons).toMatchObject({ "Chave PIX não encontrada.": 1 });
    await settle();
    await ok(
      kit.admin.call(refundTransfer, { params: { id, tid: third.id } }, { "idempotency-key": randomUUID() }),
    );
    const end = {
      days: { "2026-10-30": 4, "2026-11-03": 1 },
      months: { "2026-10-01": 4, "2026-11-01": 1 },
      finished: { "Pix por chave": 3, "Itaú Unibanco": 1, Inter: 1 },
      returned: { "Itaú Unibanco": 1, "Pix por chave": 1 },
      counts: { finished: 5, returned: 2 },
      reasons: {
        "Chave PIX não encontrada.": 1,
        "Após algumas tentativas não conseguimos enviar a transferência ao banco de destino.": 1,
        [back]: 1,
      },
    };
    expect(await figures(year)).toEqual(end);
    expect(await figures(november)).toEqual({
      ...end,
      days: { "2026-11-03": 1 },
      months: { "2026-11-01": 1 },
      finished: { "Pix por chave": 1 },
      counts: { finished: 1, returned: 2 },
      // A returned payment counts on the day of its return, a failed one on the day of its failure.
      reasons: {
        "Após algumas tentativas não conseguimos enviar a transferência ao banco de destino.": 1,
        [back]: 1,
      },
    });
    // Counts the same from the payments of the batches.
    const now = (await batch(kit.admin, id)).transfers as { status: string }[];
    const count = (status: string) => now.filter((one) => one.status === status).length;
    expect([count("FINISHED"), count("RETURNED"), count("FAILED")]).toEqual([5, 2, 1]);
  });

  it("IND-005 use the day in São Paulo, and count both ends of the period", async () => {
    await kit.passUntil("2026-11-01T02:59:58Z");
    await paidFor(kit, [pix(1_00)]);
    await kit.drainJobs();
    await kit.passUntil("2026-11-01T02:59:59Z");
    await kit.passUntil("2026-11-01T03:00:00Z");
    await paidFor(kit, [pix(2_00), pix(3_00)]);
    await kit.drainJobs();
    await kit.passUntil("2026-11-01T03:00:02Z");
    expect((await figures(year)).days).toEqual({ "2026-10-31": 1, "2026-11-01": 2 });
    expect((await figures(year)).months).toEqual({ "2026-10-01": 1, "2026-11-01": 2 });
    // Both days of a period belong to it, and a month counts only its days within it.
    const ofDays = (startDate: string, endDate: string) => figures({ startDate, endDate });
    const some = (months: object, days: object, count: number) => ({
      ...nothing,
      months,
      days,
      finished: { "Pix por chave": count },
      counts: { finished: count, returned: 0 },
    });
    const [last, first] = [{ "2026-10-31": 1 }, { "2026-11-01": 2 }];
    const both = some({ "2026-10-01": 1, ...first }, { ...last, ...first }, 3);
    expect(await ofDays("2026-10-31", "2026-11-01")).toEqual(both);
    expect(await ofDays("2026-10-29", "2026-10-31")).toEqual(some({ "2026-10-01": 1 }, last, 1));
    expect(await ofDays("2026-11-01", "2026-11-02")).toEqual(some(first, first, 2));
    expect(await ofDays("2026-10-29", "2026-10-30")).toEqual(nothing);
  });

  it("move a payment to the day of its arrival even if that event is reported last, and count no event twice", async () => {
    const id = await paidFor(kit, [ted(1_00)]);
    await kit.drainJobs();
    const [{ end_to_end_id: endToEndId }] = (await batch(kit.admin, id)).transfers;
    const event = (fields: object) => ({ companyId: auroraId, endToEndId, ...fields }) as RailEvent;
    const finished = event({ id: "f", kind: "finished", at: "2026-11-03T11:00:00.000Z" });
    const settled = event({ id: "s", kind: "settled", final: false, at: "2026-10-30T13:04:00.000Z" });
    await handleEvents(kit.services, [finished]);
    expect((await figures(year)).days).toEqual({ "2026-11-03": 1 });
    await handleEvents(kit.services, [settled, finished]);
    await handleEvents(kit.services, [settled]);
    expect(await figures(year)).toMatchObject({
      days: { "2026-10-30": 1 },
      counts: { finished: 1, returned: 0 },
    });
  });

  it("exclude withdrawals, whether they arrive, are refused or sent back", async () => {
    await kit.deposit(1_000_00);
    for (const cpfCnpj of ["11222333000181", "98702951000107", "58204617000109"]) {
      await companyIs(kit, cpfCnpj);
      await ok(
        kit.admin.call(withdrawBalance, { body: { value: 1_00 } }, { "idempotency-key": randomUUID() }),
      );
    }
    await settle();
    await kit.passUntil("2026-11-04T15:00:00Z");
    const { rows } = await kit.services.db.pool.query(
      "SELECT status FROM transfers WHERE company_id = $1 ORDER BY status",
      [auroraId],
    );
    expect(rows.map(({ status }) => status)).toEqual(["FINISHED", "RETURNED", "RETURNED"]);
    expect(await figures(year)).toEqual(nothing);
  });

  it("exclude boletos, whether they are paid, fail, are returned or sent back", async () => {
    await kit.deposit(1_000_00);
    const endings = ["15", "25", "35"].map((ending) =>
      boletoOf(1_00, { barcode: magicBarcode(1_00, ending) }),
    );
    const { id } = await boletoDraft(kit.admin, [boletoOf(1_00), ...endings]);
    await ok(closing(kit.admin, id));
    await settle();
    const [, failed] = await fetchBoletos(kit.admin, id);
    await ok(
      kit.admin.call(
        refundBoleto,
        { params: { id, billetId: failed?.id ?? "" } },
        { "idempotency-key": randomUUID() },
      ),
    );
    await kit.passUntil("2026-11-04T15:00:00Z");
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["FINISHED", "RETURNED", "FAILED", "RETURNED"]);
    expect(await figures(year)).toEqual(nothing);
  });

  it("IND-005 are those of the caller's company", async () => {
    await paidFor(kit, [pix(1_00), badKey(1_00)]);
    await settle();
    expect((await figures(year)).counts).toEqual({ finished: 1, returned: 0 });
    expect(await figures(year, kit.stranger)).toEqual(nothing);
  });

  it("IND-010 have a reason for a payment that was sent back without one", async () => {
    const id = await paidFor(kit, [ted(1_00)]);
    await kit.drainJobs();
    const [{ end_to_end_id: endToEndId }] = (await batch(kit.admin, id)).transfers;
    await handleEvents(kit.services, [
      {
        id: "r",
        kind: "returned",
        companyId: auroraId,
        endToEndId,
        at: "2026-10-30T13:04:00.000Z",
        reason: "",
      },
    ]);
    expect((await figures(year)).reasons).toEqual({ "Motivo não informado": 1 });
  });
});

/** Card receivables over HTTP: expected instalments, their arrival, and the list. */
import { randomUUID } from "node:crypto";
import {
  downloadReceivableReport,
  listReceivables,
  type Receivable,
  readReceivableReport,
  readReceivableTotals,
  requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { readCheckpoint } from "@malote/contracts/company";
import { readPayin, refundPayin } from "@malote/contracts/payins";
import { addDays, businessDayOnOrAfter, saoPauloDate } from "@malote/domain/calendar";
import { afterAll, beforeAll, expect, it } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { createCharge } from "../payins/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Person } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
const has = (flag: boolean, hasCardCharge: boolean) =>
  setCompany(kit.services, auroraId, { feature_flags: flag ? ["card-charge"] : [], hasCardCharge });
beforeAll(async () => {
  kit = await openPayments();
  await has(true, true);
});
afterAll(() => kit.close());

async function sell(amount: number, installments: number) {
  const card = { number: goodCard, holder: "M", expiry: { month: 12, year: 2031 }, securityCode: "123" };
  const id = uuidv7();
  await createCharge(kit.services, auroraId, {
    id,
    paymentLinkId: null,
    amount,
    payer: { name: "Bruno Sales", taxId: "11222333000181" },
    description: null,
    method: { kind: "credit_card", installments, card },
  });
  return id;
}
const makeCall = (query: Record<string, string> = {}, by: Person = kit.admin) =>
  by.call(listReceivables, { query });
const list = async (query: Record<string, string> = {}): Promise<Receivable[]> =>
  (await makeCall({ page_size: "100", ...query })).body.items;
const totals = async (query: Record<string, string> = {}) =>
  (await kit.admin.call(readReceivableTotals, { query })).body;
const payin = async (id: string) => (await kit.admin.call(readPayin, { params: { id } })).body;
const until = (day: string) => kit.passUntil(`${day}T12:00:00Z`);

it("CRD-001 is for companies with the flag and the setting", async () => {
  expect((await kit.call(listReceivables)).status).toBe(401);
  for (const [flag, setting] of [
    [true, false],
    [false, true],
  ] as const) {
    await has(flag, setting);
    expect((await makeCall()).status).toBe(403);
    expect((await kit.admin.call(readReceivableTotals)).status).toBe(403);
    expect((await kit.admin.call(requestReceivableReport, { body: {} })).status).toBe(403);
  }
  await has(true, true);
  expect((await makeCall({}, kit.analyst)).status).toBe(200);
});

it("CRD-004 CRD-005 CRD-006 pays one instalment a month, net of the fee, on its business day and never before", async () => {
  const id = await sell(100_00, 3);
  const soldOn = saoPauloDate(kit.clock.now());
  const made = (await list()).toReversed();
  const gross = [33_34, 33_33, 33_33];
  expect(made.map((one) => one.gross_amount)).toEqual(gross);
  // The fee of 3.99 % is rounded half up in each instalment.
  expect(made.map((one) => one.net_amount)).toEqual(
    gross.map((amount) => amount - Math.round(amount * 0.0399)),
  );
  const days = [1, 2, 3].map((n) => businessDayOnOrAfter(addDays(soldOn, 30 * n)));
  expect(made.map((one) => one.expected_receive_date)).toEqual(days);
  expect(made[0]).toMatchObject({
    status: "scheduled",
    receive_date: null,
    authorization_code: expect.stringMatching(/^\d{6}$/),
  });
  expect(made.map(({ transaction }) => [transaction.installment, transaction.installments])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  // Both dates belong to the sale, not to its instalments.
  expect(made.map(({ transaction }) => saoPauloDate(new Date(transaction.date)))).toEqual(
    Array(3).fill(soldOn),
  );
  const net = made.map((one) => one.net_amount);
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  expect((await totals()).scheduled.total_amount).toBe(sum(net));
  // The totals come from the list's own query.
  const [first = "", second = ""] = days as string[];
  for (const [query, amount] of [
    [{ search: made[0]?.authorization_code ?? "" }, sum(net)],
    [{ search: "ninguem" }, 0],
    [{ receive_date__gte: second }, sum(net.slice(1))],
    [{ receive_date__lte: first }, net[0]],
    [{ receive_date__gte: second, receive_date__lte: second }, net[1]],
  ] as const)
    expect([query, (await totals(query)).scheduled.total_amount]).toEqual([query, amount]);

  const before = await fetchBalance(kit.admin);
  await kit.passUntil(`${days[0]}T02:59:00Z`);
  expect(await fetchBalance(kit.admin)).toBe(before);
  await until(days[0] as string);
  await until(days[0] as string);
  expect(await fetchBalance(kit.admin)).toBe(before + (net[0] ?? 0));
  expect(await payin(id)).toMatchObject({ status: "authorized", received_amount: 33_34 });
  expect((await list()).toReversed().map((one) => [one.status, one.receive_date])).toEqual([
    ["received", days[0]],
    ["scheduled", null],
    ["scheduled", null],
  ]);
  const types = (await fetchStatement(kit.admin)).entries.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["FEE", "DEPOSIT"]));
  await until(days[2] as string);
  expect(await fetchBalance(kit.admin)).toBe(before + sum(net));
  expect(await payin(id)).toMatchObject({ status: "received", received_amount: 100_00 });
  expect(await totals()).toMatchObject({
    scheduled: { total_amount: 0 },
    received: { total_amount: sum(net) },
  });
});

it("CRD-005 cancels pending instalments of a refunded sale and returns paid ones; a refused refund changes nothing", async () => {
  const start = await fetchBalance(kit.admin);
  const id = await sell(200_00, 2);
  await kit.pass({ days: 40 });
  expect(await fetchBalance(kit.admin)).toBeGreaterThan(start);
  const refund = (of: string, amount: number) =>
    kit.admin.call(
      refundPayin,
      { params: { id: of }, body: { amount } },
      { "idempotency-key": randomUUID() },
    );
  expect((await refund(id, 200_00)).status).toBe(200);
  expect(await fetchBalance(kit.admin)).toBe(start);
  expect((await list({ status__in: "canceled" })).length).toBe(1);
  expect((await list({ status__in: "refunded" }))[0]).toMatchObject({ gross_amount: 100_00 });
  // Each half is net of the same fee: one half never arrived, the other was returned.
  expect(await totals()).toMatchObject({
    scheduled: { total_amount: 0 },
    canceled: { total_amount: 96_01 },
    refunded: { total_amount: 96_01 },
  });
  expect(await totals({ status__in: "canceled" })).toEqual({
    scheduled: { total_amount: 0 },
    received: { total_amount: 0 },
    canceled: { total_amount: 96_01 },
    refunded: { total_amount: 0 },
  });
  await kit.drainJobs();
  await kit.pass({ days: 60 });
  expect(await fetchBalance(kit.admin)).toBe(start);

  const refused = await sell(66_02, 2);
  await kit.pass({ days: 40 });
  const after = await fetchBalance(kit.admin);
  expect((await refund(refused, 66_02)).status).toBe(200);
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  expect(await fetchBalance(kit.admin)).toBe(after);
  expect(await payin(refused)).toMatchObject({ status: "authorized", refunded_amount: 0 });
  await kit.pass({ days: 40 });
  expect(await payin(refused)).toMatchObject({ status: "received", received_amount: 66_02 });
});

it("CRD-002 CRD-003 CRD-004 can be searched by code or value, and filtered by status and by the date of a column", async () => {
  const [one] = await list({ search: "33,34" });
  if (!one) throw new Error("nothing of R$ 33,34");
  expect((await list({ search: one.authorization_code })).length).toBe(3);
  expect(one.net_amount).not.toBe(one.gross_amount);
  const net = (one.net_amount / 100).toFixed(2).replace(".", ",");
  expect((await list({ search: net })).map(({ id }) => id)).toContain(one.id);
  expect(await list({ search: "%" })).toEqual([]);
  const day = one.receive_date as string;
  expect((await list({ receive_date__gte: day, receive_date__lte: day })).map(({ id }) => id)).toEqual([
    one.id,
  ]);
  expect((await list({ status__in: "scheduled" })).length).toBe(0);
  const raw = async (query: string) =>
    (await kit.admin.get(`/api/cards/app/receivables?page_size=100&${query}`)).body.items as Receivable[];
  const all = await list();
  const of = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status));
  expect([of("received").length > 0, of("canceled").length > 0, of("refunded").length > 0]).toEqual([
    true,
    true,
    true,
  ]);
  // CRD-004: a repeated filter means all of its values.
  expect(await raw("status__in=received&status__in=canceled")).toEqual(of("received", "canceled"));
  expect(await raw("status__in=received")).toEqual(of("received"));
  const first = (await makeCall()).body;
  expect(first.metadata.pagination.itemsPerPage).toBe(10);
  expect(first.items).toEqual((await makeCall({ page: "0" })).body.items);
  const paged = (await makeCall({ page_size: "2", page: "1" })).body;
  expect(paged.metadata.pagination).toEqual({ itemsPerPage: 2, totalItems: (await list()).length });
  expect(paged.items[0].id).toBe((await list())[2]?.id);
  const third = (await makeCall({ page_size: "2", page: "2" })).body;
  expect(third.items[0].id).toBe((await list())[4]?.id);
  expect((await makeCall({}, kit.stranger)).status).toBe(403);
});

/** Sells by 24 instalments expected on the first day of 2040, all in one moment; returns how to take them away. */
async function sellMany(sales: number) {
  const { pool } = kit.services.db;
  const made = await pool.query<{ id: string }>(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'authorized', 'credit_card', 24, now(), now() FROM generate_series(1, $2::int) RETURNING id`,
    [auroraId, sales],
  );
  const many = [auroraId, made.rows.map(({ id }) => id)];
  await pool.query(
    `INSERT INTO card_receivables (company_id, id, payin_id, installment, installments, status, sold_at, authorization_code,
       gross_amount, net_amount, expected_receive_date)
     SELECT $1, gen_random_uuid(), payin, n, 24, 'scheduled', $3, '000000', 1, 1, '2040-01-01'
     FROM unnest($2::uuid[]) payin, generate_series(1, 24) n`,
    [...many, kit.clock.now()],
  );
  return async () => {
    await pool.query("DELETE FROM card_receivables WHERE company_id = $1 AND payin_id = ANY($2)", many);
    await pool.query("DELETE FROM payins WHERE company_id = $1 AND id = ANY($2)", many);
  };
}

it("CRD-004 counts and pages by number up to ten thousand, not beyond", async () => {
  const takeAway = await sellMany(420);
  const page = async (query: Record<string, string>) => (await makeCall(query)).body;
  const last = await page({ page_size: "30", page: "333" });
  expect(last.metadata.pagination.totalItems).toBe(10_000);
  expect(last.items).toHaveLength(10);
  expect((await page({ page_size: "30", page: "334" })).items).toEqual([]);
  expect((await page({ page_size: "100", page: "1000000" })).items).toEqual([]);
  // Those of one day keep their order: no page repeats one of another, with the filters of each.
  const day = { status__in: "scheduled", receive_date__gte: "2040-01-01", search: "000000" };
  const pages = await Promise.all(
    ["0", "1", "2", "3"].map((at) => page({ ...day, page_size: "7", page: at })),
  );
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(28);
  expect(ids).toEqual([...ids].sort().reverse());
  await takeAway();
});

it("CRD-010 FST-024 can be downloaded as a sheet with the filters of the list", async () => {
  const noted = async () =>
    (await kit.admin.call(readCheckpoint, { params: { id: "HAS_CREATED_REPORT" } })).body.exists;
  expect(await noted()).toBe(false);
  const { body: requested } = await kit.admin.call(requestReceivableReport, { body: { search: "33,34" } });
  expect(await noted()).toBe(true);
  const params = { id: requested.id };
  const { body: ready } = await kit.admin.call(readReceivableReport, { params });
  expect(ready.filename).toMatch(/^Recebíveis de cartão \d{4}-\d\d-\d\d\.csv$/);
  expect(ready.link).toBe(`/api/cards/app/card_receivables_reports/${requested.id}/file`);
  const { body: text } = await kit.admin.call(downloadReceivableReport, { params });
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/1 de 3.*33,34.*32,01.*Recebido/);
  const rowsFor = async (filters: object) => {
    const { body: made } = await kit.admin.call(requestReceivableReport, { body: filters });
    const sheet = await kit.admin.call(downloadReceivableReport, { params: { id: made.id } });
    return sheet.body.trim().split("\r\n").length - 1;
  };
  const all = await list();
  const [one] = await list({ search: "33,34" });
  const day = one?.receive_date ?? "";
  const of = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status)).length;
  const on = all.filter((each) => (each.receive_date ?? each.expected_receive_date) === day).length;
  expect([
    await rowsFor({}),
    await rowsFor({ status__in: ["received", "canceled"] }),
    await rowsFor({ receive_date__gte: day, receive_date__lte: day }),
    await rowsFor({ receive_date__gte: "2099-01-01" }),
    await rowsFor({ receive_date__lte: "2020-01-01" }),
  ]).toEqual([all.length, of("received", "canceled"), on, 0, 0]);
});

it("CRD-010 the sheet contains every instalment once, also after the first thousand", async () => {
  const takeAway = await sellMany(100);
  const body = { receive_date__gte: "2040-01-01" };
  const { body: requested } = await kit.admin.call(requestReceivableReport, { body });
  const { body: sheet } = await kit.admin.call(downloadReceivableReport, { params: { id: requested.id } });
  const named: string[] = String(sheet).match(/\d+ de 24/g) ?? [];
  const times = (instalment: string) => named.filter((one) => one === instalment).length;
  const instalments = Array.from({ length: 24 }, (_, at) => `${at + 1} de 24`);
  expect(instalments.map(times)).toEqual(Array(24).fill(100));
  await takeAway();
});

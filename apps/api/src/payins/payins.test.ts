/** Payins over HTTP: list, totals and details. */
import { readPayinHistory } from "@malote/contracts/history";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinTotals,
  requestPayinReport,
} from "@malote/contracts/payins";
import { sendTed } from "@malote/contracts/simulator-payins";
import type { StatementEntry } from "@malote/contracts/statement";
import { cardRejections } from "@malote/domain/card-rejections";
import { cents, formatBrl } from "@malote/domain/money";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chargeMagicValues } from "../adapters/sandbox/charges/index.ts";
import { handleEvents } from "../payments/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { payinCalls } from "../testing/payins-kit.ts";
import {
  auroraId,
  auroraKey,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../testing/payments-kit.ts";
import { createCharge } from "./index.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { deposit, list, fetchPayin, read, refund, received, charged, soldByCard } = payinCalls(() => kit);

const expiredCard = () => {
  const { value } =
    chargeMagicValues.find(({ outcome }) => outcome.endsWith(rejection("card_expired"))) ?? {};
  return value?.replaceAll(" ", "") ?? "";
};
const rejection = (code: string) => cardRejections[code] ?? code;

describe("refuses", () => {
  it("a cursor the server did not issue", async () => {
    const answer = await kit.admin.call(listPayins, { query: { page_cursor: "b2xkZXIgMQ" } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});

describe("the list", () => {
  it("PAY-003 PAY-014 PAY-017 PAY-018 filters, searches and sums the same payins", async () => {
    await deposit(123_45, {
      payer_name: "Zélia Ação Ltda",
      payer_document: "11.222.333/0001-81",
      txid: "PEDIDO77",
    });
    await charged(17_00, { kind: "pix" });
    for (const [by, status] of [
      ["network", "canceled_by_psp"],
      ["user", "canceled_by_user"],
    ] as const) {
      const chargeId = await charged(15_00, { kind: "pix" });
      const ended = { companyId: auroraId, chargeId, at: kit.clock.now().toISOString() };
      await handleEvents(kit.services, [{ ...ended, kind: "charge_cancelled", id: `${chargeId}:end`, by }]);
      expect((await read(chargeId)).status).toBe(status);
    }
    await soldByCard(18_00);
    await soldByCard(16_00, expiredCard());
    const [whole, part] = [await received(20_00), await received(30_00)];
    await refund(whole.id, 20_00);
    await refund(part.id, 10_00);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const all = await list({ page_size: "100" });
    expect(all.metadata.pagination).toEqual({ itemsPerPage: 100, totalItems: all.items.length });
    const only = async (query: Record<string, string>) =>
      (await list({ page_size: "100", ...query })).items.map((one: Payin) => one.amount);
    for (const search of ["zelia acao", "11222333000181", "11.222.333/0001-81", "pedido77", "123,45"]) {
      expect([search, await only({ search })]).toEqual([search, expect.arrayContaining([123_45])]);
    }
    // An id matches only as a whole: "019" is an amount or part of a name, and every id of ours begins with it.
    expect(await only({ search: "019" })).toEqual([]);
    expect(await only({ payment_type__in: "pix_static_qrcode" })).toEqual([123_45]);
    const twoTypes = "payment_type__in=pix_static_qrcode&payment_type__in=pix_dynamic_qrcode";
    const ofTwo = await kit.admin.get(`/api/payments/app/payins?${twoTypes}`);
    expect(new Set(ofTwo.body.items.map((one: Payin) => one.payment_type))).toEqual(
      new Set(["pix_static_qrcode", "pix_dynamic_qrcode"]),
    );
    expect(await only({ created_at__gte: "2099-01-01T00:00:00Z" })).toEqual([]);
    // Both bounds belong to the period.
    const { id: newest, created_at: at } = all.items[0] as Payin;
    const ofThatMoment = await list({ created_at__gte: at, created_at__lte: at });
    expect(ofThatMoment.items.map(({ id }) => id)).toContain(newest);
    const returned = await list({ page_size: "100", status__in: "refunded" });
    const statuses = new Set(returned.items.map((one: Payin) => one.status));
    expect(statuses).toEqual(new Set(["refunded", "partially_refunded"]));
    const authorized = await list({ page_size: "100", status__in: "authorized" });
    expect(authorized.items.length).toBeGreaterThan(0);
    for (const order of [
      "status__in=refunded&status__in=authorized",
      "status__in=authorized&status__in=refunded",
    ]) {
      const two = await kit.admin.get(`/api/payments/app/payins?${order}&page_size=100`);
      expect(new Set(two.body.items.map((one: Payin) => one.id))).toEqual(
        new Set([...returned.items, ...authorized.items].map((one: Payin) => one.id)),
      );
    }

    const totals = (await kit.admin.call(readPayinTotals, { query: {} })).body;
    const sum = (word: "received" | "refunded") => totals[word].total_amount;
    const items: Payin[] = all.items;
    const partly = items.filter(({ status }) => status === "partially_refunded");
    const of = (wanted: readonly string[]) =>
      items.filter(({ status }) => wanted.includes(status)).reduce((total, { amount }) => total + amount, 0);
    const givenOfPartly = partly.reduce((total, one) => total + one.refunded_amount, 0);
    for (const [name, statuses] of [
      ["authorized", ["authorized"]],
      ["canceled", ["canceled", "canceled_by_user", "canceled_by_psp"]],
      ["pending", ["pending", "active"]],
      ["unauthorized", ["unauthorized"]],
    ] as const) {
      const count = items.filter(({ status }) => statuses.some((one) => one === status)).length;
      expect(count).toBeGreaterThan(0);
      expect([name, totals[name]]).toEqual([name, { total_amount: of(statuses), count }]);
    }
    expect(sum("refunded")).toBe(of(["refunded"]) + givenOfPartly);
    expect(sum("received")).toBe(of(["received", "refunding", "partially_refunded"]) - givenOfPartly);
    // A payin that was refunded in part is in both lists.
    const countOf = (wanted: readonly string[]) =>
      items.filter(({ status }) => wanted.includes(status)).length;
    expect(partly.length).toBeGreaterThan(0);
    expect(totals.received.count).toBe(countOf(["received", "refunding", "partially_refunded"]));
    expect(totals.refunded.count).toBe(countOf(["refunded", "partially_refunded"]));
    const figures = async (query: Record<string, string>) =>
      (await kit.admin.call(readPayinTotals, { query })).body;
    expect(await figures({ status__in: "pending" })).toMatchObject({
      pending: totals.pending,
      received: { total_amount: 0, count: 0 },
    });
    expect((await figures({ payment_type__in: "pix_static_qrcode" })).received).toEqual({
      total_amount: 123_45,
      count: 1,
    });
    expect((await figures({ created_at__gte: "2099-01-01T00:00:00Z" })).received.count).toBe(0);
    expect((await figures({ created_at__lte: "2024-01-01T03:00:00Z" })).received.count).toBe(0);
    const narrowed = await kit.admin.call(readPayinTotals, { query: { search: "zelia" } });
    expect(narrowed.body.received).toEqual({ total_amount: 123_45, count: 1 });

    await deposit(54_32, { payer_name: "Olga Prado", payer_document: "390.533.447-05" });
    for (const [search, found] of [
      ["390.533.447-05", [54_32]],
      ["533.447", [54_32]],
      // A search finds no part of the masked digits, or it would reveal them one by one.
      ["390.533", []],
      ["44705", []],
    ] as const) {
      expect([search, await only({ search })]).toEqual([search, found]);
    }
  });

  it("PAY-004 pages by number, and by cursor in both directions if there are too many to count", async () => {
    const ids = (answer: { items: Payin[] }) => answer.items.map(({ id }) => id);
    for (let full = 10 - (await list()).items.length; full > 0; full--) await deposit(1_00);
    const first = await list();
    expect(ids(await list({ page_size: "5", page: "1" }))).toEqual(ids(first).slice(5));
    expect(ids(await list({ page_size: "3", page: "2" }))).toEqual(ids(first).slice(6, 9));
    // Three at a time are of the same moment, so that a cursor stands between two of one moment.
    const older = (from: number, until: number) =>
      kit.services.db.pool.query(
        `INSERT INTO payins (company_id, id, status, payment_type, amount, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'expired', 'boleto', 1, '2025-01-01T00:00:00Z'::timestamptz - n / 3 * interval '1 s', now()
         FROM generate_series($2::int, $3::int) n`,
        [auroraId, from, until],
      );
    const missing = 10_000 - first.metadata.pagination.totalItems;
    await older(1, missing);
    expect((await list()).metadata.pagination).toEqual({ itemsPerPage: 10, totalItems: 10_000 });
    await older(missing + 1, missing + 1);
    const many = await list();
    expect(many.metadata.pagination).toMatchObject({ totalItems: 10_001, previous: null });
    expect(ids(many)).toEqual(ids(first));
    const next = await list({ page_cursor: many.metadata.pagination.next });
    expect([...ids(many), ...ids(next)]).toEqual(ids(await list({ page_size: "20" })));
    const back = await list({ page_cursor: next.metadata.pagination.previous });
    expect(ids(back)).toEqual(ids(first));
    expect(back.metadata.pagination).toMatchObject({ previous: null, next: many.metadata.pagination.next });
    const third = await list({ page_cursor: next.metadata.pagination.next });
    expect(ids(third)).toEqual(ids(await list({ page_size: "30" })).slice(20));
    expect(ids(await list({ page_cursor: third.metadata.pagination.previous }))).toEqual(ids(next));
    // A filter applies beyond a cursor too, which payins of other statuses follow here.
    const few = await list({ page_size: "3" });
    const filtered = await list({ page_cursor: few.metadata.pagination.next, status__in: "expired" });
    expect(new Set(filtered.items.map(({ status }) => status))).toEqual(new Set(["expired"]));
  });

  it("PAY-036 the sheet contains every payin once, also after the first thousand", async () => {
    // The thousandth and the next are of the same moment.
    const { rows } = await kit.services.db.pool.query<{ id: string }>(
      `INSERT INTO payins (company_id, id, status, payment_type, amount, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'expired', 'boleto', 1, '2024-06-01T12:00:00Z'::timestamptz - n / 2 * interval '1 s', now()
       FROM generate_series(1, 2400) n RETURNING id`,
      [auroraId],
    );
    const body = { created_at__gte: "2024-06-01T00:00:00Z", created_at__lte: "2024-06-02T00:00:00Z" };
    const { body: requested } = await kit.admin.call(requestPayinReport, { body });
    const { body: sheet } = await kit.admin.call(downloadPayinReport, { params: { id: requested.id } });
    const named: string[] = String(sheet).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    expect(named.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });
});

it("PAY-020 PAY-022 PAY-026 shows every field of a payin", async () => {
  const { id } = await received(10_00);
  const now = kit.clock.now();
  const payin = await read(id);
  const { details: _, ...shown } = payin;
  expect(shown).toEqual({
    id,
    status: "received",
    created_at: payin.received_at,
    updated_at: payin.received_at,
    received_at: expect.any(String),
    refund_expires_at: expect.any(String),
    expires_at: null,
    amount: 10_00,
    original_amount: null,
    received_amount: 10_00,
    refunded_amount: 0,
    refundable_amount: 10_00,
    rejected_at: null,
    payer: { name: "Mariana Teles Prado", tax_id: "***.982.247-**" },
    payment_type: "pix_key",
    category: "payment",
    payment_link_id: null,
    paid_twice: false,
    end_to_end_id: expect.stringMatching(/^E\d{8}2026/),
    txid: null,
    payment_link: null,
    message: null,
    infraction_ids: [],
    boleto_url: null,
    receipt_file_url: `/api/payments/app/payins/${id}/receipt`,
    block: null,
  });
  expect(now.getTime() - Date.parse(payin.received_at ?? "")).toBeLessThan(5_000);
  kit.clock.advance({ minutes: 5 });
  await refund(id, 4_00);
  const { created_at, updated_at } = await read(id);
  expect([created_at, updated_at]).toEqual([payin.created_at, kit.clock.now().toISOString()]);
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  const nothing = {
    installments: null,
    digitable_line: null,
    authorization_code: null,
    pix_key: null,
    due_date: null,
    charge_id: null,
    interest_type: null,
    interest_amount: null,
    interest_percent: null,
    fine_type: null,
    fine_amount: null,
    fine_percent: null,
    rejection_reason: null,
  };
  expect(payin.details).toEqual({ ...nothing, pix_key: auroraKey });
  const open = await read(await charged(14_00, { kind: "pix" }));
  expect(open.details).toEqual({ ...nothing, charge_id: open.id });
  expect(Date.parse(open.expires_at ?? "") - Date.parse(open.created_at)).toBe(86_400_000);
  const boleto = await charged(11_00, { kind: "boleto", dueInBusinessDays: 2 });
  expect((await read(boleto)).details).toEqual({
    ...nothing,
    charge_id: boleto,
    // The digitable line as a payer types it; the bar code has no dots.
    digitable_line: expect.stringMatching(/^593\d\d\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/),
    due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  const [sold, refused] = [await soldByCard(12_00), await soldByCard(13_00, expiredCard())];
  const ofCard = { ...nothing, installments: 2 };
  // The acquirer gave this code for the sale's receivables.
  const { rows } = await kit.services.db.pool.query(
    "SELECT DISTINCT authorization_code FROM card_receivables WHERE payin_id = $1",
    [sold],
  );
  expect(rows).toEqual([{ authorization_code: expect.stringMatching(/^\d{6}$/) }]);
  expect((await read(sold)).details).toEqual({ ...ofCard, charge_id: sold, ...rows[0] });
  expect((await read(refused)).details).toEqual({
    ...ofCard,
    charge_id: refused,
    rejection_reason: "card_expired",
  });
  expect(Date.parse(payin.refund_expires_at ?? "") - Date.parse(payin.received_at ?? "")).toBe(
    90 * 86_400_000,
  );
});

it("PAY-020 PAY-025 a refused card sale is rejected at once, with nothing received or refundable", async () => {
  const refused = await read(await soldByCard(13_50, expiredCard()));
  expect(refused).toMatchObject({
    status: "unauthorized",
    received_at: null,
    received_amount: 0,
    refundable_amount: 0,
    rejected_at: refused.updated_at,
    receipt_file_url: null,
  });
});

it("PAY-020 STM-018 distinguishes a transfer of receivables from a payer's payment", async () => {
  const sent = async (purpose: "payment" | "receivables", value: number) => {
    const { body } = await kit.call(sendTed, { body: { company_id: auroraId, value, purpose } });
    await kit.passUntil(body.arrives_at);
    const { items } = await list({ payment_type__in: "ted", search: formatBrl(cents(value)) });
    return items[0].category;
  };
  expect([await sent("receivables", 1_234_57), await sent("payment", 1_234_58)]).toEqual([
    "settlement",
    "payment",
  ]);
  const { entries }: { entries: StatementEntry[] } = await fetchStatement(kit.admin);
  expect(entries.find(({ value }) => value === 1_234_58)).toMatchObject({
    description: expect.stringMatching(/^TED recebida( de .+)?$/),
    complement: { isTed: true, isPix: false },
  });
});

it("PAY-007 returns nothing from before 2024: in no list, totals or sheet, and by no call of one payin", async () => {
  const old = "0198f000-0000-7000-8000-00000000aaaa";
  await kit.services.db.pool.query(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, payer_name, created_at, updated_at)
     VALUES ($1, $2, 'expired', 'boleto', 77, 'De antes', '2024-01-01T02:59:59Z', now()),
       ($1, gen_random_uuid(), 'expired', 'boleto', 78, 'De antes', '2024-01-01T03:00:00Z', now())`,
    [auroraId, old],
  );
  const query = { search: "De antes", created_at__gte: "2020-01-01T00:00:00Z" };
  expect((await list(query)).items.map(({ amount }) => amount)).toEqual([78]);
  const totals = await kit.admin.call(readPayinTotals, { query });
  expect(totals.body.expired).toEqual({ total_amount: 78, count: 1 });
  const ofOne = [readPayin, readPayinHistory, downloadPayinReceipt, listPayinRefunds];
  for (const contract of ofOne) {
    const answer = await kit.admin.call(contract, { params: { id: old } });
    expect([contract.id, answer.body.code]).toEqual([contract.id, "not_found"]);
  }
  expect((await refund(old, 1)).body.code).toBe("not_found");
  const { body: requested } = await kit.admin.call(requestPayinReport, { body: query });
  const { body: sheet } = await kit.admin.call(downloadPayinReport, { params: { id: requested.id } });
  expect(sheet.trim().split("\r\n")).toHaveLength(2);
});

it("PAY-003 PAY-020 shows what was sold by a payin, what its payer wrote and who contests it", async () => {
  const link = "0198f000-0000-7000-8000-00000000bbbb";
  const plain = "0198f000-0000-7000-8000-00000000cccc";
  await kit.services.db.pool.query(
    `INSERT INTO payment_links (company_id, id, token, name, description, amount, expires_on, payment_methods, created_at)
     VALUES ($1, $2, 'AAAAAAAAAAAAAAAAAAAAAA', 'Curso de outubro', 'Turma da manhã', 4500, '2099-01-01', '{pix}', now()),
       ($1, $3, 'BBBBBBBBBBBBBBBBBBBBBB', 'Rifa de junho', NULL, 4500, '2099-01-01', '{pix}', now())`,
    [auroraId, link, plain],
  );
  const payer = { name: "Bruno Sales", taxId: "11222333000181" };
  const [id, ofPlain] = [uuidv7(), uuidv7()];
  for (const [chargeId, paymentLinkId] of [
    [id, link],
    [ofPlain, plain],
  ] as const)
    await createCharge(kit.services, auroraId, {
      id: chargeId,
      paymentLinkId,
      amount: 45_00,
      payer,
      description: null,
      method: { kind: "pix" },
    });
  expect(await read(id)).toMatchObject({
    payment_link_id: link,
    payment_link: { name: "Curso de outubro", description: "Turma da manhã" },
    txid: id.replaceAll("-", ""),
    receipt_file_url: null,
  });
  const found = async (search: string) => (await list({ search })).items.map((one: Payin) => one.id);
  for (const search of ["curso de outubro", "TURMA DA MANHA", link])
    expect(await found(search)).toEqual([id]);
  expect(await found("rifa de junho")).toEqual([ofPlain]);
  const written = await deposit(46_00, { message: "Pedido 991, obrigada" });
  const shown = await fetchPayin("pedido 991");
  expect(shown).toMatchObject({
    end_to_end_id: written,
    message: "Pedido 991, obrigada",
    infraction_ids: [],
  });
});

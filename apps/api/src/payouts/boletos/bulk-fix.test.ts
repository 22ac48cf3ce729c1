/** Boletos of a draft with the same mistake, corrected by one answer. */
import { fixIssueGroup, listIssueGroups, listIssueRows } from "@malote/contracts/batch-issues";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { validateBatch } from "@malote/contracts/batches";
import type { BoletoInput } from "@malote/contracts/boletos";
import { afterEach, beforeEach, expect, it } from "vitest";
import { barcodeOf, boletoDraft, boletoOf, fetchBoletos } from "../../testing/boletos.ts";
import { batch, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const fetchGroups = async (id: string, by = kit.operator) =>
  (await by.call(listIssueGroups, { params: { id } })).body;
const fix = (id: string, body: object, by = kit.operator) => by.call(fixIssueGroup, { params: { id }, body });
const fetchErrors = async (id: string) =>
  (await kit.operator.call(validateBatch, { params: { id } })).body.errors_count;
const late = { code: "payment_date_expired", field: "payment_date" };
const unnamed = { code: "billet_description_missing", field: "description" };
const datedDraft = (payments: Partial<BoletoInput>[]) =>
  boletoDraft(
    kit.operator,
    payments.map((changes, n) => boletoOf(10_00 + n, changes)),
  );

it("BAT-046 BAT-048 groups boletos with past days, and changes their dates by one answer", async () => {
  const { id } = await datedDraft([
    ...Array.from({ length: 12 }, (_, n) => ({ payment_date: n % 2 ? "2026-08-13" : "2026-08-14" })),
    {},
  ]);
  expect(await fetchGroups(id)).toEqual({ rows_count: 0, data: [] });

  await kit.pass({ days: 8 });
  expect(await fetchErrors(id)).toBe(12);
  const { rows_count, data } = await fetchGroups(id);
  expect(rows_count).toBe(12);
  expect(data).toMatchObject([
    {
      issue: late,
      given: null,
      receiver: null,
      count: 12,
      example: { description: "Aluguel do escritório" },
    },
  ]);
  const { value } = await batch(kit.operator, id);
  const answer = await fix(id, { ...late, set: { payment_date: "2026-08-24" } });
  expect(answer.body).toEqual({ fixed: 12, still_wrong: 0 });
  const boletos = await fetchBoletos(kit.operator, id);
  expect(boletos.map(({ payment_date }) => payment_date)).toEqual([
    ...Array.from({ length: 12 }, () => "2026-08-24"),
    null,
  ]);
  expect(await fetchErrors(id)).toBe(0);
  expect(await batch(kit.operator, id)).toMatchObject({ value, errors_count: 0 });
  expect((await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} })).status).toBe(200);
});

it("lists the boletos that get the common answer, in the order of the batch", async () => {
  const { id } = await datedDraft(
    ["Luz", "Aluguel", "Água"].map((description) => ({ description, payment_date: "2026-08-13" })),
  );
  await kit.pass({ days: 3 });
  const { body } = await kit.operator.call(listIssueRows, { params: { id }, query: late });
  expect([body.count, body.data.map((row) => "description" in row && row.description)]).toEqual([
    3,
    ["Luz", "Aluguel", "Água"],
  ]);
  const [group] = (await fetchGroups(id)).data;
  expect(body.digest).toBe(group.digest);
});

it("accepts today as an answer, and lists only the chosen boletos of the group", async () => {
  const { id } = await datedDraft([{ payment_date: "2026-08-13" }, { payment_date: "2026-08-13" }]);
  await kit.pass({ days: 3 });
  const [first] = await fetchBoletos(kit.operator, id);
  const ticked = await fix(id, { ...late, ids: [first?.id], set: { payment_date: "" } });
  expect(ticked.body).toEqual({ fixed: 1, still_wrong: 0 });
  expect((await fetchBoletos(kit.operator, id)).map(({ payment_date }) => payment_date)).toEqual([
    null,
    "2026-08-13",
  ]);
  expect(await fetchErrors(id)).toBe(1);
});

it("omits boletos that cannot be paid on any day, and lists those that the common day does not suit", async () => {
  const { id } = await datedDraft([
    // The boleto is overdue by then, whatever the requested day.
    { payment_date: "2026-08-13", barcode: barcodeOf(10_00, "2026-08-14") },
    { payment_date: "2026-08-13", barcode: barcodeOf(11_00, "2026-08-21") },
    { payment_date: "2026-08-13" },
  ]);
  await kit.pass({ days: 7 });
  const { rows_count, data } = await fetchGroups(id);
  expect(rows_count).toBe(3);
  expect(data).toMatchObject([{ issue: late, count: 2 }]);
  const answer = await fix(id, { ...late, set: { payment_date: "2026-08-25" } });
  expect(answer.body).toEqual({ fixed: 1, still_wrong: 1 });
  const boletos = await fetchBoletos(kit.operator, id);
  expect(boletos.map(({ errors }) => errors.map(({ code }) => code))).toEqual([
    ["billet_overdue"],
    ["billet_paid_after_due"],
    [],
  ]);
  expect(await fetchGroups(id)).toMatchObject({
    data: [{ issue: { code: "billet_paid_after_due", field: "payment_date" }, count: 1 }],
  });
});

it("gives one description to all boletos without one, and keeps every other mistake", async () => {
  const wrongCode = "1".repeat(44);
  const { id } = await datedDraft([
    { description: "" },
    { description: null },
    { description: " ", barcode: wrongCode },
    {},
  ]);
  expect(await fetchGroups(id)).toMatchObject({
    rows_count: 3,
    data: [{ issue: unnamed, given: null, receiver: null, count: 3 }],
  });
  const answer = await fix(id, { ...unnamed, set: { description: "Contas de agosto" } });
  expect(answer.body).toEqual({ fixed: 2, still_wrong: 1 });
  const boletos = await fetchBoletos(kit.operator, id);
  expect(boletos.map(({ description }) => description)).toEqual([
    "Contas de agosto",
    "Contas de agosto",
    "Contas de agosto",
    "Aluguel do escritório",
  ]);
  expect(boletos[2]).toMatchObject({ barcode: wrongCode, errors: [{ code: "billet_code_invalid" }] });
  expect(await fetchErrors(id)).toBe(1);
  expect(await fetchGroups(id)).toEqual({ rows_count: 1, data: [] });
});

it("refuses one code or amount for many, an answer for another field than the group's, and people without the permission", async () => {
  const { id } = await datedDraft([{ payment_date: "2026-08-13" }, { payment_date: "2026-08-13" }]);
  await kit.pass({ days: 3 });
  for (const body of [
    { ...late },
    { ...late, ids: [(await fetchBoletos(kit.operator, id))[0]?.id] },
    { ...late, set: { barcode: barcodeOf(1_00) } },
    { ...late, set: { payment_date: "", description: "Outra" } },
    { code: "value_above_max", field: "value", set: { value: "1,00" } },
  ])
    expect(await fix(id, body)).toMatchObject({ status: 422, body: { code: "fix_needs_billet" } });
  const today = { ...late, set: { payment_date: "" } };
  expect((await kit.call(fixIssueGroup, { params: { id }, body: today })).status).toBe(401);
  expect((await fix(id, today, kit.analyst)).status).toBe(403);
  expect((await fix(id, today, kit.stranger)).body.code).toBe("not_found");
  expect((await fetchGroups(id, kit.stranger)).code).toBe("not_found");
  expect((await kit.stranger.call(listIssueRows, { params: { id }, query: late })).body.code).toBe(
    "not_found",
  );
  expect(await fetchErrors(id)).toBe(2);
});

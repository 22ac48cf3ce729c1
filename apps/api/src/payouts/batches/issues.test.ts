/** Equal errors of a draft are corrected together only if no other person changed them meanwhile. */

import { fixIssueGroup, listIssueGroups, listIssueRows } from "@malote/contracts/batch-issues";
import { createBatch } from "@malote/contracts/batches";
import { changeTransfer, listTransfers } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Answer } from "../../testing/answer.ts";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, fetchBoletos } from "../../testing/boletos.ts";
import { batch, draft, openPayments, type PaymentsKit, pix, ted } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const late = { code: "payment_date_expired", field: "payment_date" };
const changed = {
  status: 409,
  body: {
    code: "batch_changed",
    message: "O lote foi alterado por outra pessoa. Atualize a página antes de continuar.",
  },
};
const fetchGroup = async (id: string, { code, field } = late) =>
  (await kit.operator.call(listIssueGroups, { params: { id } })).body.data.find(
    ({ issue }: { issue: { code: string; field: string } }) => issue.code === code && issue.field === field,
  );
const fix = (by: Person, id: string, body: object): Promise<Answer> =>
  by.call(fixIssueGroup, { params: { id }, body });
const redate = (by: Person, id: string, digest: string, day: string) =>
  fix(by, id, { ...late, digest, set: { payment_date: day } });
const fetchTransfers = async (id: string) =>
  (await kit.operator.call(listTransfers, { params: { id }, query: {} })).body.data;
const fetchDays = async (id: string) => new Set((await fetchTransfers(id)).map((one) => one.payment_date));

/** The days of two payments have passed. */
async function lateDraft() {
  const day = "2026-08-13";
  const { id } = await draft(
    kit.operator,
    [1_00, 2_00].map((value) => pix(value, { payment_date: day })),
  );
  await kit.pass({ days: 8 });
  return { id, seen: await fetchGroup(id) };
}

it("refuses a correction if another person corrected the payments meanwhile, and keeps that correction", async () => {
  const { id, seen } = await lateDraft();
  expect((await redate(kit.admin, id, seen.digest, "2026-08-24")).body).toEqual({ fixed: 2, still_wrong: 0 });
  const before = await batch(kit.admin, id);
  expect(await redate(kit.operator, id, seen.digest, "2026-08-25")).toMatchObject(changed);
  expect(await fetchDays(id)).toEqual(new Set(["2026-08-24"]));
  expect(await batch(kit.admin, id)).toEqual(before);
});

it("refuses a correction if another person's answer is still wrong", async () => {
  const { id, seen } = await lateDraft();
  expect((await redate(kit.admin, id, seen.digest, "2026-08-14")).body).toEqual({ fixed: 0, still_wrong: 2 });
  expect(await redate(kit.operator, id, seen.digest, "2026-08-25")).toMatchObject(changed);
  expect(await fetchDays(id)).toEqual(new Set(["2026-08-14"]));
});

it("refuses a correction if another person changed one of the payments", async () => {
  const { id, seen } = await lateDraft();
  const body = pix(7_00, { payment_date: "2026-08-13", integration_id: "outro" });
  const params = { id, tid: seen.example.id };
  expect((await kit.admin.call(changeTransfer, { params, body })).status).toBe(200);
  expect(await redate(kit.operator, id, seen.digest, "2026-08-25")).toMatchObject(changed);
  expect(await fetchDays(id)).toEqual(new Set(["2026-08-13"]));
});

it("makes one of two concurrent corrections, and refuses the other", async () => {
  const { id, seen } = await lateDraft();
  const answers = await Promise.all(
    [kit.operator, kit.admin].map((by) => redate(by, id, seen.digest, "2026-08-25")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it("makes a correction if another payment of the batch was changed", async () => {
  const day = "2026-08-13";
  const { id } = await draft(kit.operator, [pix(1_00, { payment_date: day }), pix(2_00)]);
  await kit.pass({ days: 8 });
  const seen = await fetchGroup(id);
  const other = (await fetchTransfers(id)).find((one) => one.id !== seen.example.id);
  const params = { id, tid: other.id };
  expect((await kit.admin.call(changeTransfer, { params, body: pix(3_00) })).status).toBe(200);
  expect((await redate(kit.operator, id, seen.digest, "2026-08-25")).body.fixed).toBe(1);
});

it("refuses a proposal that no person has seen", async () => {
  const wrong = ted(1_00);
  const to = { ...wrong.destination_bank_account, account_digit: "0" };
  const transfers = [{ ...wrong, destination_bank_account: to }];
  const { id } = (await kit.operator.call(createBatch, { body: { name: "Folha", transfers } })).body;
  const { code, field } = (await fetchGroup(id, { code: "account_digit_invalid", field: "account_digit" }))
    .issue;
  const { body } = await kit.operator.call(listIssueRows, { params: { id }, query: { code, field } });
  const [row] = body.data;
  const another = {
    ...wrong,
    destination_bank_account: { ...wrong.destination_bank_account, account: "11111" },
  };
  expect((await kit.admin.call(changeTransfer, { params: { id, tid: row.id }, body: another })).status).toBe(
    200,
  );
  const answer = await fix(kit.operator, id, { code, field, ids: [row.id], digest: body.digest });
  expect(answer).toMatchObject(changed);
  expect((await fetchTransfers(id))[0].destination_bank_account.account).toBe("11111");
});

it("refuses an outdated correction of boletos as well", async () => {
  const late = ["2026-08-13", "2026-08-14"].map((payment_date, n) => boletoOf(10_00 + n, { payment_date }));
  const { id } = await boletoDraft(kit.operator, late);
  await kit.pass({ days: 8 });
  const seen = await fetchGroup(id);
  expect((await redate(kit.admin, id, seen.digest, "2026-08-24")).body.fixed).toBe(2);
  expect(await redate(kit.operator, id, seen.digest, "2026-08-25")).toMatchObject(changed);
  expect((await fetchBoletos(kit.operator, id)).map(({ payment_date }) => payment_date)).toEqual([
    "2026-08-24",
    "2026-08-24",
  ]);
});

/** A draft that waited: mistakes that appeared later are corrected together, by the rules of the day. */

import { downloadBadRows, fixIssueGroup, listIssueGroups } from "@malote/contracts/batch-issues";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { createBatch, validateBatch } from "@malote/contracts/batches";
import { changeTransfer, listTransfers, type TransferInput } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { blockDocument } from "../../testing/operator-kit.ts";
import {
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const fetchGroups = async (id: string) => (await kit.operator.call(listIssueGroups, { params: { id } })).body;
const fix = (id: string, body: object) => kit.operator.call(fixIssueGroup, { params: { id }, body });
const fetchTransfers = async (id: string, status?: "WITH_ERRORS" | "FAILED") =>
  (await kit.operator.call(listTransfers, { params: { id }, query: { ...(status && { status }) } })).body;
const fetchErrors = async (id: string) =>
  (await kit.operator.call(validateBatch, { params: { id } })).body.errors_count;

it("BAT-046 BAT-048 groups sixty payments with past days, and changes their dates by one answer", async () => {
  const days = ["2026-08-13", "2026-08-14", "2026-08-17"];
  const payments = Array.from({ length: 60 }, (_, n) => pix(1_00 + n, { payment_date: days[n % 3] ?? null }));
  const { id } = await draft(kit.operator, payments);
  expect(await fetchGroups(id)).toEqual({ rows_count: 0, data: [] });

  await kit.pass({ days: 8 });
  expect(await fetchErrors(id)).toBe(60);
  expect((await fetchTransfers(id, "FAILED")).failedTransfersSummary).toMatchObject({ count: 60 });
  expect(await fetchGroups(id)).toMatchObject({
    rows_count: 60,
    data: [
      {
        issue: { code: "payment_date_expired", field: "payment_date" },
        given: null,
        receiver: null,
        count: 60,
      },
    ],
  });
  const csv = await kit.operator.call(downloadBadRows, { params: { id }, query: { format: "csv" } });
  expect(String(csv.body).match(/já passou/g)).toHaveLength(60);
  expect((await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} })).status).toBe(422);

  const answer = await fix(id, {
    code: "payment_date_expired",
    field: "payment_date",
    set: { payment_date: "2026-08-21" },
  });
  expect(answer.body).toEqual({ fixed: 60, still_wrong: 0 });
  expect(await fetchErrors(id)).toBe(0);
  const { data } = await fetchTransfers(id);
  expect(new Set(data.map((one) => one.payment_date))).toEqual(new Set(["2026-08-21"]));
  expect(data[0].data_marks).toMatchObject([
    { field: "payment_date", origin: "corrected", before: "2026-08-13", after: "2026-08-21" },
  ]);
  expect((await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} })).status).toBe(200);
});

it("BAT-048 lists a later blocked document and a later lowered limit among the mistakes, each for its receiver", async () => {
  const { id } = await draft(kit.operator, [ted(10_00), ted(20_00), pix(5_00)]);
  await blockDocument(kit.services, "11222333000181");
  expect(await fetchErrors(id)).toBe(2);
  expect(await fetchGroups(id)).toMatchObject({
    rows_count: 2,
    data: [{ issue: { code: "tax_id_blocked", field: "cpf_cnpj" }, receiver: "11222333000181", count: 2 }],
  });
});

async function wrongDraft(transfers: TransferInput[]): Promise<{ id: string }> {
  return (await kit.operator.call(createBatch, { body: { name: "Com erros", transfers } })).body;
}
const noAccount = (name: string, taxId: string, value: number) => {
  const payment = ted(value, {}, taxId);
  return { ...payment, destination_bank_account: { ...payment.destination_bank_account, name, account: "" } };
};

it("never gives one account to different receivers", async () => {
  const { id } = await wrongDraft([
    noAccount("Padaria Sol", "11222333000181", 1_00),
    noAccount("Padaria Sol", "11222333000181", 2_00),
    noAccount("Oficina Lua", "52998224725", 3_00),
  ]);
  const { data } = await fetchGroups(id);
  const key = { code: "account_invalid", field: "account" };
  expect(
    data
      .filter((group: { issue: { code: string } }) => group.issue.code === key.code)
      .map(({ receiver, count }) => [receiver, count]),
  ).toEqual([
    ["11222333000181", 2],
    ["52998224725", 1],
  ]);
  const set = { account: "56789", account_digit: "7" };
  const refused = await fix(id, { ...key, set });
  expect(refused).toMatchObject({ status: 422, body: { code: "fix_needs_receiver" } });
  expect(refused.body.message).toContain("Corrija recebedor por recebedor.");
  // A correction of a mistake that all share does not do it either.
  await kit.pass({ days: 1 });
  const shared = await fix(id, { code: "payment_date_expired", field: "payment_date", set });
  expect(shared.body.code).toBe("fix_needs_receiver");
  expect((await fix(id, { ...key, receiver: "11222333000181", set })).body.fixed).toBe(2);
  const { data: after } = await fetchTransfers(id);
  expect(
    after.map(
      (one: { destination_bank_account: { account: string | null } }) => one.destination_bank_account.account,
    ),
  ).toEqual(["56789", "56789", null]);
});

it("removes the mark of a value that a person typed since, and shows none on a payment under way", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [
    pix(10_00, { payment_date: "2026-08-13" }),
    pix(5_00, { payment_date: "2026-08-13" }),
  ]);
  await kit.pass({ days: 3 });
  await fix(id, { code: "payment_date_expired", field: "payment_date", set: { payment_date: "" } });
  const [first, second] = (await fetchTransfers(id)).data;
  expect(first.data_marks).toMatchObject([{ field: "payment_date", before: "2026-08-13", after: null }]);
  await kit.operator.call(changeTransfer, {
    params: { id, tid: first.id },
    body: pix(10_00, { payment_date: "2026-08-18" }),
  });
  const fetchMarks = async () => (await fetchTransfers(id)).data.map((one) => one.data_marks.length);
  expect(await fetchMarks()).toEqual([0, 1]);
  // Saved again without a change, it still does not count as entered for this payment alone.
  await kit.operator.call(changeTransfer, { params: { id, tid: second.id }, body: pix(5_50) });
  expect(await fetchMarks()).toEqual([0, 1]);
  expect((await closing(kit.admin, id)).status).toBe(200);
  await kit.pass({ seconds: 5 });
  expect((await batch(kit.admin, id)).status).toBe("RECEIVED");
  expect(await fetchMarks()).toEqual([0, 0]);
});

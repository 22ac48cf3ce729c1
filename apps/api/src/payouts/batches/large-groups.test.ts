/** Groups of mistakes of a large draft, computed once for each revision of its content. */
import { fixIssueGroup, listIssueGroups } from "@malote/contracts/batch-issues";
import { saveBatch } from "@malote/contracts/batches";
import type { TransferInput } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { blockDocument, setCompany } from "../../testing/operator-kit.ts";
import { auroraId, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const cpf = "52998224725";
const [large, small, perCall] = [2_000, 1_999, 500];
const wrong = {
  destination_bank_account: { pix_key_type: "EMAIL", pix_key: "sem arroba", cpf_cnpj: cpf },
} as const;

/** A draft of this many payments with a wrong key; the last payment is given. */
async function makeDraft(count: number, last: Partial<TransferInput> = wrong): Promise<string> {
  const { id } = await draft(kit.operator, []);
  for (let n = 0; n < count; n += perCall) {
    const transfers = Array.from({ length: Math.min(perCall, count - n) }, (_, i) =>
      pix(1_00, n + i === count - 1 ? last : wrong),
    );
    await kit.operator.call(saveBatch, { params: { id }, body: { name: "Folha", transfers } });
  }
  return id;
}
const groups = async (id: string, by = kit.operator) =>
  (await by.call(listIssueGroups, { params: { id } })).body;
const fetchCounts = async (id: string) => {
  const { rows_count, data } = await groups(id);
  return [
    rows_count,
    data.map((one: { issue: { code: string }; count: number }) => [one.issue.code, one.count]),
  ];
};
/** A change outside the product, which only a new count of the rows would notice. */
const changeSecretly = (id: string) =>
  kit.services.db.pool.query(
    `UPDATE transfers SET errors = '[{"code":"name_invalid","field":"name"}]' WHERE batch_id = $1 AND position <= 1000`,
    [id],
  );
const bothOf = (count: number) => [
  count,
  [
    ["name_invalid", 1_000],
    ["pix_key_email_invalid", count - 1_000],
  ],
];

it("caches the groups of a large draft until it changes, and counts those of a smaller one each time", async () => {
  const [kept, counted] = [await makeDraft(large), await makeDraft(small)];
  const before = [large, [["pix_key_email_invalid", large]]];
  expect(await fetchCounts(kept)).toEqual(before);
  expect((await fetchCounts(counted))[0]).toBe(small);
  for (const id of [kept, counted]) await changeSecretly(id);
  expect(await fetchCounts(kept)).toEqual(before);
  expect(await fetchCounts(counted)).toEqual(bothOf(small));
  await kit.operator.call(saveBatch, {
    params: { id: kept },
    body: { name: "Folha", transfers: [pix(1_00)] },
  });
  expect(await fetchCounts(kept)).toEqual(bothOf(large));
});

it("does not show groups to another company, and corrects them by the digest that was shown", async () => {
  const id = await makeDraft(large);
  const [group] = (await groups(id)).data;
  expect((await kit.stranger.call(listIssueGroups, { params: { id } })).status).toBe(404);
  const { issue, given, receiver, digest } = (await groups(id)).data[0];
  expect(digest).toBe(group.digest);
  const body = { code: issue.code, field: issue.field, given, receiver, digest };
  const answer = await kit.operator.call(fixIssueGroup, {
    params: { id },
    body: { ...body, set: { pix_key: "ana@exemplo.com.br" } },
  });
  expect(answer.body).toEqual({ fixed: large, still_wrong: 0 });
  expect(await fetchCounts(id)).toEqual([0, []]);
});

it("counts groups again on another day, and after a suspension or a blocked document", async () => {
  const id = await makeDraft(large, { payment_date: "2026-08-13" });
  const codes = async () => [
    ...new Set(((await fetchCounts(id))[1] as [string, number][]).map(([code]) => code)),
  ];
  expect(await codes()).toEqual(["pix_key_email_invalid"]);
  await kit.pass({ days: 3 });
  expect(await codes()).toEqual(["pix_key_email_invalid", "payment_date_expired"]);
  await blockDocument(kit.services, cpf);
  expect(await codes()).toEqual(["pix_key_email_invalid", "tax_id_blocked", "payment_date_expired"]);
  await setCompany(kit.services, auroraId, { permissions: ["platform_access", "api_access"] });
  expect(await codes()).toHaveLength(4);
});

it("does not cache groups of a draft with Pix codes, which expire by the minute", async () => {
  const id = await makeDraft(large);
  await kit.services.db.pool.query(
    "UPDATE transfers SET emv_until = $2, emv_data = '{}' WHERE batch_id = $1 AND position = 2000",
    [id, new Date("2030-01-01")],
  );
  await groups(id);
  await changeSecretly(id);
  expect(await fetchCounts(id)).toEqual(bothOf(large));
});

/** A payment by key without a name, as lists show it once the directory answered who holds the key. */
import { readBatchChecks } from "@malote/contracts/checks";
import { lookUpPixKey } from "@malote/contracts/lookups";
import { listAllTransfers, listTransfers } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { failedBatches, fetchFailures } from "../../testing/failures-kit.ts";
import { draft, openPayments, type PaymentsKit, paidFor, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());
const { failedBatch } = failedBatches(() => kit);

const key = { pix_key_type: "EMAIL", pix_key: "bento@exemplo.com.br" } as const;
const nameless = (value = 10_00) => pix(value, { destination_bank_account: key });
const named = (name: string) => pix(20_00, { destination_bank_account: { ...key, name } });
const makeCall = async (): Promise<string> =>
  (await kit.operator.call(lookUpPixKey, { body: key })).body.name;
const fetchHolders = async (id: string) =>
  (await kit.analyst.call(listTransfers, { params: { id } })).body.data.map((one) => one.key_holder_name);

it("shows the holder's name for a payment without a name, and not for one with a name", async () => {
  const { id } = await draft(kit.admin, [nameless(), named("Bento Cruz")]);
  expect(await fetchHolders(id)).toEqual([null, null]);
  const holder = await makeCall();
  expect(holder).toMatch(/\w+ \w+/);
  expect(await fetchHolders(id)).toEqual([holder, null]);
  const { body } = await kit.admin.call(readBatchChecks, { params: { id } });
  expect(body.summary.largest.map(({ name }) => name)).toEqual([
    "Bento Cruz",
    `${holder} (titular da chave)`,
  ]);
});

it("TRF-050 shows the holder's name in the list over all batches too", async () => {
  await draft(kit.admin, [nameless(), named("Bento Cruz")]);
  const holder = await makeCall();
  const query = { initialDate: "2026-08-12", endDate: "2026-08-12", page: "0" };
  const { data } = (await kit.analyst.call(listAllTransfers, { query })).body;
  expect(data.map((one) => [one.destination_bank_account.name, one.key_holder_name])).toEqual([
    [null, holder],
    ["Bento Cruz", null],
  ]);
});

it("does not show a holder's name that the directory returned after the end of the payment", async () => {
  await makeCall();
  const id = await paidFor(kit, [nameless()]);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  expect(await fetchHolders(id)).not.toEqual([null]);
  await kit.pass({ hours: 25 });
  await makeCall();
  expect(await fetchHolders(id)).toEqual([null]);
});

it("shows the holder's name among the failures and in their e-mail, marked as the key's holder", async () => {
  const holder = await makeCall();
  kit.mails.splice(0);
  const { id } = await failedBatch([nameless(), named("Bento Cruz")]);
  await kit.pass({ minutes: 2 });
  expect((await fetchFailures(kit.admin, id)).data.map(({ name }) => name)).toEqual([
    `${holder} (titular da chave)`,
  ]);
  const mail = kit.mails.find(({ text }) => text.includes("titular da chave"));
  expect(mail?.text).toContain(`${holder} (titular da chave)`);
});

/** A payment from one company of an installation to another arrives there whole and once. */
import { listPayins } from "@malote/contracts/payins";
import type { TransferInput } from "@malote/contracts/transfers";
import { ownInstitution } from "@malote/domain/own-institution";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  auroraId,
  fetchBalance,
  fetchStatement,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../../../testing/payments-kit.ts";
import { demoCompanies } from "../demo/seed.ts";
import { order } from "./testing.ts";

const horizonte = demoCompanies.find(({ id }) => id !== auroraId) as (typeof demoCompanies)[number];
const ofHorizonte = {
  cpf_cnpj: horizonte.taxId,
  name: horizonte.name,
};
const byKey: TransferInput["destination_bank_account"] = {
  name: horizonte.name,
  pix_key_type: "CNPJ",
  pix_key: horizonte.taxId,
};
const toAccount = (account: string): TransferInput["destination_bank_account"] => ({
  ...ofHorizonte,
  bank_id: ownInstitution().ispb,
  agency: horizonte.agency,
  account,
  account_digit: horizonte.accountDigit,
  account_type: "CONTA_PAGAMENTO",
});

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
  await kit.deposit(100_00);
});
// Closing the kit checks the books.
afterEach(() => kit.close());

/** Pays, runs all due work, and returns how much the receiving company's balance grew. */
async function measureGain(transfers: TransferInput[]): Promise<number> {
  const before = await fetchBalance(kit.stranger);
  const id = await paidFor(kit, transfers);
  // The order is accepted at once and settles a moment later.
  await kit.pass({ minutes: 1 });
  await kit.pass({ minutes: 10 });
  expect(await fetchStatuses(kit.admin, id)).not.toContain("EXECUTING");
  return (await fetchBalance(kit.stranger)) - before;
}

it("credits nothing for a payment that is refused", async () => {
  await kit.network.changeSettings({ failure_percent: 100 });
  expect(await measureGain([pix(10_00, { destination_bank_account: byKey })])).toBe(0);
});

it.each([
  ["a key of an outside holder", pix(10_00)],
  ["an account at another bank", ted(10_00)],
  ["an unassigned account of the institution", pix(10_00, { destination_bank_account: toAccount("999999") })],
])("credits nothing for a payment to %s", async (_what, transfer) => {
  expect(await measureGain([transfer])).toBe(0);
});

it("credits nothing for a Pix to a key that the directory now knows at another institution", async () => {
  await kit.services.db.withSandbox((tx) =>
    sql`UPDATE sandbox.directory_entries SET company_id = NULL WHERE key = ${horizonte.taxId}`.execute(tx),
  );
  expect(await measureGain([pix(10_00, { destination_bank_account: byKey })])).toBe(0);
});

it.each([
  ["a Pix to its key", byKey, "pix_key"],
  ["a TEV to its account", toAccount(horizonte.account), "ted"],
  ["a TEV to its account with zeros before it", toAccount(`000${horizonte.account}`), "ted"],
])("credits %s", async (_what, destination_bank_account, payment_type) => {
  expect(await measureGain([pix(10_00, { destination_bank_account })])).toBe(10_00);
  const [payin] = (await kit.stranger.call(listPayins)).body.items;
  expect(payin).toMatchObject({ payment_type, amount: 10_00 });
  expect((await fetchStatement(kit.stranger)).entries.map(({ value }) => value)).toContain(10_00);
});

it("credits a repeated order once, with the data of its first time", async () => {
  const before = await fetchBalance(kit.stranger);
  const sent = order({
    companyId: auroraId,
    method: "TED",
    value: 7_00,
    receiver: {
      ...order().receiver,
      taxId: horizonte.taxId,
      pixKeyType: null,
      pixKey: null,
      bankIspb: ownInstitution().ispb,
      agency: horizonte.agency,
      account: horizonte.account,
      accountDigit: horizonte.accountDigit,
      accountType: "CONTA_PAGAMENTO",
    },
  });
  await Promise.all([1, 2, 3].map(() => kit.network.rails.send([sent])));
  await kit.network.rails.send([{ ...sent, value: 9_00 }]);
  // The order belongs to a payment that the product does not know.
  await kit.services.db.withSandbox((tx) =>
    sql`DELETE FROM sandbox.events WHERE id LIKE ${`${sent.endToEndId}:%`} AND id NOT LIKE '%:ted_received'`.execute(
      tx,
    ),
  );
  await kit.pass({ minutes: 10 });
  expect((await fetchBalance(kit.stranger)) - before).toBe(7_00);
});

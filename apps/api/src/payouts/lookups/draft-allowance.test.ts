/** What the look-ups of a draft leave of the company's queries at the Pix directory. */
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { auroraId, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

async function tokens(): Promise<number> {
  const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
    sql<{ tokens: string }>`SELECT tokens FROM lookup_allowances`.execute(tx),
  );
  return Number(rows[0]?.tokens);
}
const setTokens = (tokens: number) =>
  kit.services.db.withCompany(auroraId, (tx) =>
    sql`INSERT INTO lookup_allowances VALUES (${tx.companyId}, ${tokens}, ${kit.clock.now()})`.execute(tx),
  );

/** Makes a draft with so many keys and looks them up. Returns how many of them the directory was asked. */
async function countAsked(count: number, { found }: { found: boolean }): Promise<number> {
  const { accountCheck } = kit.services;
  let requested = 0;
  kit.services.accountCheck = {
    ...accountCheck,
    async findHolder(key, payee) {
      requested++;
      return found ? accountCheck.findHolder(key, payee) : { found };
    },
  };
  const payments = Array.from({ length: count }, (_, n) =>
    pix(10_00, {
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: `chave${n}@exemplo.com.br` } as never,
    }),
  );
  await draft(kit.admin, payments);
  await kit.drainJobs();
  return requested;
}
it("is a hundred tokens if a draft has unknown keys", async () => {
  await setTokens(159);
  expect(await countAsked(3, { found: false })).toBe(2);
  expect(await tokens()).toBe(119);
});

it("gets the tokens of found keys back, so that a draft continues until an unknown key would exceed the hundred", async () => {
  await setTokens(141);
  expect(await countAsked(30, { found: true })).toBe(22);
  expect(await tokens()).toBe(119);
});

it("is everything if less than the price of an unknown key is left above the hundred", async () => {
  await setTokens(119);
  expect(await countAsked(1, { found: true })).toBe(0);
  expect(await tokens()).toBe(119);
});

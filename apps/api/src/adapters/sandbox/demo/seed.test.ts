import { isTaxId } from "@malote/domain/tax-id";
import { checkDestination } from "@malote/domain/transfer";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { destinationFrom, readTransferFacts } from "../../../payouts/index.ts";
import { receiverOf } from "../../../receivers/present.ts";
import type { ReceiverRow } from "../../../receivers/store.ts";
import { buildTestApp, type TestApp } from "../../../testing/app.ts";
import { demoBlockedTaxIds } from "./demo-data.ts";
import { demoCompanies, demoUsers, seedDemo } from "./seed.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const everything = async () => {
  const { rows } = await app.services.db.withSystem((tx) =>
    sql`SELECT (SELECT json_agg(c ORDER BY company_id) FROM companies c) AS companies,
               (SELECT json_agg(u ORDER BY id) FROM users u) AS users,
               (SELECT json_agg(k ORDER BY id) FROM pix_keys k) AS keys,
               (SELECT json_agg(l ORDER BY company_id, account) FROM ledger_accounts l) AS ledger,
               (SELECT json_agg(s ORDER BY name) FROM sign_in_names s) AS names,
               (SELECT count(*) FROM ledger_transactions) AS movements`.execute(tx),
  );
  return rows[0] as { movements: number; ledger: { balance: number }[] };
};

it("holds only documents that a check digit accepts", () => {
  for (const { taxId } of [...demoCompanies, ...demoBlockedTaxIds]) expect(isTaxId(taxId), taxId).toBe(true);
});

it("holds only receivers that may be paid", async () => {
  const [aurora] = demoCompanies;
  const { rows } = await app.services.db.withCompany(aurora!.id, async (tx) => {
    const facts = await readTransferFacts(tx, app.clock.now());
    const found = await sql<ReceiverRow>`SELECT * FROM receivers ORDER BY id`.execute(tx);
    return {
      rows: found.rows.map((row) => ({
        row,
        ...checkDestination(destinationFrom(receiverOf(row, { whole: true }) as never), facts),
      })),
    };
  });
  expect(rows.map(({ row, errors, warnings }) => [row.id, errors, warnings])).toEqual(
    aurora!.receivers.map(({ id }) => [id, [], []]),
  );
});

it("holds validations that were right and some that were not", async () => {
  const [aurora] = demoCompanies;
  const { rows } = await app.services.db.withCompany(aurora!.id, (tx) =>
    sql<{ valid: boolean }>`SELECT valid FROM validations ORDER BY id`.execute(tx),
  );
  expect(rows.map(({ valid }) => valid)).toEqual([false, true, false, true, true]);
});

it("begins with an empty statement and books without a fault", async () => {
  const { movements, ledger } = await everything();
  expect(movements).toBe(0);
  expect(ledger).toHaveLength(18);
  expect(ledger.every(({ balance }) => balance === 0)).toBe(true);
});

it("changes nothing the second time, nor when two processes start together", async () => {
  const before = await everything();
  await app.services.db.withCompany(demoCompanies[0]!.id, (tx) =>
    sql`UPDATE users SET name = 'Helena Prado' WHERE email = 'helena@aurora.example'`.execute(tx),
  );
  await Promise.all([seedDemo(app.services.db, app.clock), seedDemo(app.services.db, app.clock)]);
  expect(await everything()).toEqual(before);

  const fresh = await buildTestApp({ seed: false });
  try {
    await Promise.all([seedDemo(fresh.services.db, fresh.clock), seedDemo(fresh.services.db, fresh.clock)]);
  } finally {
    await fresh.close();
  }
});

it("lets every demo person sign in with the printed password", async () => {
  for (const { email } of demoUsers) expect((await app.as(email)).token).toBeTruthy();
});

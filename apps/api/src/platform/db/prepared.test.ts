/** A stored plan must not keep the rights or the company of the transaction that made it. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { openOneConnection } from "../../testing/one-connection.ts";
import type { Database } from "./database.ts";
import { prepared, preparedNameOf } from "./prepared.ts";

let db: Database;
beforeAll(async () => {
  db = await openOneConnection();
});
afterAll(() => db.close());

// The query has no condition of its own: only row security separates the companies.
const everyCompany = sql<{
  company_id: string;
}>`${prepared} SELECT company_id FROM companies ORDER BY company_id`;

it("shows each transaction only rows of its own company, however often the plan was used", async () => {
  // PostgreSQL chooses between a generic and a custom plan at the sixth execution.
  for (let time = 0; time < 8; time++) {
    for (const { id } of demoCompanies) {
      const { rows } = await db.withCompany(id, (tx) => everyCompany.execute(tx));
      expect(rows).toEqual([{ company_id: id }]);
    }
    const { rows } = await db.withSystem((tx) => everyCompany.execute(tx));
    expect(rows.map((row) => row.company_id)).toEqual(demoCompanies.map(({ id }) => id).sort());
  }
  const { rows } = await db.pool.query("SELECT count(*)::int AS plans FROM pg_prepared_statements");
  expect(rows).toEqual([{ plans: 1 }]);
});

it("does not keep a plan of a statement that is not marked", () => {
  expect(preparedNameOf("SELECT 1")).toBeUndefined();
  expect(preparedNameOf("/* planned once */ SELECT 1")).toBe(preparedNameOf("/* planned once */ SELECT 1"));
  expect(preparedNameOf("/* planned once */ SELECT 2")).not.toBe(
    preparedNameOf("/* planned once */ SELECT 1"),
  );
});

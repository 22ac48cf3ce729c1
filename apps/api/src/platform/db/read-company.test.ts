import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies, seedDemo } from "../../demo/seed.ts";
import { movableClock } from "../clock.ts";
import { testDatabase } from "../postgres/test-database.ts";
import { type Database, openDatabase } from "./database.ts";

const [aurora, horizonte] = demoCompanies.map(({ id }) => id) as [string, string];
let db: Database;
beforeAll(async () => {
  const { config } = await testDatabase();
  // One connection: whoever comes next gets it only when the transaction before has ended.
  db = openDatabase({ ...config, max: 1 });
  await seedDemo(db, movableClock());
});
afterAll(() => db.close());

const readIds = (companyId: string) =>
  db.readCompany(companyId, async (tx) => {
    const { rows } = await sql<{ company_id: string }>`SELECT company_id FROM companies`.execute(tx);
    return rows.map(({ company_id }) => company_id);
  });

it("reads the rows of its own company alone, one transaction right behind another", async () => {
  const all = await Promise.all([aurora, horizonte, aurora, horizonte].map(readIds));
  expect(all).toEqual([[aurora], [horizonte], [aurora], [horizonte]]);
});

it("refuses to write, and leaves a connection that can", async () => {
  const rename = sql`UPDATE companies SET name = name`;
  await expect(db.readCompany(aurora, (tx) => rename.execute(tx))).rejects.toMatchObject({ code: "25006" });
  await expect(db.withCompany(aurora, (tx) => rename.execute(tx))).resolves.toMatchObject({});
});

it("hands on what went wrong, and refuses a company that is none", async () => {
  await expect(db.readCompany(aurora, () => Promise.reject(new Error("not so")))).rejects.toThrow("not so");
  await expect(db.readCompany("x'; RESET ROLE; --", () => Promise.resolve())).rejects.toThrow("company id");
  expect(await readIds(aurora)).toEqual([aurora]);
});

import { beforeAll, expect, it } from "vitest";
import type { Plant } from "../proofs/planted-faults/fault.ts";
import { inEmptyDatabase } from "./steps/sql/database.mjs";
import { lostFaults } from "./steps/sql/lost-faults.mjs";

const statements = [{ text: "SELECT name FROM companies WHERE company_id = $1" }];

const trigger = (step: string) => ({
  sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${step}; RETURN NEW; END $$;
    CREATE TRIGGER planted BEFORE UPDATE ON companies FOR EACH ROW EXECUTE FUNCTION planted()`,
});

const refused: [name: string, plant: Plant, why: string][] = [
  [
    "whose pattern matches no statement",
    { statements: /FROM firms/, becomes: "FROM payins" },
    "matches no statement of the product",
  ],
  [
    "whose pattern matches a statement with its flags only",
    { statements: /from companies/i, becomes: "FROM payins" },
    "matches no statement of the product",
  ],
  [
    "that puts an unknown column into a statement",
    { statements: /SELECT name/, becomes: "SELECT nam" },
    'makes a statement that PostgreSQL refuses: column "nam" does not exist',
  ],
  [
    "that leaves a parameter of a statement without a use",
    { statements: /company_id = \$1/, becomes: "company_id = $$2" },
    "makes a statement that PostgreSQL refuses: could not determine data type of parameter $1",
  ],
  [
    "that drops an unknown trigger",
    { sql: "DROP TRIGGER gone ON companies" },
    'does not fit the schema: trigger "gone" for table "companies" does not exist',
  ],
  [
    "whose trigger sets an unknown column",
    trigger("NEW.nam := OLD.name"),
    "does not fit the schema: companies has no column for NEW.nam",
  ],
];

const taken: [name: string, plant: Plant][] = [
  ["in a statement", { statements: /company_id = (\$1)/, becomes: "company_id <> $1" }],
  ["in the schema", trigger("NEW.name := OLD.name")],
];

let lost: string[];

beforeAll(async () => {
  const faults = [...refused, ...taken].map(([name, plant]) => ({ name, plant }));
  lost = await inEmptyDatabase((database) => lostFaults(faults, statements, database));
}, 120_000);

it.each(refused)("refuses a planted fault %s", (name, _, why) => {
  expect(lost).toContain(`the planted fault "${name}" ${why}`);
});

it.each(taken)("accepts a planted fault %s", (name) => {
  expect(lost.filter((line) => line.includes(`"${name}"`))).toEqual([]);
});

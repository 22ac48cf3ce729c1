import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "../proofs/planted-faults/faults.ts";
import { Boundaries, ownerProblems, readDeclared } from "./steps/sql/boundaries.mjs";
import { problemsOf, readSource } from "./steps/sql/check-statements.mjs";
import { inEmptyDatabase } from "./steps/sql/database.mjs";
import { lostFaults } from "./steps/sql/lost-faults.mjs";
import { crowdedFiles } from "./steps/sql/stores.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
type Read = ReturnType<typeof readSource>;
type Database = Parameters<typeof problemsOf>[1];

/** One database for all tests of the file; each test leaves it unchanged. */
let database: Database;
let finish: () => void;
let ended: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((ready, failed) => {
    ended = inEmptyDatabase(async (opened) => {
      database = opened;
      await new Promise<void>((done) => {
        finish = done;
        ready();
      });
    });
    ended.catch(failed);
  });
}, 120_000);
afterAll(async () => {
  finish();
  await ended;
}, 60_000);

/** Runs `work` on source in a folder that resolves Kysely like the product; file names are relative to it. */
async function withPlanted<T>(
  files: Readonly<Record<string, string>>,
  work: (read: Read) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(root, "node_modules/.planted-"));
  try {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(
        join(folder, file),
        `import { sql } from "kysely";\ndeclare const tx: any, client: import("pg").Client;\n${source}`,
      );
    }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(root, "tsconfig.base.json"), files: Object.keys(files) }),
    );
    const read = readSource({ root, config: relative(root, join(folder, "tsconfig.json")) });
    try {
      return await work(read);
    } finally {
      read.source.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the problems of one source file, without its name. */
const problemsIn = (source: string): Promise<string[]> =>
  withPlanted({ "planted.ts": source }, async (read) => {
    const { lines } = await problemsOf(read, database);
    return lines.map((line) => line.replace(/^.*planted\.ts:/, ""));
  });

describe("refuses", () => {
  it.each([
    ["an unknown column", "sql`SELECT nam FROM companies`.execute(tx)", '3: column "nam" does not exist'],
    ["an unknown table", "sql`SELECT FROM firms`.execute(tx)", '3: relation "firms" does not exist'],
    ["an unknown type", "sql`SELECT 1::cents`.execute(tx)", '3: type "cents" does not exist'],
    [
      "the line of a long statement",
      `sql\`SELECT company_id\nFROM companies\nWHERE nam = \${1}\`.execute(tx)`,
      '5: column "nam" does not exist',
    ],
    [
      "a column that is declared and does not come",
      "sql<{ name: string; tax_id: string }>`SELECT name FROM companies`.execute(tx)",
      "3: tax_id is declared and does not come",
    ],
    [
      "a column that comes and is not declared",
      "sql<{ name: string }>`SELECT name, tax_id FROM companies`.execute(tx)",
      "3: tax_id comes and is not declared",
    ],
    [
      "a column that comes twice",
      "sql<{ name: string }>`SELECT c.name, c.tax_id AS name FROM companies c`.execute(tx)",
      "3: name comes twice",
    ],
    [
      "a sum that comes as text",
      "sql<{ total: number }>`SELECT sum(amount) AS total FROM ledger_entries`.execute(tx)",
      "3: total is declared number and comes as string",
    ],
    [
      "an instant that is declared a text",
      "sql<{ created_at: string }>`SELECT created_at FROM payins`.execute(tx)",
      "3: created_at is declared string and comes as Date",
    ],
    [
      "a column that may be null",
      "sql<{ payer_name: string }>`SELECT payer_name FROM payins`.execute(tx)",
      "3: payer_name may be null and is declared as if it never were",
    ],
    [
      "a column that is never null",
      "sql<{ status: string | null }>`SELECT status FROM payins`.execute(tx)",
      "3: status is never null and is declared as if it may be",
    ],
    [
      "a text that only the running product knows",
      `export const ask = (text: string) => sql\`SELECT \${sql.raw(text)}\`.execute(tx)`,
      "3: text is a text that only the running product knows",
    ],
    [
      "a piece that reaches no statement",
      "export const piece = sql`status = 'open'`;",
      "3: sql`status = 'open'` is part of no statement that was read",
    ],
    [
      "a text that is handed to the driver",
      'client.query("SELECT nam FROM companies")',
      '3: column "nam" does not exist',
    ],
    [
      "the row of such a text",
      'client.query<{ name: number }>("SELECT name FROM companies")',
      "3: name is declared number and comes as string",
    ],
    [
      "a text that the driver gets from who knows where",
      "export const ask = (text: string) => client.query(text)",
      "3: text is a text that only the running product knows",
    ],
    [
      "a text that reads like a statement and is never sent",
      'export const text = "SELECT name FROM companies";',
      '3: "SELECT name FROM companies" is part of no statement that was read',
    ],
    [
      "each of the texts that code decides between",
      `export const ask = (isNew: boolean) => sql\`SELECT FROM payins ORDER BY \${isNew ? sql\`created_at\` : sql\`made_at\`}\`.execute(tx)`,
      '3: column "made_at" does not exist',
    ],
    [
      "what one of several callers gives",
      `const ask = (by: any) => sql\`SELECT FROM payins ORDER BY \${by as ReturnType<typeof sql>}\`.execute(tx);\nask(sql\`id\`);\nask(sql\`nam\`);`,
      '5: column "nam" does not exist',
    ],
  ])("%s", async (_, source, expected) => {
    expect(await problemsIn(source)).toEqual([expected]);
  });
});

it.each([
  [
    "a row as it comes",
    "sql<{ name: string; created_at: Date }>`SELECT name, created_at FROM batches`.execute(tx)",
  ],
  [
    "a column that a condition keeps from being null",
    "sql<{ payer_name: string }>`SELECT payer_name FROM payins WHERE payer_name IS NOT NULL`.execute(tx)",
  ],
  [
    "values as parameters",
    `export const ask = (id: string) => sql\`SELECT FROM payins WHERE id = \${id}\`.execute(tx)`,
  ],
  [
    "a list that is asked only where something is in it",
    `const found = (a: string) => { const list = [...(a ? [sql\`id = \${a}\`] : [])]; return list.length > 0 ? sql.join(list) : sql\`true\`; };
export const ask = (a: string) => sql\`SELECT FROM payins WHERE \${found(a)}\`.execute(tx)`,
  ],
  [
    "lists of pieces",
    `export const ask = (ids: string[]) => sql\`SELECT FROM payins WHERE \${sql.join([sql\`true\`, ...ids.map((id) => sql\`id = \${id}\`)], sql\` AND \`)}\`.execute(tx)`,
  ],
])("accepts %s", async (_, source) => {
  expect(await problemsIn(source)).toEqual([]);
});

it("refuses a third statement in a file of a feature that is not a store", () => {
  const three = (file: string) => [1, 2, 3].map((line) => `apps/api/src/${file}:${line}`);
  expect(crowdedFiles(three("sales/store.ts"))).toEqual([]);
  expect(crowdedFiles(three("sales/refund-store.ts"))).toEqual([]);
  expect(crowdedFiles(three("platform/audit.ts"))).toEqual([]);
  expect(crowdedFiles([...three("platform/audit.ts"), "apps/api/src/platform/audit.ts:4"])).toHaveLength(1);
  expect(crowdedFiles(three("sales/sell.ts").slice(1))).toEqual([]);
  expect(crowdedFiles(three("sales/sell.ts"))).toEqual([
    "apps/api/src/sales/sell.ts asks 3 statements: move them to a store.ts or a …-store.ts",
  ]);
  expect(crowdedFiles(three("sales/restore.ts"))).toHaveLength(1);
});

describe("the owner of a table", () => {
  const declared = [
    { folder: "links", owns: ["payment_links"], reads: { payins: "the payin of a link" } },
    { folder: "sales", owns: ["payins", "payin_refunds", "payment_days"], reads: {} },
  ];

  /** Returns the problems of the files of two folders, relative to the folder. */
  const tableProblems = (files: Readonly<Record<string, string>>): Promise<string[]> =>
    withPlanted(
      Object.fromEntries(Object.entries(files).map(([file, source]) => [`src/${file}`, source])),
      async (read) => {
        const boundaries = new Boundaries(declared, read.source, []);
        const { lines } = await problemsOf(read, database, boundaries);
        return [...lines, ...boundaries.unused()].map((line) => line.replace(/^.*\/src\//, ""));
      },
    );
  const readsPayins = "sql`SELECT FROM payins`.execute(tx);";
  const foreignWrite =
    "links/store.ts:4: links writes payins, which sales owns: call a function of its index.ts";

  it.each([
    ["INSERT", "sql`INSERT INTO payins (company_id) SELECT company_id FROM payment_links`.execute(tx)"],
    ["UPDATE", "sql`UPDATE payins SET status = 'pending'`.execute(tx)"],
    ["DELETE", "sql`DELETE FROM payins`.execute(tx)"],
    ["MERGE", "sql`MERGE INTO payins p USING payment_links l ON false WHEN MATCHED THEN DELETE`.execute(tx)"],
    ["COPY", 'client.query("COPY payins FROM STDIN")'],
    [
      "a write inside a query",
      "sql<{ id: string }>`WITH gone AS (DELETE FROM payins RETURNING id) SELECT id FROM gone`.execute(tx)",
    ],
  ])("alone may write it: the check refuses %s of another folder", async (_, write) => {
    expect(await tableProblems({ "links/store.ts": `${readsPayins}\n${write}` })).toEqual([foreignWrite]);
  });

  it("alone may empty it", async () => {
    const source = `${readsPayins}\nclient.query("TRUNCATE payment_days")`;
    expect(await tableProblems({ "links/store.ts": source })).toEqual([
      "links/store.ts:4: links writes payment_days, which sales owns: call a function of its index.ts",
    ]);
  });

  it("writes it", async () => {
    const source =
      "sql`UPDATE payins SET status = 'pending'`.execute(tx);\nsql`DELETE FROM payin_refunds`.execute(tx);";
    expect(await tableProblems({ "sales/store.ts": source, "links/store.ts": readsPayins })).toEqual([]);
  });

  it("may be read by a folder that declares it, with its rows locked or not", async () => {
    const source = `${readsPayins}\nsql\`SELECT FROM payins FOR UPDATE\`.execute(tx);`;
    expect(await tableProblems({ "links/store.ts": source })).toEqual([]);
  });

  it("may not be read by a folder that declares nothing", async () => {
    const source = "sql`SELECT FROM payins\nJOIN payment_links l ON true`.execute(tx);";
    expect(await tableProblems({ "sales/store.ts": source, "links/store.ts": readsPayins })).toEqual([
      "sales/store.ts:4: sales reads payment_links, which links owns: call a function of its index.ts, " +
        "or name the table with a reason in tables.ts",
    ]);
  });

  it("may be read by a folder without own tables under the same rules", async () => {
    expect(await tableProblems({ "pages/list.ts": readsPayins, "links/store.ts": readsPayins })).toEqual([
      "pages/list.ts:3: pages reads payins, which sales owns: call a function of its index.ts, " +
        "or name the table with a reason in tables.ts",
    ]);
  });

  it("may export SQL to the statements of others, which counts as its own", async () => {
    const files = {
      "links/store.ts": `${readsPayins}\nexport const isPaid = sql\`EXISTS (SELECT FROM payment_links)\`;`,
      "sales/store.ts": `import { isPaid } from "../links/store.ts";\nsql\`SELECT FROM payins WHERE \${isPaid}\`.execute(tx);`,
    };
    expect(await tableProblems(files)).toEqual([]);
  });

  it("may not be written by SQL of others inside its own statement", async () => {
    const files = {
      "links/store.ts": `${readsPayins}\nexport const gone = sql\`DELETE FROM payins RETURNING id\`;`,
      "sales/store.ts": `import { gone } from "../links/store.ts";\nsql<{ id: string }>\`WITH gone AS (\${gone}) SELECT id FROM gone\`.execute(tx);`,
    };
    expect(await tableProblems(files)).toEqual([foreignWrite]);
  });

  it("may not be declared as read without a statement that reads it", async () => {
    expect(await tableProblems({ "links/store.ts": "sql`SELECT FROM payment_links`.execute(tx);" })).toEqual([
      "links/tables.ts: no statement reads payins any more",
    ]);
  });

  it("is one: the check refuses a table with two, a table with none, and a name that is not a table", () => {
    const tables = { all: ["payins", "payment_links", "pgboss.job"], ours: ["payins", "payment_links"] };
    const reads = {};
    expect(
      ownerProblems(
        [
          { folder: "links", owns: ["payins", "pgboss.job"], reads },
          { folder: "sales", owns: ["payins", "payin"], reads },
        ],
        tables,
      ),
    ).toEqual([
      "payins has two owners: links/tables.ts and sales/tables.ts",
      "sales/tables.ts: there is no table payin",
      "payment_links has no owner: the tables.ts of one folder has to name it",
    ]);
  });
});

describe("the product", () => {
  let product: Read;
  beforeAll(() => {
    product = readSource({ root, config: "apps/api/tsconfig.json" });
  }, 300_000);
  afterAll(() => product.source.close());

  it("runs only statements that fit the schema, on tables of its folders or declared ones", async () => {
    const declared = await readDeclared(join(root, "apps/api/src"));
    const boundaries = new Boundaries(declared, product.source);
    expect((await problemsOf(product, database, boundaries)).lines).toEqual([]);
    expect(boundaries.unused()).toEqual([]);
    expect(boundaries.cycles()).toEqual([]);
    expect(ownerProblems(declared, database.tables)).toEqual([]);
    expect(crowdedFiles(product.places)).toEqual([]);
  }, 300_000);

  it("contains the part that each planted fault changes", async () => {
    expect(await lostFaults(faults, product.statements, database)).toEqual([]);
  }, 300_000);

  it("is named by file if a column that it reads and writes was renamed", async () => {
    await database.client.query("ALTER TABLE transfers RENAME COLUMN due_date TO due_on");
    try {
      const { lines } = await problemsOf(product, database);
      const files = new Set(lines.map((line) => line.replace(/:\d+: .*/, "")));
      expect([...files]).toEqual(
        expect.arrayContaining(["apps/api/src/payouts/under-way/store.ts", "apps/api/src/receipts/store.ts"]),
      );
    } finally {
      await database.client.query("ALTER TABLE transfers RENAME COLUMN due_on TO due_date");
    }
  }, 300_000);

  /** Columns that only the database fills in, or that its functions write and read. */
  const ofTheDatabase = [
    ...["event_relay.is_only", "installation.only_row", "sandbox.settings.only_row"],
    ...["exports.notified_user", "operator_entries.id"],
    ...[
      "rail_dead_letters.payload_digest",
      "ledger_moves.from_account",
      "ledger_moves.to_account",
      "ledger_transactions.at",
    ],
  ];

  it("detects the absence of each column of each table", async () => {
    const { rows } = await database.client.query<{ table: string; name: string }>(`
      SELECT c.oid::regclass::text AS table, a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relnamespace IN ('public'::regnamespace, 'sandbox'::regnamespace)
        AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'migrations' ORDER BY 1, a.attnum`);
    expect(rows.length).toBeGreaterThan(700);
    const texts = [...new Set(product.statements.map(({ text }) => text))];
    const unnoticed: string[] = [];
    for (const { table, name } of rows) {
      await database.client.query(`ALTER TABLE ${table} RENAME COLUMN "${name}" TO gone`);
      if (
        !(await isMissed(
          name,
          texts.filter((one) => one.includes(table)),
        ))
      )
        unnoticed.push(`${table}.${name}`);
      await database.client.query(`ALTER TABLE ${table} RENAME COLUMN gone TO "${name}"`);
    }
    expect(unnoticed.sort()).toEqual(ofTheDatabase.sort());
  }, 600_000);

  async function isMissed(column: string, texts: readonly string[]): Promise<boolean> {
    const named = new RegExp(`\\b${column}\\b`);
    // The import's transaction creates its table, so these statements fail outside of it.
    for (const text of texts.filter((one) => named.test(one) && !one.includes("import_rows")))
      if ("error" in (await database.describe(text))) return true;
    return false;
  }
});

/** Each migration that rewrites rows, tested with rows before and after. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { databaseBefore, type OldDatabase } from "../../testing/migration-kit.ts";
import { oldRows, text } from "../../testing/old-rows.ts";
import { listKnownMigrations } from "./migrate.ts";

let old: OldDatabase;
afterEach(() => old?.close());

const { insert, batch, transfer, counts } = oldRows(() => old);

const receiver = (company: string, more: Record<string, string>) =>
  insert("receivers", { company_id: text(company), ...more });
/** Finds statements that rewrite rows outside of functions; `DO` blocks that create functions do not count. */
const rewrites = (sql: string): boolean =>
  /^\s*(UPDATE|DELETE FROM|TRUNCATE|INSERT INTO[^;]*\bSELECT\b)/m.test(
    sql.replace(/--.*$/gm, "").replace(/CREATE (OR REPLACE )?FUNCTION[\s\S]*?(\$\w*\$)[\s\S]*?\2;?/g, ""),
  );

it("0009 records the maker of each batch as its editor; 0071 repeats it where row security hid the rows", async () => {
  old = await databaseBefore("0009");
  const company = await old.company();
  const [helena, rui] = [randomUUID(), randomUUID()];
  const made = await batch(company, { created_by: text(helena) });
  const machines = await batch(company);
  await old.upTo("0070");
  // One of them was continued later.
  const other = await batch(company, {
    created_by: text(rui),
    edited_by: `ARRAY['${rui}'::uuid, '${helena}'::uuid]`,
  });
  await old.upTo();
  const rows = await old.query<{ id: string; edited_by: string[] }>("SELECT id, edited_by FROM batches");
  expect(new Map(rows.map(({ id, edited_by }) => [id, edited_by]))).toEqual(
    new Map([
      [made, [helena]],
      [machines, []],
      [other, [rui, helena]],
    ]),
  );
});

it("0010 queries payments that were sent and are under way, and no others; 0071 repeats it where row security hid the rows", async () => {
  old = await databaseBefore("0010");
  const company = await old.company();
  const home = await batch(company);
  const sent = { sent_at: "'2026-03-01T12:00:00Z'" };
  const [gone, arrived, waiting] = [
    await transfer(company, home, { status: "'EXECUTING'", ...sent }),
    await transfer(company, home, { status: "'FINISHED'", transfer_date: "now()", ...sent }),
    await transfer(company, home, { status: "'EXECUTING'" }),
  ];
  await old.upTo();
  const rows = await old.query<{ id: string; ask_at: Date | null }>("SELECT id, ask_at FROM transfers");
  expect(new Map(rows.map(({ id, ask_at }) => [id, ask_at]))).toEqual(
    new Map([
      [gone, new Date("2026-03-01T12:10:00Z")],
      [arrived, null],
      [waiting, null],
    ]),
  );
});

it("0023 folds the receivers' texts by the common rule", async () => {
  old = await databaseBefore("0023");
  const company = await old.company();
  await receiver(company, { name: "'Ana'", search_text: "'JOÃO ÇESAR Ñ'" });
  await receiver(company, { name: "'Bia'", search_text: "'bia'" });
  await old.upTo("0023");
  const rows = await old.query<{ search_text: string }>("SELECT search_text FROM receivers ORDER BY name");
  expect(rows.map(({ search_text }) => search_text)).toEqual(["joao cesar n", "bia"]);
});

it("0030 keeps the first of two receivers of one key, and records who was paid", async () => {
  old = await databaseBefore("0030");
  const company = await old.company();
  const key = { pix_key_type: "'EMAIL'", pix_key: "'ana@x.example'", search_text: "'ana'" };
  const first = await receiver(company, { name: "'Ana'", ...key });
  await receiver(company, { name: "'Ana Lima'", ...key, created_at: "'2026-04-01T12:00:00Z'" });
  const unpaid = await receiver(company, { ...key, pix_key: "'bia@x.example'" });
  const home = await batch(company);
  await transfer(company, home, {
    status: "'FINISHED'",
    pix_key_type: "'EMAIL'",
    pix_key: "'ana@x.example'",
  });
  await old.upTo("0030");
  const rows = await old.query<{ id: string; status: string }>("SELECT id, status FROM receivers");
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [first, "VERIFIED"],
      [unpaid, "CREATED"],
    ]),
  );
});

it("0033 counts ended payments by their day, and dates failures", async () => {
  old = await databaseBefore("0033");
  const company = await old.company();
  const home = await batch(company);
  const own = await batch(company, { type: "'WITHDRAWAL'" });
  // Two in the night in São Paulo still belongs to the previous day there.
  const done = { status: "'FINISHED'", transfer_date: "'2026-03-02T02:00:00Z'", bank_ispb: "'11111111'" };
  await transfer(company, home, { ...done, payment_method: "'TED'" });
  await transfer(company, home, { ...done, payment_method: "'TED'" });
  await transfer(company, home, { status: "'FAILED'", sent_at: "'2026-03-05T12:00:00Z'" });
  await transfer(company, home);
  await transfer(company, own, done);
  await old.upTo("0033");
  expect(await counts()).toEqual([
    { day: "2026-03-01", status: "FINISHED", bank_ispb: "11111111", payments: 2 },
    { day: "2026-03-05", status: "FAILED", bank_ispb: "", payments: 1 },
  ]);
  const failed = await old.query("SELECT failed_date FROM transfers WHERE status = 'FAILED'");
  expect(failed).toEqual([{ failed_date: new Date("2026-03-05T12:00:00Z") }]);
});

it("0041 and 0042 date existing keys, and register them in the directory of the sandbox", async () => {
  old = await databaseBefore("0041");
  const company = await old.company();
  const key = { company_id: text(company), key_type: "'EMAIL'" };
  await insert("pix_keys", { ...key, key: "'a@x.example'", status: "'REGISTERED'" });
  await insert("pix_keys", { ...key, key: "'b@x.example'", status: "'REMOVED'" });
  await old.upTo("0042");
  const at = new Date("2026-03-01T12:00:00Z");
  expect(await old.query("SELECT key, ownership_date, updated_at FROM pix_keys ORDER BY key")).toEqual([
    { key: "a@x.example", ownership_date: at, updated_at: at },
    { key: "b@x.example", ownership_date: at, updated_at: at },
  ]);
  expect(await old.query("SELECT key, company_id FROM sandbox.directory_entries")).toEqual([
    { key: "a@x.example", company_id: company },
  ]);
});

it("has a test of rows before and after for each migration that rewrites rows, and lets none of them forget row security", async () => {
  const tests = await Promise.all(
    [
      "./migrations.test.ts",
      "./migrations-from-0053.test.ts",
      "../mail/send-mail.test.ts",
      "../../exports/migration.test.ts",
      "../../history/start-of-history.test.ts",
      "../../payins/books.test.ts",
      "../../payouts/batches/failure-notices.test.ts",
      "../../payments/received-once.test.ts",
      "../../session/bearer-epochs.test.ts",
    ].map((path) => readFile(new URL(path, import.meta.url), "utf8")),
  );
  // 0071 repeats their work as a role that sees all companies.
  const hidden = new Set(["0009", "0010", "0057"]);
  // Its rows belong to no company.
  const ofTheInstallation = new Set(["0137"]);
  for (const name of await listKnownMigrations()) {
    const sql = await readFile(new URL(`../../../migrations/${name}`, import.meta.url), "utf8");
    if (!rewrites(sql)) continue;
    const number = name.slice(0, 4);
    expect(tests.join(""), name).toMatch(new RegExp(`it[^"]*"[^"]*\\b${number}\\b|name < "${number}"`));
    if (!hidden.has(number) && !ofTheInstallation.has(number))
      expect(sql, name).toMatch(/SET LOCAL ROLE malote_(system|ledger|sandbox)/);
  }
});

/** Migrations from 0053 on that rewrite rows, tested with rows before and after. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { databaseBefore, type OldDatabase } from "../../testing/migration-kit.ts";
import { oldRows, text } from "../../testing/old-rows.ts";

let old: OldDatabase;
afterEach(() => old?.close());

const { insert, batch, transfer, counts } = oldRows(() => old);

it("0053 records the uploader of each sheet, also a credential, as an editor of its batch; 0071 removes unknown ones", async () => {
  old = await databaseBefore("0053");
  const company = await old.company();
  const [helena, machine] = [randomUUID(), randomUUID()];
  const sheet = (more: Record<string, string>) =>
    insert("sheets", {
      company_id: text(company),
      file_name: "'a.csv'",
      file_key: "'sheets/a'",
      file_bytes: "1",
      state: "'imported'",
      uploaded_by_name: "'x'",
      ...more,
    });
  const persons = await sheet({ uploaded_by: text(helena) });
  const machines = await sheet({});
  const unknown = await sheet({});
  await old.query(
    `INSERT INTO audit_entries (company_id, at, actor_kind, actor_id, actor_name, action, subject_id)
     VALUES ($1, now(), 'machine', $2, 'ERP', 'sheet_uploaded', $3)`,
    [company, machine, machines],
  );
  const drafts = [
    await batch(company, { sheet_id: text(persons), edited_by: `ARRAY['${helena}'::uuid]` }),
    await batch(company, { sheet_id: text(machines) }),
    await batch(company, { sheet_id: text(unknown) }),
  ];
  await old.upTo("0053");
  const editors = await old.query<{ id: string; editor_id: string | null }>(
    "SELECT id, editor_id FROM sheets",
  );
  expect(new Map(editors.map(({ id, editor_id }) => [id, editor_id]))).toEqual(
    new Map([
      [persons, helena],
      [machines, machine],
      [unknown, null],
    ]),
  );
  await old.upTo();
  const edited = await old.query<{ id: string; edited_by: string[] }>("SELECT id, edited_by FROM batches");
  const by = new Map(edited.map(({ id, edited_by }) => [id, edited_by]));
  expect(drafts.map((id) => by.get(id))).toEqual([[helena], [machine], []]);
});

it.each([true, false])("0054 infers a price from charged payments: %s", async (charged) => {
  old = await databaseBefore("0054");
  const [one, two] = [await old.company(), await old.company()];
  for (const company of [one, two])
    await old.query("INSERT INTO billing_accounts VALUES ($1, '2026-01-01', '2026-02-01')", [company]);
  if (charged) {
    const invoice = randomUUID();
    await old.query(
      `INSERT INTO invoices (company_id, id, billing_period_start, amount_of_transfers, price_per_transfer, total, due_date, closed_at)
       VALUES ($1, $2, '2026-01-01', 1, 10, 10, '2026-02-10', now())`,
      [one, invoice],
    );
    await old.query("INSERT INTO invoiced_transfers VALUES ($1, $2, $3, 1)", [one, randomUUID(), invoice]);
  }
  await old.upTo("0054");
  expect(await old.query("SELECT has_price FROM billing_accounts")).toEqual([
    { has_price: charged },
    { has_price: charged },
  ]);
});

it("0055 counts Pix under no bank; 0071 removes the micro deposits that it counted", async () => {
  old = await databaseBefore("0055");
  const company = await old.company();
  const done = { status: "'FINISHED'", transfer_date: "'2026-03-02T12:00:00Z'", bank_ispb: "'11111111'" };
  await transfer(company, await batch(company), done);
  await transfer(company, await batch(company), { ...done, payment_method: "'TED'" });
  for (const type of ["WITHDRAWAL", "MICRO_DEPOSIT"])
    await transfer(company, await batch(company, { type: text(type) }), { ...done, payment_method: "'TED'" });
  await old.upTo("0055");
  expect((await counts()).map(({ bank_ispb, payments }) => [bank_ispb, payments])).toEqual([
    ["", 1],
    ["11111111", 2],
  ]);
  await old.upTo();
  expect((await counts()).map(({ bank_ispb, payments }) => [bank_ispb, payments])).toEqual([
    ["", 1],
    ["11111111", 1],
  ]);
});

it("0056 sets an end for unsent e-mails with a link that gives access", async () => {
  old = await databaseBefore("0056");
  const company = await old.company();
  const mail = {
    company_id: text(company),
    to_address: "'a@x.example'",
    subject: "'x'",
    text_body: "'x'",
    html_body: "'x'",
  };
  const letting = await insert("mails", { ...mail, words_end_when_sent: "true" });
  const sent = await insert("mails", { ...mail, words_end_when_sent: "true", sent_at: "now()" });
  const other = await insert("mails", { ...mail, words_end_when_sent: "false" });
  await old.upTo("0056");
  const rows = await old.query<{ id: string; good_until: Date | null }>("SELECT id, good_until FROM mails");
  expect(new Map(rows.map(({ id, good_until }) => [id, good_until]))).toEqual(
    new Map([
      [letting, new Date("2026-03-04T12:00:00Z")],
      [sent, null],
      [other, null],
    ]),
  );
});

it("0057 records who sent a draft back and turns off e-mails to payees; 0071 repeats it where row security hid the rows", async () => {
  old = await databaseBefore("0057");
  const company = await old.company({ emailsPayees: undefined, hasCardCharge: true });
  const system = await batch(company, {
    reprove_reason: "'Enquanto o lote esperava o saldo, a data de um pagamento passou.'",
  });
  const person = await batch(company, { reprove_reason: "'Valor errado'" });
  const untouched = await batch(company);
  await old.upTo();
  const rows = await old.query<{ id: string; sent_back_by: string | null }>(
    "SELECT id, sent_back_by FROM batches",
  );
  expect(new Map(rows.map(({ id, sent_back_by }) => [id, sent_back_by]))).toEqual(
    new Map([
      [system, "system"],
      [person, "person"],
      [untouched, null],
    ]),
  );
  expect(await old.query("SELECT settings FROM companies")).toEqual([
    { settings: { emailsPayees: false, hasCardCharge: true } },
  ]);
});

it("0059 marks the second payment of a link and leaves one active card sale, and keeps every row", async () => {
  old = await databaseBefore("0059");
  const company = await old.company();
  const [doubled, single, waiting] = [randomUUID(), randomUUID(), randomUUID()];
  let day = 1;
  const payin = (link: string | null, status: string, type = "credit_card") => {
    const at = `'2026-03-0${day++}T12:00:00Z'`;
    return insert("payins", {
      company_id: text(company),
      status: text(status),
      payment_type: text(type),
      amount: "100",
      created_at: at,
      updated_at: at,
      payment_link_id: link ? text(link) : "NULL",
    });
  };
  const ids = [
    await payin(doubled, "unauthorized"),
    await payin(doubled, "authorized"),
    await payin(doubled, "authorized"),
    await payin(doubled, "authorized"),
    await payin(single, "authorized"),
    await payin(waiting, "pending"),
    await payin(waiting, "pending"),
    await payin(null, "authorized"),
    await payin(null, "authorized"),
  ];
  await old.upTo("0059");
  const rows = await old.query<{ id: string; is_double: boolean }>("SELECT id, is_double FROM payins");
  const marked = new Map(rows.map(({ id, is_double }) => [id, is_double]));
  expect(ids.map((id) => marked.get(id))).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    true,
    false,
    false,
  ]);
  await expect(payin(single, "pending")).rejects.toThrow("payins_one_card_sale_a_link");
});

it("0083 counts scheduled payments and those sent since yesterday in the sums of limits, by their hour", async () => {
  old = await databaseBefore("0083");
  const company = await old.company();
  const id = await batch(company, { status: "'RECEIVED'" });
  // 14 August 2099 is a Friday. A payment scheduled for a day leaves at its first instant and counts in its daytime.
  for (const [status, value, leaves] of [
    ["SCHEDULED", 1, "2099-08-14 00:00-03"],
    ["SCHEDULED", 2, "2099-08-14 05:59-03"],
    ["SCHEDULED", 4, "2099-08-14 06:00-03"],
    ["FAILED", 8, "2099-08-14 20:00-03"],
    ["SCHEDULED", 16, "2099-08-15 00:00-03"],
    ["SCHEDULED", 32, "2099-08-16 12:00-03"],
    ["SCHEDULED", 64, "2099-08-16 21:00-03"],
    ["RETURNED", 128, "2099-08-14 10:00-03"],
    ["FINISHED", 512, "2026-01-14 10:00-03"],
  ] as const)
    await transfer(company, id, {
      status: text(status),
      value: String(value),
      execute_at: text(leaves),
      ...(status === "FAILED" && { failed_date: text(leaves) }),
      ...(status === "RETURNED" && { returned_date: text(leaves) }),
      ...(status === "FINISHED" && { transfer_date: text(leaves) }),
    });
  await old.upTo("0083");
  expect(
    await old.query<{ sum: string }>(
      "SELECT to_char(day, 'MM-DD') || ' ' || period || ' ' || value AS sum FROM limit_sums ORDER BY day, period",
    ),
  ).toEqual(
    ["08-13 NIGHTLY 2", "08-14 DAILY 5", "08-14 NIGHTLY 8", "08-15 WEEKEND 48", "08-16 NIGHTLY 64"].map(
      (sum) => ({
        sum,
      }),
    ),
  );
  expect(
    await old.query("SELECT value::text FROM transfers WHERE limit_day IS NULL ORDER BY transfers.value"),
  ).toEqual([{ value: "128" }, { value: "512" }]);
});

it("0084 chains existing audit entries, oldest first, separately for each company", async () => {
  old = await databaseBefore("0084");
  const companies = [await old.company(), await old.company()];
  for (const [at, company, action] of [
    ["2026-03-02", 0, "second"],
    ["2026-03-01", 0, "first"],
    ["2026-03-01", 1, "other"],
  ] as const)
    await old.query(
      "INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action) VALUES ($1, $2, 'system', 'Malote', $3)",
      [companies[company], at, action],
    );
  await old.upTo("0084");
  const links = `SELECT e.action || ' ' || c.seq AS link FROM audit_chain c
    JOIN audit_entries e ON e.company_id = c.company_id AND e.id = c.entry_id ORDER BY c.company_id = $1 DESC, c.seq`;
  const said = async () => (await old.query<{ link: string }>(links, [companies[0]])).map(({ link }) => link);
  expect(await said()).toEqual(["first 1", "second 2", "other 1"]);
  expect(await old.query("SELECT action FROM audit_entries ORDER BY action")).toHaveLength(3);
  // The next payment continues from there.
  await old.query(
    "INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action) VALUES ($1, now(), 'system', 'Malote', 'third')",
    [companies[0]],
  );
  expect(await said()).toEqual(["first 1", "second 2", "third 3", "other 1"]);
  expect(
    await old.query(
      `SELECT h.seq FROM audit_heads h JOIN audit_chain c ON c.company_id = h.company_id AND c.seq = h.seq AND c.hash = h.hash
       ORDER BY h.seq`,
    ),
  ).toHaveLength(2);
});

it("0097 binds the approvals of waiting batches to a hash if their content is the approved one", async () => {
  old = await databaseBefore("0097");
  const company = await old.company();
  const waiting = await batch(company, { status: "'WAITING_APPROVAL'", approval_digest: "'x'" });
  await transfer(company, waiting);
  const changed = await batch(company, { status: "'WAITING_APPROVAL'", approval_digest: "'old'" });
  await transfer(company, changed);
  await old.query(
    `UPDATE batches b SET approval_digest = (
       SELECT concat_ws('-', count(*), sum(value), to_hex(bit_xor(hash_record_extended(ROW(id, value, payment_method,
         payment_date, integration_id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
         account_type, pix_key_type, pix_key, pix_key_validation, pix_description), 42))))
       FROM transfers t WHERE t.batch_id = b.id) WHERE id = $1`,
    [waiting],
  );
  await old.upTo("0097");
  const rows = await old.query<{ id: string; approval_digest: string; now: string }>(
    "SELECT id, approval_digest, batch_digest(company_id, id) AS now FROM batches",
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  expect(found.get(waiting)?.approval_digest).toBe(found.get(waiting)?.now);
  expect(found.get(waiting)?.now).toMatch(/^[0-9a-f]{64}$/);
  // Content altered outside the product stays refused.
  expect(found.get(changed)?.approval_digest).toBe("old");
});

it("0103 records who gave access earlier, and everyone who gives it afterwards", async () => {
  old = await databaseBefore("0103");
  const company = await old.company();
  const [first, other] = [randomUUID(), randomUUID()];
  const person = (more: Record<string, string>) =>
    insert("users", {
      company_id: text(company),
      name: "'Ana'",
      email: text(`${randomUUID()}@aurora.example`),
      profile: "'operator'",
      applications: "ARRAY['payments']",
      ...more,
    });
  const invited = await person({ let_in_by: text(first), let_in_at: "'2026-08-01T12:00:00Z'" });
  await person({});
  await old.upTo("0103");
  const kept = async () =>
    (
      await old.query<{ kept: string }>(
        "SELECT given_by || ' ' || to_char(given_at AT TIME ZONE 'UTC', 'MM-DD') AS kept FROM access_given WHERE user_id = $1 ORDER BY given_at",
        [invited],
      )
    ).map((row) => row.kept);
  expect(await kept()).toEqual([`${first} 08-01`]);
  expect(await old.query("SELECT FROM access_given")).toHaveLength(1);
  const give = (by: string, at: string) =>
    old.query("UPDATE users SET let_in_by = $2, let_in_at = $3 WHERE id = $1", [invited, by, at]);
  await give(other, "2026-08-02T12:00:00Z");
  await give(first, "2026-08-03T12:00:00Z");
  await old.query("UPDATE users SET name = 'Ana Lima'");
  expect(await kept()).toEqual([`${other} 08-02`, `${first} 08-03`]);
});

it("0112 names the boleto of orders to the simulated network as the code does", async () => {
  old = await databaseBefore("0112");
  const company = await old.company();
  const boleto = { barcode: "1".repeat(44), dueDate: "2026-08-20" };
  for (const [id, order] of [
    ["a boleto", { method: "BILLET", billet: boleto }],
    ["a Pix", { method: "PIX", billet: null }],
    ["a newer one", { method: "BILLET", boleto }],
  ] as const)
    await old.query(
      `INSERT INTO sandbox.orders (end_to_end_id, company_id, method, value, order_data, accepted_at, outcome)
       VALUES ($1, $2, 'PIX', 1, $3, now(), 'settled')`,
      [id, company, JSON.stringify(order)],
    );
  await old.upTo("0112");
  expect(
    await old.query(
      "SELECT end_to_end_id AS id, order_data AS data FROM sandbox.orders ORDER BY end_to_end_id",
    ),
  ).toEqual([
    { id: "a Pix", data: { method: "PIX", boleto: null } },
    { id: "a boleto", data: { method: "BILLET", boleto } },
    { id: "a newer one", data: { method: "BILLET", boleto } },
  ]);
});

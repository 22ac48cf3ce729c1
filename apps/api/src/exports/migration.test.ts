/** 0108 moves the requests of four older tables into this one. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { databaseBefore, type OldDatabase } from "../testing/migration-kit.ts";

let old: OldDatabase;
afterEach(() => old?.close());

const text = (value: string) => `'${value}'`;
/** `values` is SQL. */
async function insert(table: string, values: Record<string, string>): Promise<string> {
  const id = randomUUID();
  const row: Record<string, string> = { id: text(id), created_at: "'2026-03-01T12:00:00Z'", ...values };
  await old.query(
    `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).join(", ")})`,
  );
  return id;
}

it("0108 moves requested files into one table, streamed ones too", async () => {
  old = await databaseBefore("0108");
  const company = await old.company();
  const rui = await insert("users", {
    company_id: text(company),
    name: "'Rui'",
    email: "'rui@aurora.example'",
    profile: "'operator'",
    applications: "ARRAY['payments']",
  });
  const [batchId, payment] = [randomUUID(), randomUUID()];
  const kept = { company_id: text(company), expires_at: "'2026-03-08T12:00:00Z'", requested_by: text(rui) };
  const statement = await insert("report_requests", {
    ...kept,
    kind: "'statement_csv'",
    initial_date: "'2026-02-01'",
    end_date: "'2026-02-28'",
    state: "'ready'",
    rows_count: "12",
    file_key: "'reports/a'",
    file_bytes: "345",
  });
  const payouts = await insert("report_requests", {
    ...kept,
    kind: "'payouts'",
    initial_date: "'2026-02-01'",
    end_date: "'2026-02-28'",
    filter: `'{"search": "luz"}'`,
    state: "'expired'",
    rows_count: "7",
  });
  const ofBatch = await insert("receipt_requests", {
    ...kept,
    batch_id: text(batchId),
    state: "'ready'",
    receipts_count: "3",
    file_key: "'receipts/b'",
    file_bytes: "67",
  });
  const ofList = await insert("receipt_requests", {
    ...kept,
    transfer_ids: `ARRAY['${payment}'::uuid]`,
    state: "'making'",
    receipts_count: "1",
  });
  const infractions = await Promise.all(
    ["processing", "succeeded", "failed", "expired"].map((state) =>
      insert("infraction_exports", {
        ...kept,
        filters: `'{"analysis_status": "accepted"}'`,
        state: text(state),
        ...(state === "succeeded" && { file_key: "'infraction-exports/c'" }),
      }),
    ),
  );
  const sheet = { company_id: text(company), kind: "'payins'", filters: `'{"search": "luz"}'` };
  const machines = randomUUID();
  const sheets = [
    await insert("receivable_reports", { ...sheet, asked_by: text(machines) }),
    await insert("receivable_reports", sheet),
  ];
  await old.upTo("0108");

  const rows = await old.query<{ id: string }>(
    `SELECT id, kind, request, ids, is_streamed, state, rows_count, file_key, file_bytes::int, requested_by, notified_user,
       to_char(expires_at - created_at, 'DD HH24') AS kept FROM exports WHERE company_id = $1`,
    [company],
  );
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  const file = { ids: null, is_streamed: false, requested_by: rui, notified_user: rui, kept: "07 00" };
  const nothing = { rows_count: null, file_key: null, file_bytes: null };
  const february = { initialDate: "2026-02-01", endDate: "2026-02-28" };
  const list = { ...file, ...nothing, kind: "infractions", request: { analysis_status: "accepted" } };
  const asSheet = {
    ...nothing,
    ...{ kind: "payins", request: { search: "luz" }, ids: null, is_streamed: true, state: "ready" },
    ...{ notified_user: null, kept: "01 00" },
  };
  expect(found).toEqual(
    new Map<string, object>([
      [
        statement,
        {
          ...file,
          ...{ kind: "statement_csv", request: { ...february, filter: {} }, state: "ready" },
          ...{ rows_count: 12, file_key: "reports/a", file_bytes: 345 },
        },
      ],
      [
        payouts,
        {
          ...file,
          ...nothing,
          ...{ kind: "payouts", request: { ...february, filter: { search: "luz" } }, state: "expired" },
          rows_count: 7,
        },
      ],
      [
        ofBatch,
        {
          ...file,
          ...{ kind: "receipts", request: { batchId }, state: "ready" },
          ...{ rows_count: 3, file_key: "receipts/b", file_bytes: 67 },
        },
      ],
      [
        ofList,
        {
          ...file,
          ...nothing,
          ...{ kind: "receipts", request: { batchId: null }, ids: [payment], state: "making", rows_count: 1 },
        },
      ],
      [infractions[0] ?? "", { ...list, state: "making" }],
      [infractions[1] ?? "", { ...list, state: "ready", file_key: "infraction-exports/c" }],
      [infractions[2] ?? "", { ...list, state: "failed" }],
      [infractions[3] ?? "", { ...list, state: "expired" }],
      [sheets[0] ?? "", { ...asSheet, requested_by: machines }],
      [sheets[1] ?? "", { ...asSheet, requested_by: null }],
    ]),
  );
  const tables = await old.query(
    `SELECT FROM pg_tables
     WHERE tablename IN ('report_requests', 'receipt_requests', 'infraction_exports', 'receivable_reports')`,
  );
  expect(tables).toEqual([]);
});

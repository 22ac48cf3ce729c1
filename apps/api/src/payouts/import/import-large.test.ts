import { readBatch, saveBatch } from "@malote/contracts/batches";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkBooks } from "../../ledger/check-books.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import { buildImportApp, fetchTransfers, importFile, pixHeadings } from "../../testing/import-kit.ts";

let app: TestApp;
let helena: Person;
let batchId: string;
const limit = 100_000;
/** The machine may do other work at the same time. */
const timeout = 60_000;

/** The rows are text lines, because joining a hundred thousand rows of cells takes longer than importing them. */
const csvOfRows = (count: number) =>
  [
    pixHeadings.join(";"),
    ...Array.from({ length: count }, (_, n) => `Ana Lima;;EMAIL;p${n}@exemplo.com.br;10,50;;;N${n}`),
  ].join("\n");

beforeAll(async () => {
  app = await buildImportApp();
  helena = await app.as("helena@aurora.example");
  const sheet = await importFile(app, helena, csvOfRows(limit), "grande.csv");
  expect(sheet).toMatchObject({ state: "imported", rows_read: limit, rows_total: limit });
  batchId = sheet.batch_id ?? "";
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

describe("a sheet of the maximum size", () => {
  it("ruling D16: imports all of 100,000 rows in their order", { timeout }, async () => {
    expect((await helena.call(readBatch, { params: { id: batchId } })).body).toMatchObject({
      payments_count: limit,
      errors_count: 0,
      value: limit * 10_50,
    });
    const last = await fetchTransfers(helena, batchId, limit / 50 - 1);
    expect(last.map((transfer) => transfer.sheet_row)).toEqual(
      Array.from({ length: 50 }, (_, n) => limit - 50 + n + 2),
    );
  });

  it("ruling D16: refuses one row more with a sentence, and stores nothing", { timeout }, async () => {
    const sheet = await importFile(app, helena, csvOfRows(limit + 1), "maior.csv");
    expect(sheet).toMatchObject({
      state: "refused",
      batch_id: null,
      refusal: { code: "sheet_too_many_rows", message: expect.stringContaining("mais de 100.000 linhas") },
    });
    const { rows } = await app.services.db.withSystem((tx) =>
      sql<{ batches: number; transfers: number }>`
        SELECT (SELECT count(*)::int FROM batches) AS batches, (SELECT count(*)::int FROM transfers) AS transfers`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ batches: 1, transfers: limit }]);
  });

  it("P11 saves one change with as many queries and as few reads as in a batch of one", async () => {
    const [first] = await fetchTransfers(helena, batchId);
    const small = await helena.post("/api/payments/app/batch", { name: "Pequeno" });
    const change = { value: 20_00, destination_bank_account: { pix_key_type: "EMAIL", pix_key: "a@b.com" } };
    const statements = async (id: string, transfer: object) => {
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        const answer = await helena.call(saveBatch, {
          params: { id },
          body: { name: "x", transfers: [transfer] },
        });
        expect(answer.status).toBe(200);
        return query.mock.calls.length;
      } finally {
        query.mockRestore();
      }
    };
    const few = await statements(small.body.id, change);
    expect(await statements(batchId, { ...change, id: first?.id })).toBe(few);
    expect((await helena.call(readBatch, { params: { id: batchId } })).body).toMatchObject({
      payments_count: limit,
      value: limit * 10_50 + 9_50,
    });
    const full = await helena.call(saveBatch, {
      params: { id: batchId },
      body: { name: "x", transfers: [change] },
    });
    expect(full).toMatchObject({ status: 422, body: { code: "batch_over_limit" } });
  });
});

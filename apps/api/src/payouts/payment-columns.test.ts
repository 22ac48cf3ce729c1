import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onlyRow } from "../platform/db/only-row.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { importedColumns, unapprovedColumns, writtenColumns } from "./payment-columns.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
}, 30_000);
afterAll(() => kit.close());

it("binds an approval to every column that people write, but for what only follows from the others", async () => {
  const { source } = onlyRow(
    await kit.services.db.withSystem((tx) =>
      sql<{ source: string }>`SELECT prosrc AS source FROM pg_proc WHERE proname = 'batch_digest'`.execute(
        tx,
      ),
    ),
  );
  const bound = new Set([...source.matchAll(/\bt\.(\w+)/g)].map(([, column]) => column));
  for (const column of ["company_id", "batch_id"]) bound.delete(column);
  const written = new Set([...writtenColumns.TRANSFER, ...writtenColumns.BILLET]);
  expect([...bound].sort()).toEqual(
    ["id", ...[...written].filter((column) => !unapprovedColumns.has(column))].sort(),
  );
});

it.each(["TRANSFER", "BILLET"] as const)("names each column of a %s once", (kind) => {
  expect(new Set(writtenColumns[kind]).size).toBe(writtenColumns[kind].length);
  expect(new Set(importedColumns[kind]).size).toBe(importedColumns[kind].length);
});

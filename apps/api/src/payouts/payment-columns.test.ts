import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onlyRow } from "../platform/db/only-row.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { insertSystemBatch } from "./batches/system-batch.ts";
import { importedColumns, unapprovedColumns, writtenColumns } from "./payment-columns.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
}, 30_000);
afterAll(() => kit.close());

it("binds an approval to every column that people write, except those derived from others", async () => {
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

it("stores a single payment in every column of a transfer except those that only a draft or a code has", async () => {
  const ofDrafts = ["payment_date", "integration_id", "errors", "warnings", "data_marks"];
  const ofCodes = ["emv", "emv_data", "emv_location", "emv_until"];
  const { to, pixKeyValidation, pixDescription, now } = {
    to: {
      ...{ name: "Ana Souza", taxId: "52998224725", email: "ana@exemplo.com.br", bankIspb: "60746948" },
      ...{
        agency: "1234",
        agencyDigit: "5",
        account: "98765",
        accountDigit: "4",
        accountType: "CONTA_CORRENTE",
      },
      ...{ pixKeyType: "CPF", pixKey: "52998224725" },
    },
    pixKeyValidation: "52998224725",
    pixDescription: "Resgate",
    now: kit.clock.now(),
  };
  const [batchId, paymentId] = [randomUUID(), randomUUID()];
  const undone = new Error("nothing of it stays");
  let row: Record<string, unknown> = {};
  const written = kit.services.db.withCompany(auroraId, async (tx) => {
    await insertSystemBatch(tx, {
      ...{ type: "WITHDRAWAL", batchId, paymentId, value: 1_00, method: "PIX", to, executeAt: now, now },
      ...{ pixKeyValidation, pixDescription, actor: { kind: "user", id: randomUUID(), name: "Helena" } },
    });
    const found = await sql<{ row: Record<string, unknown> }>`
      SELECT to_jsonb(t) AS row FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ${paymentId}
    `.execute(tx);
    row = onlyRow(found).row;
    throw undone;
  });
  await expect(written).rejects.toBe(undone);
  const kept = writtenColumns.TRANSFER.filter((column) => row[column] !== null && row[column] !== undefined);
  expect([...kept, ...ofDrafts, ...ofCodes].sort()).toEqual([...writtenColumns.TRANSFER].sort());
  expect(row).toMatchObject({ status: "RECEIVED", position: 1, limit_period: expect.any(String) });
});

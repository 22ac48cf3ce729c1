/** Rows of a database in the state before a migration. */
import { randomUUID } from "node:crypto";
import type { OldDatabase } from "./migration-kit.ts";

export const text = (value: string) => `'${value}'`;

export function oldRows(old: () => OldDatabase) {
  /** Inserts a row with the columns that every version of the table requires; `values` are SQL. */
  async function insert(table: string, values: Record<string, string>): Promise<string> {
    const id = randomUUID();
    const row: Record<string, string> = { id: `'${id}'`, created_at: "'2026-03-01T12:00:00Z'", ...values };
    await old().query(
      `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).join(", ")})`,
    );
    return id;
  }

  const batch = (company: string, more: Record<string, string> = {}) =>
    insert("batches", {
      company_id: text(company),
      name: "'Folha'",
      type: "'TRANSFER'",
      status: "'DRAFT'",
      created_by_name: "'Helena'",
      ...more,
    });

  const transfer = (company: string, batchId: string, more: Record<string, string> = {}) =>
    insert("transfers", {
      company_id: text(company),
      batch_id: text(batchId),
      position: "1",
      status: "'CREATED'",
      value: "100",
      payment_method: "'PIX'",
      name: "'Ana'",
      ...more,
    });

  const counts = () =>
    old().query<{ day: string; status: string; bank_ispb: string; payments: number }>(
      "SELECT day::text, status, bank_ispb, payments FROM payment_days ORDER BY day, status, bank_ispb",
    );

  return { insert, batch, transfer, counts };
}

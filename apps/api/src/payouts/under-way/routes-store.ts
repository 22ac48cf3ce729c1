/** Routes: the connection for each company's payments of a method (decision 0049). */
import { sql } from "kysely";
import { sqlJoinCompany } from "../../company/index.ts";
import type { AnyTx, Tx } from "../../platform/db/database.ts";

export interface Route {
  company_id: string;
  tax_id: string;
  name: string;
  method: string;
  connection: string;
}

/** Lists the routes of all companies or of one. */
export async function listRoutes(tx: AnyTx, companyId: string | undefined): Promise<Route[]> {
  const { rows } = await sql<Route>`
    SELECT c.company_id, c.tax_id, c.name, r.method, r.connection
    FROM payment_routes r ${sqlJoinCompany(sql`r`)}
    WHERE ${companyId ?? null}::uuid IS NULL OR r.company_id = ${companyId ?? null}
    ORDER BY c.created_at, c.company_id, r.method
  `.execute(tx);
  return rows;
}

export async function findRoute(tx: Tx, method: string): Promise<string | null> {
  const { rows } = await sql<{ connection: string }>`
    SELECT connection FROM payment_routes WHERE company_id = ${tx.companyId} AND method = ${method}
  `.execute(tx);
  return rows[0]?.connection ?? null;
}

/** Sets a route for future payments, or removes it without a connection. */
export async function saveRoute(tx: Tx, method: string, connection: string | null): Promise<void> {
  await (connection === null
    ? sql`DELETE FROM payment_routes WHERE company_id = ${tx.companyId} AND method = ${method}`.execute(tx)
    : sql`
        INSERT INTO payment_routes (company_id, method, connection) VALUES (${tx.companyId}, ${method}, ${connection})
        ON CONFLICT (company_id, method) DO UPDATE SET connection = excluded.connection
      `.execute(tx));
}

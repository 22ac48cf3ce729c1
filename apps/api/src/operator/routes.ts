/**
 * Routes: the connection for each company's payments of a method, as the installation's operator decides (decision
 * 0049).
 */
import { auditChanges } from "@malote/domain/audit-trail";
import { paymentTypes } from "@malote/domain/payment-limits";
import { formatTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { lockCompany } from "../company/index.ts";
import { audit } from "../platform/audit.ts";
import type { Database, Tx } from "../platform/db/database.ts";
import { connectionIds } from "../ports/connections.ts";
import type { Ports } from "../ports/ports.ts";
import type { NamedCompany } from "./company-options.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

type PaymentType = (typeof paymentTypes)[number];
export type Networks = Pick<Ports, "rails" | "connections">;

interface Route {
  company_id: string;
  tax_id: string;
  name: string;
  method: string;
  connection: string;
}

/** Lists all routes or those of one company, each with whether this installation has its connection. */
export async function listRoutes(
  db: Database,
  networks: Networks,
  company: NamedCompany | undefined,
): Promise<Answer> {
  const { rows } = await db.withSystem((tx) =>
    sql<Route>`
      SELECT c.company_id, c.tax_id, c.name, r.method, r.connection
      FROM payment_routes r JOIN companies c ON c.company_id = r.company_id
      WHERE ${company?.id ?? null}::uuid IS NULL OR r.company_id = ${company?.id ?? null}
      ORDER BY c.created_at, c.company_id, r.method
    `.execute(tx),
  );
  const known = connectionIds(networks);
  const routes = rows.map((route) => ({ ...route, is_configured: known.includes(route.connection) }));
  const lines = routes.map(
    ({ tax_id, method, connection, is_configured, name }) =>
      `${formatTaxId(tax_id)}  ${method}  ${connection}${is_configured ? "" : " (não configurada)"}  ${name}`,
  );
  const rest = `O que não tem rota vai por ${networks.rails.id}. Conexões: ${known.join(", ")}.`;
  return answer({ routes, connections: known, main: networks.rails.id }, [...lines, rest].join("\n"));
}

/** Sets a route for future payments; a payment that was handed over stays with its connection. */
export async function setRoute(
  db: Database,
  networks: Networks,
  company: NamedCompany,
  [given = "", connection = ""]: readonly string[],
  now: Date,
): Promise<Answer> {
  const method = methodOf(given);
  const known = connectionIds(networks);
  if (!known.includes(connection))
    throw new WrongCommand(
      `Esta instalação não tem a conexão "${connection}". Escolha uma destas: ${known.join(", ")}.`,
    );
  const changed = await change(db, company, method, connection, now);
  const what = changed ? "vai" : "já ia";
  return answer({ ok: true, changed }, `${method} de ${company.name} ${what} por ${connection}.`);
}

export async function removeRoute(
  db: Database,
  { rails }: Networks,
  company: NamedCompany,
  [given = ""]: readonly string[],
  now: Date,
): Promise<Answer> {
  const method = methodOf(given);
  if (!(await change(db, company, method, null, now)))
    throw new WrongCommand(
      `${company.name} não tem rota de ${method}. Veja as rotas com: npm run operator -- routes`,
    );
  return answer({ ok: true }, `${method} de ${company.name} vai por ${rails.id}, como o que não tem rota.`);
}

function methodOf(given: string): PaymentType {
  const method = paymentTypes.find((one) => one === given.toUpperCase());
  if (!method)
    throw new WrongCommand(`"${given}" não é um método: diga ${paymentTypes.join(", ")}.\n\n${usage}`);
  return method;
}

/** Changes a route. Returns false when nothing changes. */
const change = (
  db: Database,
  company: NamedCompany,
  method: PaymentType,
  connection: string | null,
  now: Date,
): Promise<boolean> =>
  db.withCompany(company.id, async (tx) => {
    const before = await findRoute(tx, method);
    if (before === connection) return false;
    await (connection === null
      ? sql`DELETE FROM payment_routes WHERE company_id = ${tx.companyId} AND method = ${method}`.execute(tx)
      : sql`
          INSERT INTO payment_routes (company_id, method, connection) VALUES (${tx.companyId}, ${method}, ${connection})
          ON CONFLICT (company_id, method) DO UPDATE SET connection = excluded.connection
        `.execute(tx));
    const field = `route${method}` as const;
    await audit(tx, { actor: "operator", now }, "operator.route_changed", tx.companyId, {
      changes: auditChanges({ [field]: before }, { [field]: connection }),
    });
    return true;
  });

async function findRoute(tx: Tx, method: PaymentType): Promise<string | null> {
  await lockCompany(tx);
  const { rows } = await sql<{ connection: string }>`
    SELECT connection FROM payment_routes WHERE company_id = ${tx.companyId} AND method = ${method}
  `.execute(tx);
  return rows[0]?.connection ?? null;
}

/**
 * Routes: the connection for each company's payments of a method, as the installation's operator decides (decision
 * 0049).
 */
import { auditChanges } from "@malote/domain/audit-trail";
import type { PaymentMethod } from "@malote/domain/limits";
import { paymentMethods } from "@malote/domain/payment-limits";
import { formatTaxId } from "@malote/domain/tax-id";
import { lockCompany, type NamedCompany } from "../company/index.ts";
import { findRoute, listRoutes as listStoredRoutes, saveRoute } from "../payouts/index.ts";
import { audit } from "../platform/audit.ts";
import { WrongConfiguration } from "../platform/config.ts";
import type { Database } from "../platform/db/database.ts";
import { carries, connectionIds, connectionOf, type ReportingPorts } from "../ports/connections.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

export type Networks = ReportingPorts;

/** Lists all routes or those of one company, each with whether this installation has its connection. */
export async function listRoutes(
  db: Database,
  networks: Networks,
  company: NamedCompany | undefined,
): Promise<Answer> {
  const rows = await db.withSystem((tx) => listStoredRoutes(tx, company?.id));
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
  const rails = connectionOf(networks, connection);
  if (!rails)
    throw new WrongCommand(
      `Esta instalação não tem a conexão "${connection}". Escolha uma destas: ${known.join(", ")}.`,
    );
  if (!carries(rails, method))
    throw new WrongCommand(
      `A conexão ${connection} não leva ${method}. Ela leva: ${rails.methods.join(", ")}.`,
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

/**
 * Refuses a start with a route over a network that does not carry its method. A route over a connection that is not
 * configured is no reason: its payments wait.
 */
export async function requireCarriedRoutes(db: Database, networks: Networks): Promise<void> {
  const routes = await db.withSystem((tx) => listStoredRoutes(tx, undefined));
  const problems = routes.flatMap(({ name, tax_id, method, connection }) => {
    const rails = connectionOf(networks, connection);
    if (!rails || carries(rails, method)) return [];
    return [
      `A rota de ${method} de ${name} (${formatTaxId(tax_id)}) vai por ${connection}, que não leva ${method}: mude-a com npm run operator -- route ou remove-route`,
    ];
  });
  if (problems.length > 0) throw new WrongConfiguration(problems);
}

function methodOf(given: string): PaymentMethod {
  const method = paymentMethods.find((one) => one === given.toUpperCase());
  if (!method)
    throw new WrongCommand(`"${given}" não é um método: diga ${paymentMethods.join(", ")}.\n\n${usage}`);
  return method;
}

/** Changes a route. Returns false when nothing changes. */
const change = (
  db: Database,
  company: NamedCompany,
  method: PaymentMethod,
  connection: string | null,
  now: Date,
): Promise<boolean> =>
  db.withCompany(company.id, async (tx) => {
    await lockCompany(tx);
    const before = await findRoute(tx, method);
    if (before === connection) return false;
    await saveRoute(tx, method, connection);
    const field = `route${method}` as const;
    await audit(tx, { actor: "operator", now }, "operator.route_changed", tx.companyId, {
      changes: auditChanges({ [field]: before }, { [field]: connection }),
    });
    return true;
  });

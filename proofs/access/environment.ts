/**
 * The whole product on a real database, as its own program builds it: every existing route, and those that a proof
 * plants.
 */
import { bases, type Contract } from "@malote/contracts/contract";
import type { Application, Profile } from "@malote/contracts/policy";
import type { FastifyInstance, InjectOptions } from "fastify";
import { type DemoCompany, demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { buildApp } from "../../apps/api/src/app.ts";
import type { Serve } from "../../apps/api/src/platform/http/serve.ts";
import type { Services } from "../../apps/api/src/platform/services.ts";
import { findBearerOfUser } from "../../apps/api/src/session/bearer-store.ts";
import { startSession } from "../../apps/api/src/session/grant.ts";
import { sessionKit } from "../../apps/api/src/session/kit.ts";
import { openPayments, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import type { Input } from "./schemas.ts";

export const bearerKinds = ["admin", "operator", "analyst", "machine"] as const;
export type BearerKind = (typeof bearerKinds)[number];

export interface Environment {
  kit: PaymentsKit;
  /** Tokens of every kind of bearer of both companies. */
  tokens: ReadonlyMap<DemoCompany, Record<BearerKind, string>>;
  /** Returns the tokens of the same people for a call: of the other application, where only that one has the call. */
  tokensFor(company: DemoCompany, contract: Contract): Record<BearerKind, string>;
  /** Opens another process of the product on the same database; `planted` adds calls that no contract has. */
  open(changes?: Partial<Services>, planted?: (serve: Serve) => void): Promise<FastifyInstance>;
  close(): Promise<void>;
}

export async function openEnvironment(): Promise<Environment> {
  const kit = await openPayments();
  // Both companies get every feature; a proof of the permissions covers companies without them.
  await kit.services.db.pool.query(
    `UPDATE companies SET feature_flags = '{card-charge}', settings = settings || '{"hasCardCharge": true}'`,
  );
  const servers: FastifyInstance[] = [];
  const tokens = new Map<DemoCompany, Record<BearerKind, string>>();
  const inValidation = new Map<DemoCompany, Record<BearerKind, string>>();
  for (const company of demoCompanies) {
    const machine = await machineToken(kit, company);
    const people = async (application: Application) => ({
      admin: await personToken(kit.services, company, "admin", application),
      operator: await personToken(kit.services, company, "operator", application),
      analyst: await personToken(kit.services, company, "analyst", application),
      machine,
    });
    tokens.set(company, await people("payments"));
    inValidation.set(company, await people("validation"));
  }
  return {
    kit,
    tokens,
    tokensFor(company, { policy }) {
      const isPayments = policy.access !== "session" || policy.applications.includes("payments");
      const found = (isPayments ? tokens : inValidation).get(company);
      if (!found) throw new Error(`no person of ${company.name} is signed in`);
      return found;
    },
    async open(changes = {}, planted = () => undefined) {
      const services = { ...kit.services, ...changes };
      const routes = (serve: Serve) => {
        kit.sandbox.routes(serve);
        planted(serve);
      };
      const server = await buildApp(services, { routes }, { accepting: true });
      await server.ready();
      servers.push(server);
      return server;
    },
    async close() {
      for (const server of servers) await server.close();
      await kit.close();
    },
  };
}

/** Opens a session as a sign-in does, without the quarter of a second that a password takes. */
export async function personToken(
  services: Services,
  company: DemoCompany,
  profile: Profile,
  application?: Application,
): Promise<string> {
  const user = company.users.find((one) => one.profile === profile);
  if (!user) throw new Error(`${company.name} has no ${profile}`);
  return services.db.withCompany(company.id, async (tx) => {
    const sessionVersion = (await findBearerOfUser(tx, user.id))?.sessionVersion ?? 0;
    return startSession(tx, sessionKit(services), {
      id: user.id,
      sessionVersion,
      ...(application && { application }),
    });
  });
}

async function machineToken(kit: PaymentsKit, { credential }: DemoCompany): Promise<string> {
  const answer = await kit.send("POST", `${bases.login}/authorize`, {
    grant_type: "client_credentials",
    client_id: credential.clientId,
    client_secret: credential.clientSecret,
  });
  return answer.body.access_token;
}

export interface Answer {
  status: number;
  text: string;
  type: string;
}

/** Makes one HTTP call in the process, without a network. */
export async function ask(
  server: FastifyInstance,
  contract: Contract,
  input: Input = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { params, query, body } = input as {
    params?: Record<string, unknown>;
    query?: object;
    body?: unknown;
  };
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? "")),
  );
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const answer = await server.inject({
    method: contract.method as NonNullable<InjectOptions["method"]>,
    url: bases[contract.base] + path + (search && `?${search}`),
    headers,
    ...(body !== undefined && { payload: body as object }),
  });
  return {
    status: answer.statusCode,
    text: answer.payload,
    type: answer.headers["content-type"]?.toString() ?? "",
  };
}

export const bearing = (token: string) => ({ authorization: `Bearer ${token}` });

import { randomUUID } from "node:crypto";
import type { Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { type Profile, profiles } from "@malote/contracts/policy";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { type DemoCompany, demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import type { Serve } from "../../apps/api/src/platform/http/serve.ts";
import { findBearerOfCredential, queryInTransaction } from "../../apps/api/src/session/bearer-store.ts";
import { claimsOf, startSession } from "../../apps/api/src/session/grant.ts";
import { sessionKit } from "../../apps/api/src/session/kit.ts";
import type { PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { ask, bearing, type Environment, openEnvironment } from "./environment.ts";
import * as matrix from "./permissions.ts";
import { inputOf, shapesOf } from "./schemas.ts";
import { readScreens, type Source, unguarded } from "./screens.ts";
import { undoing } from "./undone.ts";

const ofSession = contracts.filter(({ policy }) => policy.access === "session");

proof(
  "S2",
  "lets every caller make the calls of the policy and no others, whatever the permissions and settings of their company",
  { unit: "% of the matrix", short: 0.1, reduced: 5, full: 100 },
  async ({ count, seed, report }) => {
    const environment = await openEnvironment();
    try {
      return await walk(environment, count, seed, report);
    } finally {
      await environment.close();
    }
  },
);

/** A planted screen that makes a call for every person to find out whether it may show an admin's call. */
const plantedScreens: readonly Source[] = [
  { feature: "planted", text: "may(createBatch, session) && call(closeBatch, {})" },
  { feature: "planted", text: "call(deleteBatch, {})" },
];

async function walk(environment: Environment, percent: number, seed: number, report: (line: string) => void) {
  const { kit } = environment;
  const chance = chanceOf(seed);
  const [company] = demoCompanies as [DemoCompany];
  const tokens = new Map(
    await Promise.all(matrix.allBearers.map(async (who) => [who, await tokenOf(kit, company, who)] as const)),
  );
  const server = await environment.open({ db: undoing(kit.services.db, async () => undefined) }, plant);

  const faults: string[] = [];
  let tried = 0;
  async function walkCalls(calls: readonly Contract[], share: number, found: string[]) {
    for (const state of matrix.companyStates) {
      const cells = calls
        .flatMap((call) => matrix.allBearers.map((who) => ({ call, who })))
        .filter(() => chance.happens(share));
      for (const hasFactor of [false, true]) {
        const now = cells.filter(({ who }) => who.hasSecondFactor === hasFactor);
        if (now.length === 0) continue;
        await bring(kit, company, state, hasFactor);
        for (const { call, who } of now) {
          tried++;
          const expected = matrix.verdictOn(call, who, state);
          const given = await verdictOf(server, call, tokens.get(who) ?? "");
          if (given !== expected)
            found.push(
              `${call.id} for ${JSON.stringify(who)} of ${JSON.stringify(state)}: ${given}, not ${expected}`,
            );
        }
      }
    }
  }
  const calls = [...ofSession, ...matrix.oneForEach];
  await walkCalls(calls, percent, faults);
  report(`${tried} cells, ${faults.length} faults`);
  faults.push(...unguarded(contracts, readScreens()));

  const missed: string[] = [];
  for (const { said } of matrix.loosened) {
    const found: string[] = [];
    await walkCalls([said], 2, found);
    if (found.length === 0) missed.push(said.id);
  }
  for (const screen of plantedScreens)
    if (unguarded(contracts, [screen]).length === 0) missed.push(`a screen with ${screen.text}`);
  return {
    faults,
    figures: {
      calls: calls.length,
      states: matrix.companyStates.length,
      bearers: matrix.allBearers.length,
      cells: tried,
    },
    planted: { count: matrix.loosened.length + plantedScreens.length, missed },
  };
}

function plant({ serve }: Serve): void {
  for (const call of [...matrix.oneForEach, ...matrix.loosened.map(({ done }) => done)])
    serve(call, async () => ({ ok: true }));
}

/** Returns the server's decision for this bearer: only the permission, not the result. */
async function verdictOf(server: FastifyInstance, call: Contract, token: string): Promise<string> {
  const [shape] = shapesOf(call);
  const headers = { ...bearing(token), ...(call.idempotent && { "idempotency-key": randomUUID() }) };
  const { status, text } = await ask(server, call, inputOf(call, shape?.body, []), headers);
  if (status === 403) return (JSON.parse(text) as { code: string }).code;
  return status === 401 || status >= 500 ? `${status} ${text.slice(0, 100)}` : "allowed";
}

async function bring(
  { services }: PaymentsKit,
  { id }: DemoCompany,
  { permissions, flags, demandsSecondFactor }: matrix.CompanyState,
  hasFactor: boolean,
): Promise<void> {
  const settings = JSON.stringify({ requiresTwoFactor: demandsSecondFactor });
  await services.db.pool.query(
    "UPDATE companies SET permissions = $2, feature_flags = $3, settings = settings || $4::jsonb WHERE company_id = $1",
    [id, permissions, flags, settings],
  );
  await services.db.pool.query("UPDATE users SET two_factor_at = $2 WHERE company_id = $1", [
    id,
    hasFactor ? services.clock.now() : null,
  ]);
}

async function tokenOf({ services }: PaymentsKit, company: DemoCompany, who: matrix.Who): Promise<string> {
  const kit = sessionKit(services);
  const user = company.users.find(({ profile }) => profile === who.profile);
  if (!user) throw new Error(`${company.name} has no ${who.profile}`);
  return services.db.withCompany(company.id, async (tx) => {
    if (who.kind === "user")
      return startSession(tx, kit, { id: user.id, sessionVersion: 1, application: who.application });
    await sql`
      INSERT INTO api_credentials (company_id, id, client_id, secret_hash, profile, name, created_at)
      VALUES (${company.id}, ${credentials[who.profile]}, ${who.profile}, 'none', ${who.profile}, 'planted', now())
    `.execute(tx);
    const made = await findBearerOfCredential(queryInTransaction(tx), company.id, credentials[who.profile]);
    if (!made) throw new Error("the credential was not made");
    return kit.tokens.sign(claimsOf(made, placeOf(made.id)));
  });
}

const credentials = Object.fromEntries(profiles.map((profile) => [profile, randomUUID()])) as Record<
  Profile,
  string
>;
const placeOf = (sessionId: string) =>
  ({ kind: "machine", sessionId, tokenId: randomUUID(), application: "payments" }) as const;

import { contracts } from "@malote/contracts/index";
import { authorize, readMe } from "@malote/contracts/session";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { type DemoCompany, demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { openTokens } from "../../apps/api/src/platform/auth/tokens.ts";
import type { Database } from "../../apps/api/src/platform/db/database.ts";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { asked, type Ending, endings } from "./endings.ts";
import { type Answer, ask, bearing, type Environment, openEnvironment, personToken } from "./environment.ts";
import { forgeriesOf, otherSecrets } from "./forgeries.ts";

const ofSession = contracts.filter(({ policy }) => policy.access === "session");

proof(
  "S3",
  "refuses every forged token in the same way, and an ended one on the next request to each process",
  { unit: "% of tokens × calls", short: 4, reduced: 100, full: 100 },
  async ({ count, seed, report }) => {
    const environment = await openEnvironment();
    try {
      return await walk(environment, count, seed, report);
    } finally {
      await environment.close();
    }
  },
);

async function walk(environment: Environment, percent: number, seed: number, report: (line: string) => void) {
  const { kit } = environment;
  const [company, other] = demoCompanies as [DemoCompany, DemoCompany];
  const chance = chanceOf(seed);
  const server = await environment.open();
  const token = environment.tokens.get(company)?.admin ?? "";
  const stranger = environment.tokens.get(other)?.admin ?? "";
  const seconds = Math.floor(kit.clock.now().getTime() / 1_000);
  const forgeries = forgeriesOf(kit.services.secrets, token, stranger, seconds);
  const challenge = await challengeOf(environment, company);
  const forged: [string, string][] = [
    ...forgeries.map(([name, make]): [string, string] => [name, make()]),
    ["the proof of a password", challenge],
  ];

  let tried = 0;
  async function forgedFaults(asked: FastifyInstance, share: number): Promise<string[]> {
    const faults: string[] = [];
    for (const [at, [name, made]] of forged.entries())
      for (const call of ofSession.filter((_, n) => n === at % ofSession.length || chance.happens(share))) {
        tried++;
        const answer = await ask(asked, call, {}, bearing(made));
        if (!isNobodys(answer))
          faults.push(`${call.id} with ${name}: ${answer.status} ${answer.text.slice(0, 120)}`);
      }
    for (const [name, made] of forged.filter(([, one]) => one.length <= 8_000)) {
      tried++;
      const body = { grant_type: "refresh_token", refresh_token: made };
      const answer = await ask(asked, authorize, { body });
      if (!isNobodys(answer)) faults.push(`exchanged: ${name}`);
    }
    return faults;
  }
  const faults = await forgedFaults(server, percent);
  faults.push(...(await elsewhereFaults(server, token)));
  if ((await ask(server, readMe, {}, bearing(token))).status !== 200)
    faults.push("the true token is refused too");
  const refused = tried;
  report(`${forged.length} tokens, ${tried} tries, ${faults.length} faults`);

  const missed: string[] = [];
  const careless = await environment.open({ secrets: otherSecrets });
  if ((await forgedFaults(careless, 0)).length === 0)
    missed.push("a server that trusts another installation's key");

  const second = await kit.another();
  for (const ending of endings)
    faults.push(...(await endingFaults(environment, company, ending, [server, second.server])));

  const forgetful = await environment.open({ db: remembering(kit.services.db) });
  for (const ending of endings)
    if ((await endingFaults(environment, company, ending, [forgetful])).length === 0)
      missed.push(`a process that remembers its bearers, after ${ending.name}`);
  await second.close();
  return {
    faults,
    figures: { tokens: forged.length, tries: refused, endings: endings.length, processes: 2 },
    planted: { count: 1 + endings.length, missed },
  };
}

/** Returns whether the answer equals that to a caller without any token. */
function isNobodys({ status, text }: Answer): boolean {
  if (status !== 401) return false;
  const { code, data } = JSON.parse(text) as { code: string; data: unknown };
  return code === "not_authenticated" && data === null;
}

/** Checks that a valid token counts in its header only. */
async function elsewhereFaults(server: FastifyInstance, token: string): Promise<string[]> {
  const places: [string, string, Record<string, string>][] = [
    ["the address", `?token=${token}&access_token=${token}&authorization=Bearer%20${token}`, {}],
    ["a cookie", "", { cookie: `token=${token}; authorization=Bearer ${token}` }],
    ["another header", "", { "x-access-token": token, "proxy-authorization": `Bearer ${token}` }],
    ["another scheme", "", { authorization: `Basic ${token}` }],
    ["no scheme", "", { authorization: token }],
    ["spaces around it", "", { authorization: `Bearer  ${token} ` }],
  ];
  const faults: string[] = [];
  for (const [name, search, headers] of places) {
    const { statusCode } = await server.inject({ url: `/api/payments/user/me${search}`, headers });
    if (statusCode !== 401) faults.push(`a token in ${name} counts: ${statusCode}`);
  }
  return faults;
}

/** Checks that the token is valid in every process before the end, and in none after it. */
async function endingFaults(
  { kit, tokens }: Environment,
  company: DemoCompany,
  { name, bearer, end, leaves, undo }: Ending,
  processes: readonly FastifyInstance[],
): Promise<string[]> {
  const machine = tokens.get(company)?.machine ?? "";
  const token = bearer === "machine" ? machine : await personToken(kit.services, company, "admin");
  const faults: string[] = [];
  const look = async (process: FastifyInstance, which: string) => {
    const { call, input } = asked[bearer];
    const { status, text } = await ask(process, call, input, bearing(which));
    return status === 200 ? "good" : (JSON.parse(text) as { code: string }).code;
  };
  for (const process of processes) {
    const before = await look(process, token);
    if (before !== "good") faults.push(`before ${name} the token is ${before}`);
  }
  const others = (await end(kit, company, token)) ?? [];
  for (const [at, process] of processes.entries())
    for (const which of [token, ...others]) {
      const after = await look(process, which);
      if (after !== leaves) faults.push(`after ${name} process ${at + 1} finds the token ${after}`);
    }
  await kit.services.db.pool.query(undo, [company.users[0]?.id]);
  return faults;
}

/** Plants a process that looks up a token's bearer once and caches the answer. */
function remembering(db: Database): Database {
  const kept = new Map<string, Promise<unknown>>();
  const pool = new Proxy(db.pool, {
    get(of, name) {
      if (name !== "query") return Reflect.get(of, name, of);
      return (query: pg.QueryConfig) => {
        const key = JSON.stringify([query.text, query.values?.slice(0, 3)]);
        const answer = kept.get(key) ?? of.query(query);
        kept.set(key, answer);
        return answer;
      };
    },
  });
  return { ...db, pool };
}

/** Returns the result of the password alone for a person with a second factor, which is not a bearer's token. */
async function challengeOf({ kit }: Environment, company: DemoCompany): Promise<string> {
  return openTokens(kit.services).signChallenge({
    sub: company.users[0]?.id ?? "",
    company: company.id,
    version: 1,
  });
}

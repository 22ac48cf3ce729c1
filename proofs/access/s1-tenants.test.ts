import { readHasFailed } from "@malote/contracts/batches";
import { contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { everyProfile } from "@malote/contracts/policy";
import { byId } from "@malote/contracts/wire";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/seed.ts";
import { AppError } from "../../apps/api/src/platform/app-error.ts";
import type { Serve } from "../../apps/api/src/platform/http/serve.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { bearerKinds, type Environment, openEnvironment } from "./environment.ts";
import { companyTables, fillCompany, rowsOf } from "./records.ts";
import { type Probe, probesOf, type Side, sideOf, tryProbe } from "./tenants.ts";
import { fingerprint, undoing, withoutFilters } from "./undone.ts";

const ofSession = contracts.filter(({ policy }) => policy.access === "session");

/** A planted call that queries as the system, which sees every company. */
const leaky = contract({
  id: "planted",
  base: "payments",
  method: "GET",
  path: "/app/planted/:id",
  summary: "planted",
  policy: everyProfile,
  params: byId,
  response: readHasFailed.response,
});
/** A planted call whose id finds nothing, so that its answers prove nothing. */
const blind = contract({ ...leaky, path: "/app/blind/:id" });

proof(
  "S1",
  "answers for another company's record as for a missing one, with only the filters and with only row security",
  { unit: "% of the matrix", short: 1, reduced: 30, full: 100 },
  async ({ count, size, seed, report }) => {
    const environment = await openEnvironment();
    try {
      // The short form tries one direction only, which the seed selects.
      const ways = size === "short" ? [seed % 2] : [0, 1];
      return await walk(environment, ways, chanceOf(seed), count, report);
    } finally {
      await environment.close();
    }
  },
);

async function walk(
  environment: Environment,
  ways: readonly number[],
  chance: Chance,
  percent: number,
  report: (line: string) => void,
) {
  const { kit } = environment;
  for (const company of demoCompanies) await fillCompany(environment, company);
  const tables = await companyTables(kit);
  const sides: Side[] = [];
  for (const company of demoCompanies)
    sides.push(sideOf(company, (call) => environment.tokensFor(company, call), await rowsOf(kit, company)));

  /** The company whose rows are read inside each transaction, and their original values. */
  let watched = { company: "", print: "" };
  let touched = false;
  const look = async (tx: Parameters<typeof fingerprint>[0]) => {
    if (watched.print && (await fingerprint(tx, tables, watched.company)) !== watched.print) touched = true;
  };
  const bare = withoutFilters(kit.services.db);
  const planted = (serve: Serve) => {
    serve.serve(leaky, async (_tx, { params }) => {
      const { rows } = await kit.services.db.withSystem((tx) =>
        sql<{ name: string }>`SELECT name FROM batches WHERE id = ${params.id}`.execute(tx),
      );
      if (!rows[0]) throw new AppError("not_found");
      return { data: rows[0].name.length > 0 };
    });
    serve.serve(blind, async () => {
      throw new AppError("not_found");
    });
  };
  const servers = {
    filters: await environment.open({ db: undoing(kit.services.db, look) }, planted),
    "row security": await environment.open({ db: undoing(bare.db, look) }, planted),
  };

  let probed = 0;
  async function run(server: FastifyInstance, probe: Probe, attacker: Side, victim: Side) {
    probed++;
    touched = false;
    const said = await tryProbe(server, probe, attacker, victim);
    return touched ? `${probe.bearer}, ${probe.name}: changed rows of ${victim.company.name}` : said;
  }
  async function watch({ company }: Side) {
    const print = await kit.services.db.withSystem((tx) => fingerprint(tx, tables, company.id));
    watched = { company: company.id, print };
    return print;
  }

  const faults: string[] = [];
  /** Data of the second company that an admin of the first one tries to read; the planted faults are found by these. */
  const readings: Probe[] = [];
  let cells = 0;
  const [first, second] = (ways[0] === 0 ? sides : sides.toReversed()) as [Side, Side];
  for (const way of ways) {
    const [attacker, victim] = (way === ways[0] ? [first, second] : [second, first]) as [Side, Side];
    const print = await watch(victim);
    for (const call of ofSession) {
      // These reads concern the caller's own data, so the rows are not compared.
      watched.print = "";
      const found = await probesOf(servers.filters, call, attacker, victim);
      watched.print = call.method === "GET" ? "" : print;
      faults.push(...found.faults);
      cells += found.probes.length * bearerKinds.length * 2;
      if (attacker === first && call.method === "GET")
        readings.push(...found.probes.map((probe) => ({ ...probe, bearer: "admin" as const })));
      const tried = found.probes.flatMap((probe) => bearerKinds.map((bearer) => ({ ...probe, bearer })));
      for (const server of Object.values(servers))
        for (const probe of tried.filter((_, at) => at === 0 || chance.happens(percent))) {
          const fault = await run(server, probe, attacker, victim);
          if (fault) faults.push(fault);
        }
    }
    if ((await watch(victim)) !== print) faults.push(`${victim.company.name} has other rows than before`);
    report(
      `${attacker.company.name} tried ${probed} calls of ${victim.company.name}: ${faults.length} faults`,
    );
  }

  const plants = await tryPlants();
  await bare.db.close();
  return {
    faults,
    figures: { calls: ofSession.length, cells, probes: probed, statements_stripped: bare.rewritten() },
    planted: plants,
  };

  /** Row security disabled on one table at a time, and calls that lack a required check. */
  async function tryPlants() {
    const missed: string[] = [];
    const everyTable = ["batches", "transfers", "sheets", "receivers", "pix_keys"];
    // Two of them in one direction are enough to see that the proof still detects faults.
    const plantedTables = ways.length > 1 ? everyTable : everyTable.slice(0, 2);
    watched.print = "";
    for (const table of plantedTables) {
      const isNear = ({ name }: Probe) => Number(name.includes(` of ${table}`) || name.endsWith("as it is"));
      const nearest = readings.toSorted((a, b) => isNear(b) - isNear(a));
      await kit.services.db.pool.query(`CREATE POLICY planted ON ${table} TO malote_app USING (true)`);
      if (!(await anyFault(servers["row security"], nearest))) missed.push(`${table} without row security`);
      await kit.services.db.pool.query(`DROP POLICY planted ON ${table}`);
    }
    const leaking = await probesOf(servers.filters, leaky, first, second);
    if (
      !(await anyFault(
        servers.filters,
        leaking.probes.map((probe) => ({ ...probe, bearer: "analyst" })),
      ))
    )
      missed.push("a call that asks as the system");
    if ((await probesOf(servers.filters, blind, first, second)).faults.length === 0)
      missed.push("a call whose id finds nothing");
    return { count: plantedTables.length + 2, missed };
  }
  async function anyFault(server: FastifyInstance, probes: readonly Probe[]): Promise<boolean> {
    for (const probe of probes) if (await run(server, probe, first, second)) return true;
    return false;
  }
}

/**
 * Sixteen clients work on the real product while its process is killed again and again, at random and at chosen moments,
 * now and then together with PostgreSQL. After each start the books are checked and everything acknowledged is looked
 * for; at the end all work runs out and every centavo is accounted for.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as batches from "@malote/contracts/batches";
import { changeRails, depositPix, moveClock, readSimulator, runPending } from "@malote/contracts/simulator";
import { listTransfers, refundTransfer } from "@malote/contracts/transfers";
import pg from "pg";
import { demoCompanies } from "../../apps/api/src/demo/demo-data.ts";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { openDatabase } from "../../apps/api/src/platform/db/database.ts";
import { signIn } from "../../e2e/api.ts";
import { createMalote, type Server } from "../../e2e/server.ts";
import { chanceOf } from "../chance.ts";
import { runClient } from "./client.ts";
import { moments, standAt } from "./moments.ts";
import { countUnfinishedJobs, lostOperations, moneyFaults, restFaults } from "./questions.ts";
import { missedPlants, plantCount } from "./teeth.ts";
import { type Company, createWorld, type Person, perform, type World } from "./world.ts";

export interface KillPlan {
  kills: number;
  /** Every so many kills PostgreSQL dies along; 0 for never. */
  groupEvery: number;
  seed: number;
  tell?: (line: string) => void;
}

export interface KillReport {
  kills: number;
  atChosenMoments: Record<string, number>;
  together: number;
  readyMs: { p50: number; p99: number; worst: number };
  readyAfterBothMs: { p50: number; worst: number } | null;
  acknowledged: number;
  cutRequests: number;
  answers: Record<string, number>;
  payments: number;
  orders: number;
  faults: string[];
  drainedInSeconds: number;
  planted: number;
  plantsMissed: string[];
  seconds: number;
}

const clientCount = 16;
const momentTimeoutMs = 2_500;
const drainTimeoutMs = 120_000;

export async function killAgainAndAgain({ kills, groupEvery, seed, tell }: KillPlan): Promise<KillReport> {
  const since = performance.now();
  const chance = chanceOf(seed);
  const server = await createMalote({ MALOTE_LOG: "warn" });
  try {
    await server.start();
    const world = createWorld(server.url);
    world.companies = await Promise.all(demoCompanies.map((company) => openCompany(server.url, company)));
    const [first] = world.companies;
    if (!first) throw new Error("there is no demo company");
    // Lost answers and events told twice are part of every day.
    await perform(world, first.admin, changeRails, {
      body: { pix_latency_ms: 100, timeout_percent: 10, duplicate_percent: 20, failure_percent: 3 },
    });

    const clients = Array.from({ length: clientCount }, (_, index) => {
      const company = world.companies[index % world.companies.length] ?? first;
      return runClient(world, company, chanceOf(seed * 1_000 + index));
    });
    const failing = Promise.all(clients).then(() => undefined);
    failing.catch(() => undefined);

    const chosen: Record<string, number> = {};
    const readyMs: number[] = [];
    const readyAfterBothMs: number[] = [];
    let nextMoment = chance.between(0, moments.length - 1);
    for (let kill = 1; kill <= kills; kill++) {
      const withPostgres = groupEvery > 0 && kill % groupEvery === 0;
      const moment = kill % 2 === 0 && !withPostgres ? moments[nextMoment++ % moments.length] : undefined;
      const standing = moment && (await standAt(connectionOf(server), moment, momentTimeoutMs));
      if (!standing) await sleep(chance.between(50, 1_200));
      const open = closeGate(world);
      await (withPostgres ? killBoth(server) : server.kill());
      await standing?.letGo();
      if (moment && standing?.reached) {
        const name = `${moment.name} (${moment.at})`;
        chosen[name] = (chosen[name] ?? 0) + 1;
      }

      const startedAt = performance.now();
      await server.start();
      (withPostgres ? readyAfterBothMs : readyMs).push(performance.now() - startedAt);
      open();
      const found = await check(server, world);
      world.faults.push(...found);
      if (tell && (kill % 10 === 0 || found.length > 0)) {
        tell(`${kill} kills, ${world.acknowledged.length} acknowledged, ${world.faults.length} faults`);
        for (const fault of found) tell(`  ${fault}`);
      }
    }

    world.stopping = true;
    await failing;
    const stoppedAt = performance.now();
    await drain(server, world);
    const drainedAt = performance.now();
    const { orders, missed } = await withClient(server, async (client) => {
      world.faults.push(...(await lostOperations(client, world)), ...(await moneyFaults(client)));
      world.faults.push(...(await restFaults(client, world)));
      const count = await client.query("SELECT count(*)::int AS count FROM sandbox.orders");
      return { orders: count.rows[0].count as number, missed: await missedPlants(client, world) };
    });
    world.faults.push(...(await books(server)), ...unexpectedErrors(server));
    return {
      kills,
      atChosenMoments: chosen,
      together: readyAfterBothMs.length,
      readyMs: { p50: at(readyMs, 0.5), p99: at(readyMs, 0.99), worst: at(readyMs, 1) },
      readyAfterBothMs:
        readyAfterBothMs.length > 0
          ? { p50: at(readyAfterBothMs, 0.5), worst: at(readyAfterBothMs, 1) }
          : null,
      acknowledged: world.acknowledged.length + world.deposits.size,
      cutRequests: world.cutRequests,
      answers: world.answers,
      payments: world.payments.size,
      orders,
      faults: world.faults,
      drainedInSeconds: Math.round((drainedAt - stoppedAt) / 1_000),
      planted: plantCount,
      plantsMissed: missed,
      seconds: Math.round((performance.now() - since) / 1_000),
    };
  } finally {
    await server.stop();
  }
}

async function openCompany(url: string, company: (typeof demoCompanies)[number]): Promise<Company> {
  async function person(profile: string): Promise<Person> {
    const email = company.users.find((user) => user.profile === profile)?.email ?? "";
    return { email, token: await signIn(url, email) };
  }
  return {
    id: company.id,
    pixKey: company.pixKeys[0]?.key ?? "",
    admin: await person("admin"),
    operator: await person("operator"),
    batches: [],
  };
}

/** Until it is opened again the clients wait, and do not hammer a closed door. */
function closeGate(world: World): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.up = promise;
  return resolve;
}

const clusterOf = ({ dataDir }: Server) => join(realpathSync(join(dataDir, "postgres")), "cluster");

/** PostgreSQL says in this file where its socket is; nobody else needs to know. */
function connectionOf(server: Server): pg.ClientConfig {
  const lines = readFileSync(join(clusterOf(server), "postmaster.pid"), "utf8").split("\n");
  return { host: lines[4]?.trim() ?? "", port: Number(lines[3]), user: "postgres", database: "malote" };
}

/** The power goes: the server and every process of PostgreSQL at once. */
async function killBoth(server: Server): Promise<void> {
  const cluster = clusterOf(server);
  const dead = server.kill();
  for (const pid of readdirSync("/proc")
    .map(Number)
    .filter((number) => number > 0)) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === cluster) process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
  await dead;
}

async function withClient<T>(server: Server, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOf(server));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function books(server: Server): Promise<string[]> {
  const db = openDatabase({ ...connectionOf(server), max: 1 });
  try {
    return (await checkBooks(db)).map(({ rule, where }) => `books: ${rule} (${where})`);
  } finally {
    await db.close();
  }
}

async function check(server: Server, world: World): Promise<string[]> {
  const lost = await withClient(server, async (client) => [
    ...(await lostOperations(client, world)),
    ...(await moneyFaults(client)),
  ]);
  return [...lost, ...(await books(server))];
}

/** Errors the product did not expect stand in its log as such. */
function unexpectedErrors({ dataDir }: Server): string[] {
  const log = readFileSync(join(dataDir, "output.log"), "utf8").split("\n");
  const unexpected = log.filter(
    (line) => line.includes('"msg":"unexpected error"') || line.includes('"books check"'),
  );
  return [...new Set(unexpected)].slice(0, 5).map((line) => `logged: ${line.slice(0, 400)}`);
}

/** Money comes in until nobody waits, time goes on until nothing is on its way, and failed payments are given back. */
async function drain(server: Server, world: World): Promise<void> {
  const [first] = world.companies;
  if (!first) return;
  const ask = first.admin;
  await perform(world, ask, changeRails, { body: { timeout_percent: 0, failure_percent: 0 } });
  const deadline = performance.now() + drainTimeoutMs;
  for (let quiet = 0; quiet < 3 && performance.now() < deadline; ) {
    let moved = false;
    for (const company of world.companies) {
      const { done } = await perform(world, company.admin, batches.listWaitingBatches);
      if (done && done.missing > 0) {
        const answer = await perform(world, ask, depositPix, {
          body: { pix_key: company.pixKey, value: done.missing },
        });
        if (answer.done) world.deposits.set(answer.done.end_to_end_id, done.missing);
      }
      moved = (await giveFailedBack(world, company)) || moved || (done?.data.length ?? 0) > 0;
    }
    const told = await perform(world, ask, runPending);
    moved ||= (told.done?.delivered ?? 0) > 0;
    const state = await perform(world, ask, readSimulator);
    // What is left waits for a day to come: TEDs on Monday, and those that may come back for one more.
    if (!moved && (state.done?.in_flight ?? 0) > 0) {
      await perform(world, ask, moveClock, { body: { to: "next_business_day" } });
      moved = true;
    }
    moved ||= await someUnderWay(world);
    // Work of a killed process is taken over when its heartbeat has been silent for a while.
    moved ||= (await withClient(server, countUnfinishedJobs)) > 0;
    quiet = moved ? 0 : quiet + 1;
    await sleep(quiet === 0 ? 200 : 700);
  }
}

/** Batches paid for and not at their end. Their payments may wait for a day that has not begun. */
async function someUnderWay(world: World): Promise<boolean> {
  let scheduled = false;
  for (const company of world.companies) {
    for (const batch of await receivedBatches(world, company)) {
      const { done } = await perform(world, company.admin, batches.readBatchSummary, {
        params: { id: batch.id },
      });
      scheduled ||=
        done?.by_status.some(({ status }) => status === "SCHEDULED" || status === "TRANSFERRED") ?? false;
      if (done?.by_status.some(({ status }) => status === "RECEIVED" || status === "EXECUTING")) return true;
    }
  }
  const [first] = world.companies;
  if (scheduled && first) await perform(world, first.admin, moveClock, { body: { to: "next_business_day" } });
  return scheduled;
}

async function receivedBatches(world: World, company: Company): Promise<batches.Batch[]> {
  const found: batches.Batch[] = [];
  for (let page = 0; ; page++) {
    const { done } = await perform(world, company.admin, batches.listBatches, {
      query: { initialDate: "2020-01-01", endDate: "2099-12-31", status: "RECEIVED", page },
    });
    if (!done || done.data.length === 0) return found;
    found.push(...done.data);
  }
}

async function giveFailedBack(world: World, company: Company): Promise<boolean> {
  let moved = false;
  for (const batch of await receivedBatches(world, company)) {
    if (batch.failed_count === 0) continue;
    const params = { id: batch.id };
    const listed = await perform(world, company.admin, listTransfers, {
      params,
      query: { status: "FAILED" },
    });
    for (const failed of listed.done?.data ?? []) {
      await perform(world, company.admin, refundTransfer, { params: { ...params, tid: failed.id } });
      moved = true;
    }
  }
  return moved;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0);
}

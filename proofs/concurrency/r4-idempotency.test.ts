import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Contract } from "@malote/contracts/contract";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/seed.ts";
import { requestHash } from "../../apps/api/src/platform/http/idempotency.ts";
import type { Person } from "../../apps/api/src/testing/app.ts";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { idempotentContracts } from "./good-calls.ts";
import { balances, effectFaults, type KeyRun, type KeySetup, newRun, storm } from "./one-key.ts";
import { withSql } from "./planted.ts";
import { auroraId, openTwo, type TwoProcesses } from "./two-processes.ts";
import { openWire } from "./wire.ts";

/** Keys in use at the same time. */
const atOnce = 8;
/** One key in this many is also used by another company and for every other call. */
const sharedEvery = 4;
const horizonteId = demoCompanies[1]?.id ?? "";

proof(
  "R4",
  "carries out a request that is sent thirty-two times under one key once, and answers each time with the same bytes",
  { unit: "keys", short: 12, reduced: 800, full: 10_000 },
  async ({ count, seed, report }) => {
    const contracts = idempotentContracts();
    const two = await openTwo();
    const { setup, close } = await openKeys(two, seed);
    const [{ admin, stranger, as }] = two.both;
    const ofAurora = tokensOf(admin, await as("helena@aurora.example", "validation"));
    const ofHorizonte = tokensOf(stranger, await as("marcos@horizonte.example", "validation"));
    const faults: string[] = [];
    const counts = { asked: 0, cut: 0, running: 0, replayed: 0 };
    let effects = 0;

    /** The calls of one company under these keys, one key for each. */
    async function runsOf(
      companyId: string,
      tokenFor: TokenFor,
      keys: readonly string[],
      which: number,
    ): Promise<KeyRun[]> {
      const chosen = contracts[which % contracts.length];
      if (!chosen) throw new Error("no contract is idempotent");
      const { contract, make } = chosen;
      const values = keys.map(() => setup.chance.between(1_00, 900_00));
      const calls = await two.inCompany((tx) => make(tx, two.both[0].clock.now(), values), companyId);
      return keys.flatMap((key, index) => {
        const call = calls[index];
        return call ? [newRun(companyId, tokenFor(contract), key, { contract, ...call })] : [];
      });
    }

    try {
      let done = 0;
      for (let chunk = 0; done < count; chunk++) {
        const keys = Array.from({ length: Math.min(atOnce, count - done) }, () => randomUUID());
        const runs = await runsOf(auroraId, ofAurora, keys, chunk);
        if (chunk % sharedEvery === 0) {
          runs.push(...(await runsOf(horizonteId, ofHorizonte, keys, chunk)));
          for (let other = 1; other < contracts.length; other++)
            runs.push(...(await runsOf(auroraId, ofAurora, keys, chunk + other)));
        }
        const before = await balances(two);
        await Promise.all(runs.map((run) => storm(setup, run)));
        faults.push(...runs.flatMap((run) => run.faults), ...(await effectFaults(two, runs)));
        const after = await balances(two);
        for (const companyId of [auroraId, horizonteId]) {
          const moved = (after.get(companyId) ?? 0) - (before.get(companyId) ?? 0);
          const expected = runs
            .filter((run) => run.companyId === companyId)
            .reduce((sum, { call }) => sum + call.moves, 0);
          if (moved !== expected) faults.push(`the balance moved by ${moved} and not by ${expected}`);
        }
        for (const run of runs)
          for (const name of ["asked", "cut", "running", "replayed"] as const)
            counts[name] += run.counts[name];
        done += keys.length;
        effects += runs.length;
        if (chunk % 25 === 24) report(`${done} keys, ${counts.asked} requests, ${faults.length} faults`);
        if (faults.length > 20) break;
      }
      faults.push(...(await two.books()));
      const missed: string[] = [];
      for (const [name, plant] of Object.entries(plants)) {
        const [run] = await runsOf(auroraId, ofAurora, [randomUUID()], 0);
        if (!run || !(await plant(two, setup, run))) missed.push(name);
      }
      return {
        faults,
        figures: { contracts: contracts.length, effects, ...counts },
        planted: { count: Object.keys(plants).length, missed },
      };
    } finally {
      await close();
      await two.close();
    }
  },
);

type TokenFor = (contract: Contract) => string;

/** Returns the tokens of the same admin, for the application that has the call. */
function tokensOf(inPayments: Person, inValidation: Person): TokenFor {
  return ({ policy }) =>
    policy.access === "session" && !policy.applications.includes("payments")
      ? inValidation.token
      : inPayments.token;
}

/** Opens both processes on ports, so that answers can be cut on a real connection. */
async function openKeys(
  two: TwoProcesses,
  seed: number,
): Promise<{ setup: KeySetup; close(): Promise<void> }> {
  const [first, second] = two.both;
  for (const { server } of two.both) await server.listen({ port: 0, host: "127.0.0.1" });
  const portOf = ({ server }: typeof first) => (server.server.address() as AddressInfo).port;
  const wires = [openWire(portOf(first)), openWire(portOf(second))] as const;
  return {
    setup: { two, wires, chance: chanceOf(seed) },
    close: async () => {
      for (const wire of wires) wire.close();
    },
  };
}

/** Planted faults; each returns whether the checks of a key noticed it. */
const plants: Record<string, (two: TwoProcesses, setup: KeySetup, run: KeyRun) => Promise<boolean>> = {
  "an answer that was lost": (two, setup, run) =>
    noticed(two, setup, run, () => two.ask("DELETE FROM idempotency_keys WHERE key = $1", [run.key])),
  "an answer that changed by a byte": (two, setup, run) =>
    noticed(two, setup, run, () =>
      two.ask("UPDATE idempotency_keys SET body = body || ' ' WHERE key = $1", [run.key]),
    ),
  "work done a second time": (two, setup, run) =>
    noticed(two, setup, run, () =>
      two.ask(
        `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, subject_id, detail, request_id)
         SELECT company_id, at, actor_kind, actor_name, action, subject_id, detail, request_id FROM audit_entries
         WHERE request_id = $1 LIMIT 1`,
        [run.requestId],
      ),
    ),
  "other content takes the first answer": (two, setup, run) =>
    noticed(two, setup, run, () => {
      const { params, query = {}, body } = run.call.changed;
      const hash = requestHash([params, query, body]);
      return two.ask("UPDATE idempotency_keys SET request_hash = $2 WHERE key = $1", [run.key, hash]);
    }),
  "two run under one key at the same time": (two, setup, run) =>
    withSql(
      two,
      (text) => text.replace(/pg_try_advisory_xact_lock\(/g, "(0 <> "),
      () => noticed(two, setup, run),
    ),
  "the key is not looked up": (two, setup, run) =>
    withSql(
      two,
      (text) => text.replace(/(FROM idempotency_keys\b[^;]*?\bWHERE )/, "$1false AND "),
      () => noticed(two, setup, run),
    ),
};

async function noticed(
  two: TwoProcesses,
  setup: KeySetup,
  run: KeyRun,
  meddle?: () => Promise<unknown>,
): Promise<boolean> {
  await storm(setup, run, meddle);
  return run.faults.length > 0 || (await effectFaults(two, [run])).length > 0;
}

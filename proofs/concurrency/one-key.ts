/** One key and thirty-two senders: the permitted answers, and the permitted effects in the database. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chance.ts";
import type { GoodCall } from "./good-calls.ts";
import type { TwoProcesses } from "./two-processes.ts";
import type { Wire, WireAnswer } from "./wire.ts";

const duplicates = 32;
/** The timeout allows for a slow machine, but no call waits forever. */
const triesMax = 400;

export interface KeySetup {
  two: TwoProcesses;
  wires: readonly [Wire, Wire];
  chance: Chance;
}

export interface KeyRun {
  companyId: string;
  token: string;
  key: string;
  call: GoodCall;
  /** Every request under the key carries it: the audit trail counts by it how often the work ran. */
  requestId: string;
  faults: string[];
  counts: { cut: number; replayed: number; running: number; asked: number };
}

export function newRun(companyId: string, token: string, key: string, call: GoodCall): KeyRun {
  const counts = { cut: 0, replayed: 0, running: 0, asked: 0 };
  return { companyId, token, key, call, requestId: randomUUID(), faults: [], counts };
}

async function ask(
  setup: KeySetup,
  run: KeyRun,
  changed = false,
  mayCut = false,
): Promise<WireAnswer | undefined> {
  const { chance, wires } = setup;
  run.counts.asked++;
  const answer = await (chance.oneOf(wires) ?? wires[0]).send(
    run.call.contract,
    changed ? run.call.changed : run.call.input,
    {
      authorization: `Bearer ${run.token}`,
      "idempotency-key": run.key,
      "x-request-id": run.requestId,
    },
    mayCut && chance.happens(20) ? chance.between(0, 25) : undefined,
  );
  if (!answer) run.counts.cut++;
  if (answer?.replayed) run.counts.replayed++;
  if (answer?.code === "idempotency_in_progress") {
    run.counts.running++;
    if (!answer.retryAfter) run.faults.push("a duplicate during the first call got no Retry-After");
  }
  return answer;
}

/** Retries while the answer demands it. */
async function askUntilAnswered(setup: KeySetup, run: KeyRun, changed = false): Promise<WireAnswer> {
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await ask(setup, run, changed);
    if (answer && answer.code !== "idempotency_in_progress" && answer.code !== "unavailable") return answer;
    await sleep(5);
  }
  throw new Error(`no answer to ${run.call.contract.id} after ${triesMax} tries`);
}

/** Sends all requests. `meddle` plants faults between two retries. */
export async function storm(setup: KeySetup, run: KeyRun, meddle?: () => Promise<unknown>): Promise<void> {
  const { faults, call } = run;
  const intruder = setup.chance.between(0, duplicates - 1);
  const answers: WireAnswer[] = [];
  await Promise.all(
    Array.from({ length: duplicates }, async (_, index) => {
      if (index === intruder) {
        // The other content may arrive first; then it is refused by itself and does not use the key.
        if ((await ask(setup, run, true))?.status === 200)
          faults.push("other content was taken under the key");
        return;
      }
      const answer = await ask(setup, run, false, true);
      if (!answer || answer.code === "idempotency_in_progress" || answer.code === "unavailable") return;
      answers.push(answer);
    }),
  );
  answers.push(await askUntilAnswered(setup, run));
  await meddle?.();
  answers.push(await askUntilAnswered(setup, run));
  const name = call.contract.id;
  for (const { status, code } of answers)
    if (status !== 200) faults.push(`${name} under one key answered ${status} ${code}`);
  if (new Set(answers.map(({ status, text }) => `${status} ${text}`)).size > 1)
    faults.push(`${name} answered one key in two ways`);
  if (answers.filter(({ status, replayed }) => status === 200 && !replayed).length > 1)
    faults.push(`${name} was done more than once under one key`);
  const refused = await askUntilAnswered(setup, run, true);
  if (refused.status !== 422 || refused.code !== "idempotency_key_reused")
    faults.push(`${name} with other content under a used key answered ${refused.status} ${refused.code}`);
}

/** Returns the faults in the effects of all runs, from one query that ignores the answers. */
export async function effectFaults(two: TwoProcesses, runs: readonly KeyRun[]): Promise<string[]> {
  const done = await two.ask<{ request_id: string; times: number }>(
    "SELECT request_id, count(*)::int AS times FROM audit_entries WHERE request_id = ANY($1) GROUP BY 1",
    [runs.map(({ requestId }) => requestId)],
  );
  const times = new Map(done.map((row) => [row.request_id, row.times]));
  const kept = await two.ask<{ name: string; answers: number }>(
    `SELECT concat_ws(' ', company_id, route, key) AS name, count(*)::int AS answers FROM idempotency_keys
     WHERE key = ANY($1) GROUP BY company_id, route, key`,
    [runs.map(({ key }) => key)],
  );
  const answers = new Map(kept.map((row) => [row.name, row.answers]));
  const faults: string[] = [];
  for (const { companyId, key, requestId, call } of runs) {
    const effects = times.get(requestId) ?? 0;
    if (effects !== 1) faults.push(`${call.contract.id} had ${effects} effects under one key`);
    if (answers.get(`${companyId} ${call.contract.method} ${call.contract.path} ${key}`) !== 1)
      faults.push(`${call.contract.id}: not one answer is kept`);
  }
  return faults;
}

export async function balances(two: TwoProcesses): Promise<Map<string, number>> {
  const rows = await two.ask<{ company_id: string; balance: number }>(
    "SELECT company_id, balance FROM ledger_accounts WHERE account = 'available'",
  );
  return new Map(rows.map((row) => [row.company_id, row.balance]));
}

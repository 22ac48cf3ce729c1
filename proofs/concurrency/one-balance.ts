/** A balance for exactly k of two hundred concurrent debits, batches and withdrawals, while more money arrives. */
import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batch-life";
import { withdrawBalance } from "@malote/contracts/statement";
import { refundTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import type { PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import type { Chance } from "../chance.ts";
import { auroraId, makeDrafts, makeFailed, type TwoProcesses } from "./two-processes.ts";

const refundsMax = 4;
const depositsMax = 3;
/** The maximum number of debits requested earlier, which wait for the money that arrives now. */
const waitingMax = 20;
/** The share of withdrawals is at most one debit in this many. */
const withdrawalsOneIn = 4;

interface Made {
  /** The amount of each batch: all equal, or all different. */
  values: readonly number[];
  /**
   * The amount of each withdrawal, of the same kind. A withdrawal without enough money is refused and does not wait.
   */
  withdrawals: readonly number[];
  /** Withdrawals of earlier rounds. */
  withdrawnBefore: Withdrawn;
  /** Batches in the order of the values; the first ones were closed earlier and wait for money. */
  ids: readonly string[];
  waiting: number;
  refunds: readonly { batchId: string; transferId: string; value: number }[];
  deposits: readonly number[];
  /** The balance before the concurrent calls. */
  start: number;
}

interface Withdrawn {
  count: number;
  value: number;
}

export interface BalanceReport {
  faults: string[];
  paid: number;
  withdrawn: number;
  waiting: number;
}

/** Acknowledged operations of a round. */
interface Acknowledged {
  /** Closed batches, with whether the answer reported them as paid. */
  closed: Map<string, boolean>;
  withdrawn: number[];
  refused: number[];
}

/** Hooks for planted faults. */
export interface Fault {
  /** Wraps the concurrent calls and their jobs. */
  around?: (work: () => Promise<void>) => Promise<void>;
  /** Runs after them and before the checks. */
  after?: () => Promise<unknown>;
  /** True when some debits wait and there is money for all: for a fault that other rounds might not show. */
  hasMoneyForAll?: boolean;
}

export async function playBalance(
  two: TwoProcesses,
  chance: Chance,
  debits: number,
  { around = (work) => work(), after, hasMoneyForAll = false }: Fault = {},
): Promise<BalanceReport> {
  const made = await prepare(two, chance, debits, hasMoneyForAll);
  const faults: string[] = [];
  const acknowledged: Acknowledged = { closed: new Map(), withdrawn: [], refused: [] };
  await around(async () => {
    await rush(two, made, chance, faults, acknowledged);
    for (const kit of two.both) await runMoneyJobs(kit).catch(({ message }) => void faults.push(message));
    if (made.deposits.length + made.refunds.length > 0) await askRefusedAgain(two, acknowledged, faults);
  });
  await after?.();
  const report = await question(two, made, acknowledged, faults);
  await clearAway(two, made);
  return { faults, ...report };
}

async function prepare(
  two: TwoProcesses,
  chance: Chance,
  debits: number,
  hasMoneyForAll: boolean,
): Promise<Made> {
  const [kit] = two.both;
  const now = kit.clock.now();
  const isEven = chance.happens(70);
  const unit = chance.between(1, 500_00);
  const debitsOf = (length: number) =>
    Array.from({ length }, () => (isEven ? unit : chance.between(1, unit)));
  const withdrawals = debitsOf(chance.between(0, Math.floor(debits / withdrawalsOneIn)));
  const values = debitsOf(debits - withdrawals.length);
  const average = Math.ceil(isEven ? unit : unit / 2);
  const some = (times: number) => Array.from({ length: chance.between(0, times) }, () => average);
  const refunded = some(refundsMax);
  const deposits = some(depositsMax);
  const waiting = chance.between(hasMoneyForAll ? 1 : 0, waitingMax);
  const start = hasMoneyForAll
    ? [...values, ...withdrawals].reduce((sum, value) => sum + value, 0)
    : average * chance.between(0, debits - refundsMax - depositsMax);
  const { ids, failed } = await two.inCompany(async (tx) => {
    if (refunded.length > 0) await receivePix(tx, now, refunded);
    return {
      failed: refunded.length > 0 ? await makeFailed(tx, now, refunded) : [],
      ids: await makeDrafts(tx, now, values),
    };
  });
  for (const id of ids.slice(0, waiting)) await close(kit, id);
  if (start > 0) await payIn(two, kit, start);
  return {
    values,
    withdrawals,
    withdrawnBefore: await withdrawnSoFar(two),
    ids,
    waiting,
    refunds: failed.map((payment) => ({ ...payment, value: average })),
    deposits,
    start,
  };
}

/** Adds money like a deposit, with the job that offers it to waiting batches. */
async function payIn(two: TwoProcesses, kit: PaymentsKit, value: number): Promise<void> {
  await two.inCompany(async (tx) => {
    await receivePix(tx, kit.clock.now(), [value]);
    await kit.services.jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  });
}

async function close(kit: PaymentsKit, id: string): Promise<Answer> {
  const key = randomUUID();
  for (;;) {
    const answer = await kit.admin.call(closeBatch, { params: { id }, body: {} }, { "idempotency-key": key });
    // With this many concurrent calls some have to retry for a connection; the idempotency key makes that safe.
    if (answer.body.code !== "unavailable") return answer;
  }
}

async function withdraw(
  kit: PaymentsKit,
  value: number,
  acknowledged: Acknowledged,
  faults: string[],
): Promise<void> {
  const key = randomUUID();
  for (;;) {
    const { status, body } = await kit.admin.call(
      withdrawBalance,
      { body: { value } },
      { "idempotency-key": key },
    );
    if (body.code === "unavailable") continue;
    if (status === 200) acknowledged.withdrawn.push(value);
    else if (body.code === "insufficient_balance") acknowledged.refused.push(value);
    else faults.push(`a withdrawal answered ${status} ${body.code}`);
    return;
  }
}

/**
 * Retries refused debits once all money has arrived. A refusal may have been right at its moment; now it would be
 * wrong.
 */
async function askRefusedAgain(
  two: TwoProcesses,
  acknowledged: Acknowledged,
  faults: string[],
): Promise<void> {
  const values = acknowledged.refused.splice(0);
  await Promise.all(
    values.map((value, n) => withdraw(two.both[n % 2] ?? two.both[0], value, acknowledged, faults)),
  );
}

async function withdrawnSoFar(two: TwoProcesses): Promise<Withdrawn> {
  const [row] = await two.ask<Withdrawn>(
    `SELECT count(*)::int AS count, coalesce(sum(value), 0)::bigint AS value FROM batches
     WHERE company_id = $1 AND type = 'WITHDRAWAL' AND reserved_value = value`,
    [auroraId],
  );
  return row ?? { count: 0, value: 0 };
}

/** Makes all calls at the same moment, over both processes, and records their answers. */
async function rush(
  two: TwoProcesses,
  made: Made,
  chance: Chance,
  faults: string[],
  acknowledged: Acknowledged,
): Promise<void> {
  const kitOf = () => chance.oneOf(two.both) ?? two.both[0];
  const work = [
    ...made.ids.slice(made.waiting).map((id) => async () => {
      const { status, body } = await close(kitOf(), id);
      if (status === 200) acknowledged.closed.set(id, body.is_batch_paid);
      else faults.push(`a close answered ${status} ${body.code}`);
    }),
    ...made.withdrawals.map((value) => () => withdraw(kitOf(), value, acknowledged, faults)),
    ...made.refunds.map(({ batchId, transferId }) => async () => {
      const { status, body } = await kitOf().admin.call(
        refundTransfer,
        { params: { id: batchId, tid: transferId } },
        { "idempotency-key": randomUUID() },
      );
      if (status !== 200) faults.push(`a refund answered ${status} ${body.code}`);
    }),
    ...made.deposits.map((value) => async () => {
      const kit = kitOf();
      await payIn(two, kit, value);
      await runMoneyJobs(kit);
    }),
    // The schedule's own search for waiting batches, in the middle of the calls.
    async () => runMoneyJobs(kitOf()),
  ];
  const fail = ({ message }: Error) => void faults.push(message);
  await Promise.all(shuffled(work, chance).map((start) => start().catch(fail)));
}

/** Runs only the jobs that decide who gets the money; other proofs send the payments. */
async function runMoneyJobs(kit: PaymentsKit): Promise<void> {
  const jobs = kit.enqueued.splice(0).filter(({ queue }) => queue === "pay-waiting-batches");
  kit.enqueued.push(...jobs.slice(0, 1));
  await kit.drainJobs();
}

interface Facts {
  paid: { id: string; value: number }[];
  waiting: { id: string; value: number }[];
  others: number;
  reservations: number;
  balance: number;
  lowest: number;
}

async function question(
  two: TwoProcesses,
  made: Made,
  acknowledged: Acknowledged,
  faults: string[],
): Promise<Omit<BalanceReport, "faults">> {
  const [facts] = await two.ask<Facts>(
    `SELECT
       coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'value', b.value)) FILTER (WHERE b.reserved_value = b.value), '[]') AS paid,
       coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'value', b.value) ORDER BY b.waiting_since, b.id)
         FILTER (WHERE b.status = 'WAITING'), '[]') AS waiting,
       (count(*) FILTER (WHERE b.status NOT IN ('PENDING', 'RECEIVED', 'WAITING') OR b.reserved_value NOT IN (0, b.value)))::int AS others,
       (SELECT count(*)::int FROM ledger_transactions l WHERE l.company_id = $1
         AND l.cause = ANY(SELECT 'close:' || id || ':' || n FROM unnest($3::text[]) id, generate_series(1, 2) n)) AS reservations,
       (SELECT balance FROM ledger_accounts a WHERE a.company_id = $1 AND a.account = 'available') AS balance,
       (SELECT min(balance_after) FROM ledger_entries e WHERE e.company_id = $1 AND e.account = 'available'
         AND e.seq > (SELECT seq FROM ledger_accounts a WHERE a.company_id = $1 AND a.account = 'available') - 1000) AS lowest
     FROM batches b WHERE b.company_id = $1 AND b.id = ANY($2::uuid[])`,
    [auroraId, made.ids, made.ids],
  );
  if (!facts) throw new Error("no facts");
  const { paid, waiting, balance } = facts;
  const batches = made.ids.length;
  const debits = batches + made.withdrawals.length;
  const all = await withdrawnSoFar(two);
  const withdrawn = {
    count: all.count - made.withdrawnBefore.count,
    value: all.value - made.withdrawnBefore.value,
  };
  const sum = (list: readonly { value: number }[]) => list.reduce((total, { value }) => total + value, 0);
  const came = made.start + sum(made.refunds) + made.deposits.reduce((total, value) => total + value, 0);
  const [unit = 0] = made.values;
  if ([...made.values, ...made.withdrawals].every((value) => value === unit)) {
    const enough = Math.min(debits, Math.floor(came / unit));
    const done = paid.length + withdrawn.count;
    if (done !== enough) faults.push(`${done} of ${debits} were paid where money was for ${enough}`);
  }
  const [oldest] = waiting;
  if (oldest && balance >= oldest.value)
    faults.push(`a batch of ${oldest.value} waits beside a balance of ${balance}`);
  if (came - sum(paid) - withdrawn.value !== balance)
    faults.push(`${came} came, ${sum(paid)} was paid, ${withdrawn.value} withdrawn, and ${balance} is left`);
  if (withdrawn.count !== acknowledged.withdrawn.length)
    faults.push(`${withdrawn.count} withdrawals, and ${acknowledged.withdrawn.length} were acknowledged`);
  const inVain = acknowledged.refused.find((value) => value <= balance);
  if (inVain !== undefined)
    faults.push(`a withdrawal of ${inVain} was refused beside a balance of ${balance}`);
  if (balance < 0 || facts.lowest < 0) faults.push(`the balance fell to ${Math.min(balance, facts.lowest)}`);
  if (facts.others > 0) faults.push(`${facts.others} batches neither paid nor waiting`);
  if (paid.length + waiting.length !== batches)
    faults.push(`${paid.length} paid and ${waiting.length} waiting of ${batches}`);
  if (facts.reservations !== paid.length)
    faults.push(`${facts.reservations} reservations for ${paid.length} paid batches`);
  const isPaid = new Set(paid.map(({ id }) => id));
  for (const [id, saidPaid] of acknowledged.closed)
    if (saidPaid && !isPaid.has(id)) faults.push("a batch was acknowledged as paid and is not");
  return { paid: paid.length, withdrawn: withdrawn.count, waiting: waiting.length };
}

/** Clears the queue and the balance for the next round. */
async function clearAway(two: TwoProcesses, made: Made): Promise<void> {
  for (const kit of two.both) kit.enqueued.splice(0);
  await two.ask(
    `UPDATE batches SET status = 'REMOVED', waiting_since = NULL, removed_at = now()
     WHERE company_id = $1 AND id = ANY($2::uuid[]) AND status = 'WAITING'`,
    [auroraId, made.ids],
  );
  const [kit] = two.both;
  await two.inCompany(async (tx) => {
    const { rows } = await sql<{ balance: number }>`
      SELECT balance FROM ledger_accounts WHERE company_id = ${tx.companyId} AND account = 'available'
    `.execute(tx);
    const left = rows[0]?.balance ?? 0;
    // A separate batch spends the rest.
    if (left > 0) await makeFailed(tx, kit.clock.now(), [left]);
  });
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  return list
    .map((one) => ({ one, place: chance.share() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

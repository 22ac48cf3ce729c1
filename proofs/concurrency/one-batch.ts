/** One batch, sixty-four callers in two processes, and the invariants that hold in every order of the calls. */
import { randomUUID } from "node:crypto";
import {
  closeBatch,
  deleteBatch,
  enableBatchEdit,
  rejectBatch,
  sendBatchToApproval,
} from "@malote/contracts/batch-life";
import { renameBatch, saveBatch } from "@malote/contracts/batches";
import type { ErrorCode } from "@malote/contracts/errors";
import { addTransfer, changeTransfer, removeTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import { pix } from "../../apps/api/src/testing/payments-kit.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import type { Chance } from "../chance.ts";
import { auroraId, balanceIn, makeDrafts, type TwoProcesses } from "./two-processes.ts";

const actors = 64;
/** Enough for every payment that the actors add to a batch. */
const plenty = 10_000_00;
/** Enough for the amount that a waiting batch may lack. */
const lacking = 3_000_00;
const firstValues = [300_00, 200_00, 100_00] as const;

/** Permitted answers to a caller who is too late; any other is a fault. */
const lateCodes = new Set<ErrorCode>([
  "batch_not_draft",
  "batch_not_waiting_approval",
  "batch_not_editable",
  "batch_not_removable",
  "batch_keeps_name",
  "batch_changed",
  "idempotency_in_progress",
  "not_found",
  "revision_missing",
  "transfer_not_editable",
]);

interface Round {
  id: string;
  /** Payments of the draft: the first stays untouched, many callers change the second, one removes the third. */
  payments: readonly [untouched: string, changed: string, removed: string];
  /**
   * True when the batch may be paid as soon as it is closed; otherwise it waits for a deposit that arrives meanwhile.
   */
  isFunded: boolean;
  before: number;
  deposited: number;
  /** Keys under which a close was acknowledged. */
  closes: Set<string>;
  deletes: number;
  /** Payments that the server acknowledged as added, with their values. */
  added: Map<string, number>;
  /** Acknowledged values of the second payment. */
  changed: Set<number>;
  isRemoved: boolean;
  faults: string[];
  answers: Record<string, number>;
}

export interface RoundReport {
  faults: string[];
  answers: Record<string, number>;
  end: "paid" | "deleted";
}

/** Plays one round. `meddle` plants faults between the last answer and the checks. */
export async function playRound(
  two: TwoProcesses,
  chance: Chance,
  meddle?: (two: TwoProcesses, batchId: string) => Promise<unknown>,
): Promise<RoundReport> {
  const round = await prepare(two, chance);
  await Promise.all(Array.from({ length: actors }, () => act(two, round, chance)));
  if (round.isFunded && round.closes.size + round.deletes > 1)
    round.faults.push(
      `${round.closes.size} closes and ${round.deletes} deletions of one batch were acknowledged`,
    );
  const end = await bringToItsEnd(two, round);
  await meddle?.(two, round.id);
  await question(two, round, end);
  return { faults: round.faults, answers: round.answers, end };
}

async function prepare(two: TwoProcesses, chance: Chance): Promise<Round> {
  const [{ clock }] = two.both;
  const mayLack = chance.happens(35);
  return two.inCompany(async (tx) => {
    const had = await balanceIn(tx);
    // The money of deleted batches is spent first: a batch that lacks more than that would exceed every limit.
    const isFunded = had > plenty || !mayLack;
    if (isFunded && had < plenty) await receivePix(tx, clock.now(), [plenty - had]);
    const before = await balanceIn(tx);
    const [id = ""] = await makeDrafts(tx, clock.now(), [firstValues[0] + (isFunded ? 0 : before)]);
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM transfers WHERE company_id = ${tx.companyId} AND batch_id = ${id}
    `.execute(tx);
    const changed = randomUUID();
    const removed = randomUUID();
    await sql`
      INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, name, pix_key_type,
        pix_key, created_at)
      SELECT t.company_id, d.id, t.batch_id, d.position, t.status, d.value, t.payment_method, d.id::text, t.name, t.pix_key_type, t.pix_key, t.created_at
      FROM transfers t, unnest(${[changed, removed]}::uuid[], ${firstValues.slice(1)}::bigint[], ARRAY[2, 3]) AS d (id, value, position)
      WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${id}
    `.execute(tx);
    await sql`
      UPDATE batches SET payments_count = 3, value = value + ${firstValues[1] + firstValues[2]}
      WHERE company_id = ${tx.companyId} AND id = ${id}
    `.execute(tx);
    return {
      id,
      payments: [rows[0]?.id ?? "", changed, removed] as const,
      isFunded,
      before,
      deposited: 0,
      closes: new Set<string>(),
      deletes: 0,
      added: new Map<string, number>(),
      changed: new Set<number>([firstValues[1]]),
      isRemoved: false,
      faults: [],
      answers: {},
    };
  });
}

/** Does the action of one caller: a single request through one of the two processes. */
async function act(two: TwoProcesses, round: Round, chance: Chance): Promise<void> {
  const kit = chance.oneOf(two.both) ?? two.both[0];
  const { admin, operator } = kit;
  const either = chance.happens(50) ? admin : operator;
  const params = { id: round.id };
  const [, changed, removed] = round.payments;
  const value = chance.between(1_00, 50_00);
  const share = chance.between(1, 100);
  if (share <= 30) {
    const key = randomUUID();
    // An approval names the revision seen; the batch may have changed by the time it arrives.
    const body = chance.happens(50) ? { revision: (await stateOf(two, round.id)).revision } : {};
    const send = () => admin.call(closeBatch, { params, body }, { "idempotency-key": key });
    const answers = chance.happens(20) ? await Promise.all([send(), send()]) : [await send()];
    for (const answer of answers) if (isDone(round, "closeBatch", answer)) round.closes.add(key);
  } else if (share <= 40) {
    isDone(round, "sendBatchToApproval", await either.call(sendBatchToApproval, { params, body: {} }));
  } else if (share <= 46) {
    isDone(round, "rejectBatch", await admin.call(rejectBatch, { params, body: { reason: "Confira" } }));
  } else if (share <= 52) {
    isDone(round, "enableBatchEdit", await admin.call(enableBatchEdit, { params }));
  } else if (share <= 58) {
    isDone(round, "renameBatch", await either.call(renameBatch, { params, body: { name: `Lote ${share}` } }));
  } else if (share <= 64) {
    if (isDone(round, "deleteBatch", await either.call(deleteBatch, { params }))) round.deletes++;
  } else if (share <= 74) {
    const id = randomUUID();
    const answer = await either.call(addTransfer, { params, body: { ...pix(value), id } });
    if (isDone(round, "addTransfer", answer)) round.added.set(id, value);
  } else if (share <= 82) {
    const id = randomUUID();
    const body = { name: "Lote salvo", transfers: [{ ...pix(value), id }] };
    if (isDone(round, "saveBatch", await either.call(saveBatch, { params, body })))
      round.added.set(id, value);
  } else if (share <= 90) {
    const answer = await either.call(changeTransfer, {
      params: { ...params, tid: changed },
      body: pix(value),
    });
    if (isDone(round, "changeTransfer", answer)) round.changed.add(value);
  } else if (share <= 95 || round.isFunded) {
    const answer = await either.call(removeTransfer, { params: { ...params, tid: removed } });
    if (isDone(round, "removeTransfer", answer)) round.isRemoved = true;
  } else {
    round.deposited += lacking;
    await kit.deposit(lacking);
  }
}

/** Returns true when the server executed the call; records an impossible refusal as a fault. */
function isDone(round: Round, call: string, { status, body }: Answer): boolean {
  const outcome = status === 200 ? "200" : `${status} ${body.code}`;
  round.answers[outcome] = (round.answers[outcome] ?? 0) + 1;
  if (status !== 200 && !lateCodes.has(body.code)) round.faults.push(`${call} answered ${outcome}`);
  return status === 200;
}

/** Completes the round: closes an open batch, adds the money that a waiting one lacks, and runs all due work. */
async function bringToItsEnd(two: TwoProcesses, round: Round): Promise<"paid" | "deleted"> {
  const [kit] = two.both;
  for (let step = 0; step < 8; step++) {
    for (const { drainJobs } of two.both) await drainJobs();
    const { status, value, revision, balance } = await stateOf(two, round.id);
    if (status === "REMOVED") return "deleted";
    if (status === "RECEIVED") await kit.pass({ seconds: 3 });
    else if (status === "FINISHED") return "paid";
    else if (status === "WAITING" && balance >= value) {
      round.faults.push(`a batch of ${value} waits beside a balance of ${balance}`);
      return "paid";
    } else if (status === "WAITING") {
      round.deposited += value - balance;
      await kit.deposit(value - balance);
    } else {
      const key = randomUUID();
      const answer = await kit.admin.call(
        closeBatch,
        { params: { id: round.id }, body: { revision } },
        { "idempotency-key": key },
      );
      if (isDone(round, "closeBatch", answer)) round.closes.add(key);
    }
  }
  const { status } = await stateOf(two, round.id);
  round.faults.push(`a batch stays ${status}`);
  return "paid";
}

interface State {
  status: string;
  value: number;
  revision: number;
  balance: number;
}

async function stateOf(two: TwoProcesses, id: string): Promise<State> {
  const [state] = await two.ask<State>(
    `SELECT b.status, b.value, b.revision, a.balance FROM batches b
     JOIN ledger_accounts a ON a.company_id = b.company_id AND a.account = 'available'
     WHERE b.company_id = $1 AND b.id = $2`,
    [auroraId, id],
  );
  if (!state) throw new Error(`batch ${id} is gone`);
  return state;
}

interface Facts {
  status: string;
  value: number;
  closings: number;
  rows: { id: string; value: number; status: string }[];
  reserved: number[];
  paid: number;
  audited: number[];
  closeAudited: number;
  balance: number;
}

async function question(two: TwoProcesses, round: Round, end: "paid" | "deleted"): Promise<void> {
  const { faults } = round;
  const [facts] = await two.ask<Facts>(
    `SELECT b.status, b.value, b.closings,
       (SELECT jsonb_agg(jsonb_build_object('id', t.id, 'value', t.value, 'status', t.status)) FROM transfers t
        WHERE t.company_id = b.company_id AND t.batch_id = b.id) AS rows,
       (SELECT coalesce(jsonb_agg(e.amount), '[]') FROM ledger_transactions l
        JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'reserved'
        WHERE l.company_id = b.company_id AND l.type = 'BATCH' AND l.complement ->> 'batch_id' = b.id::text) AS reserved,
       (SELECT coalesce(sum(e.amount), 0)::bigint FROM transfers t
        JOIN ledger_transactions l ON l.company_id = t.company_id AND l.cause = 'paid:' || t.end_to_end_id
        JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'payouts'
        WHERE t.company_id = b.company_id AND t.batch_id = b.id) AS paid,
       (SELECT coalesce(jsonb_agg((a.detail ->> 'value')::bigint ORDER BY a.id), '[]') FROM audit_entries a
        WHERE a.company_id = b.company_id AND a.subject_id = b.id::text AND a.action IN ('batch_closed', 'batch_approved')) AS audited,
       (SELECT balance FROM ledger_accounts a WHERE a.company_id = b.company_id AND a.account = 'available') AS balance
     FROM batches b WHERE b.company_id = $1 AND b.id = $2`,
    [auroraId, round.id],
  );
  if (!facts) throw new Error(`batch ${round.id} is gone`);
  const same = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      faults.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };

  const sum = facts.rows.reduce((total, row) => total + row.value, 0);
  same("the value of the batch is that of its payments", facts.value, sum);
  same("each close that was acknowledged is one in the batch", facts.closings, round.closes.size);
  same("each close that was acknowledged is one in the audit trail", facts.audited.length, round.closes.size);
  if (end === "paid") {
    same("of all the hands one wins", [facts.status, round.deletes], ["FINISHED", 0]);
    same("the money was reserved once, as much as at the close", facts.reserved, [facts.audited.at(-1)]);
    same("paid total is the total at close", facts.paid, facts.audited.at(-1));
    same("the total at close is what is in the batch", facts.value, facts.audited.at(-1));
    same("every payment is finished", [...new Set(facts.rows.map(({ status }) => status))], ["FINISHED"]);
  } else {
    same("of all the hands one wins", [facts.status, round.deletes], ["REMOVED", 1]);
    same("a deleted batch holds no money", [facts.reserved, facts.paid], [[], 0]);
  }
  same("the balance", facts.balance, round.before + round.deposited - facts.paid);

  const values = new Map(facts.rows.map((row) => [row.id, row.value]));
  const [untouched, changed, removed] = round.payments;
  for (const [id, value] of round.added) same(`payment ${id} that was added`, values.get(id), value);
  if (!round.changed.has(values.get(changed) ?? 0)) faults.push("a payment has a value that no call gave it");
  same("the payment that was taken out is gone, or else is there", values.has(removed), !round.isRemoved);
  const known = new Set([untouched, changed, removed, ...round.added.keys()]);
  same("payments that no call added", facts.rows.filter(({ id }) => !known.has(id)).length, 0);
}

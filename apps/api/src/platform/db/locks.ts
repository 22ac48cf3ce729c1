/**
 * Every advisory lock of the product, so that no two share a key by accident. Processes of two releases run beside each other
 * while one is rolled out, so a key keeps its text and its number.
 *
 * Who takes several takes them in this order, and so never waits in a cycle:
 *   a batch's row · boleto-codes · equal-payments · the findings of a batch · a request's row · sums-of-people · accounts, in
 *   the order of their names
 */
import { sql } from "kysely";
import type { AnyTx, Tx } from "./database.ts";
import { prepared } from "./prepared.ts";

/** Of the whole installation: any number, the same in every process. */
export const systemLocks = {
  migrating: 7_265_001,
  sandboxNetwork: 7_265_002,
  preparingQueues: 7_265_003,
  sandboxInfractions: 7_265_004,
  relay: 7_265_005,
} as const;

/** Of a company, by the text that begins its key. */
const companyLocks = {
  /** The codes of boletos and charges that are about to be paid. */
  "boleto-codes": "billets",
  /** From the look for equal payments to their leaving. */
  "equal-payments": "ticks",
  /** What people of the company sent out on a day. */
  "sums-of-people": "outflows",
  "approval-notices": "notices",
  "approval-policies": "policies",
  credentials: "credentials",
  files: "exports",
  uploads: "uploads",
} as const;
export type CompanyLock = keyof typeof companyLocks;

/** Held to the end of the transaction: one after another in this company, over all processes. */
export const lockFor = (tx: Tx, lock: CompanyLock): Promise<void> =>
  lockKey(tx, `${companyLocks[lock]} ${tx.companyId}`);

/** One person's requests for approval, one after another. */
export const lockAsker = (tx: Tx, userId: string | undefined): Promise<void> =>
  lockKey(tx, `asking ${tx.companyId} ${userId}`);

/** A large batch is looked through by one transaction at a time: the next one finds what this one kept. */
export const lockFindings = (tx: Tx, batchId: string): Promise<void> => lockKey(tx, `checks ${batchId}`);

/** Tries to sign in, by what they are counted by. */
export const lockTries = (tx: AnyTx, subject: string): Promise<void> => lockKey(tx, subject);

async function lockKey(tx: AnyTx, key: string): Promise<void> {
  await sql`${prepared} SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** Held to the end of the transaction: one at a time in the whole installation. */
export async function lockSystem(tx: AnyTx, lock: keyof typeof systemLocks): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${systemLocks[lock]})`.execute(tx);
}

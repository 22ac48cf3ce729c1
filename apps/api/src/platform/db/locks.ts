/**
 * All advisory locks of the product, in one place so that no two share a key by accident. Processes of two releases run
 * side by side during a rollout, so a key never changes its text or number.
 *
 * A transaction that takes several locks takes them in this order, which prevents deadlocks:
 *   a batch's row · boleto-codes · equal-payments · the findings of a batch · a request's row · sums-of-people ·
 *   accounts, in the order of their names
 */
import { sql } from "kysely";
import type { AnyTx, Tx } from "./database.ts";
import { prepared } from "./prepared.ts";

/** Locks of the whole installation, by a number that is the same in every process. */
export const systemLocks = {
  migrating: 7_265_001,
  sandboxNetwork: 7_265_002,
  preparingQueues: 7_265_003,
  sandboxInfractions: 7_265_004,
  relay: 7_265_005,
} as const;

/** Locks of a company, by the text that begins the key. */
const companyLocks = {
  /** Codes of boletos and charges that are about to be paid. */
  "boleto-codes": "billets",
  /** Held between the check for equal payments and their release. */
  "equal-payments": "ticks",
  /** Sums that users of the company sent out on a day. */
  "sums-of-people": "outflows",
  "approval-notices": "notices",
  "approval-policies": "policies",
  credentials: "credentials",
  files: "exports",
  uploads: "uploads",
} as const;
export type CompanyLock = keyof typeof companyLocks;

/** Takes a company's lock to the end of the transaction, across all processes. */
export const lockFor = (tx: Tx, lock: CompanyLock): Promise<void> =>
  lockKey(tx, `${companyLocks[lock]} ${tx.companyId}`);

/** Serialises one user's requests for approval. */
export const lockAsker = (tx: Tx, userId: string | undefined): Promise<void> =>
  lockKey(tx, `asking ${tx.companyId} ${userId}`);

/**
 * Locks the checks of a large batch: one transaction at a time computes them, and the next one finds its stored result.
 */
export const lockFindings = (tx: Tx, batchId: string): Promise<void> => lockKey(tx, `checks ${batchId}`);

/** Serialises tries to sign in by the subject that counts them. */
export const lockTries = (tx: AnyTx, subject: string): Promise<void> => lockKey(tx, subject);

async function lockKey(tx: AnyTx, key: string): Promise<void> {
  await sql`${prepared} SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** Takes a lock of the whole installation to the end of the transaction. */
export async function lockSystem(tx: AnyTx, lock: keyof typeof systemLocks): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${systemLocks[lock]})`.execute(tx);
}

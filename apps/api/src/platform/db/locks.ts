/**
 * Advisory locks. A feature declares each lock beside the code that takes it, and two locks with one key end the start.
 * Processes of two releases run side by side during a rollout, so a key never changes its text or number. A
 * feature that takes several in one transaction says in which order (locks.ts of its folder).
 */
import { sql } from "kysely";
import type { AnyTx, Tx } from "./database.ts";
import { prepared } from "./prepared.ts";

declare const kind: unique symbol;
/** Text that begins the keys of a lock, one key for each company or object. */
export type Lock = string & { readonly [kind]: "lock" };
/** Number of a lock of the whole installation, the same in every process. */
export type SystemLock = number & { readonly [kind]: "system lock" };

const declared = new Set<string | number>();

function declareOnce<Key extends string | number>(key: Key): Key {
  if (declared.has(key)) throw new Error(`two locks have the key ${key}`);
  declared.add(key);
  return key;
}

/** Declares a lock. The text is one word, so that no key of another lock begins with it. */
export function declareLock(text: string): Lock {
  if (!/^[a-z-]+$/.test(text)) throw new Error(`the key of a lock begins with one word, not with ${text}`);
  return declareOnce(text) as Lock;
}

/** Declares a lock of the whole installation. */
export const declareSystemLock = (number: number): SystemLock => declareOnce(number) as SystemLock;

/** Takes a company's lock to the end of the transaction, across all processes. */
export const lockFor = (tx: Tx, lock: Lock): Promise<void> => lockKey(tx, `${lock} ${tx.companyId}`);

/** Takes the lock of one object to the end of the transaction. */
export const lockObject = (tx: AnyTx, lock: Lock, id: string): Promise<void> => lockKey(tx, `${lock} ${id}`);

/** Takes the lock of a hash to the end of the transaction. Its key is the hash alone. */
export const lockHash = (tx: AnyTx, hash: string): Promise<void> => lockKey(tx, hash);

async function lockKey(tx: AnyTx, key: string): Promise<void> {
  await sql`${prepared} SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** Takes a lock of the whole installation to the end of the transaction. */
export async function lockSystem(tx: AnyTx, lock: SystemLock): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${lock})`.execute(tx);
}

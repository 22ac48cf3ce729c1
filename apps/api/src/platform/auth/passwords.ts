/**
 * Passwords, stored as argon2id hashes. Hashing is slow on purpose, so few hashes run at once and a bounded number
 * waits: a flood of sign-ins is refused with "too many" and does not block other calls.
 */
import { hash, verify } from "@node-rs/argon2";
import { boundedQueue } from "../concurrency/bounded-queue.ts";

/** OWASP's recommendation: 19 MiB, two passes, one lane. The library's default algorithm is argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const atWorkMax = 2;
const waitingMax = 64;

/** Hash of a random, unused password, so that a sign-in to an unknown account does the same work as any other. */
const dummyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$7yVCMwWYux4o6UQXQ5ZpCQ$0iQFqlamCapBwrp7Lz7cKV2FZrN6T5SP9MD/lYmSRQ4";

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns whether the password matches; without a stored hash, does the same work and returns false. */
  matches(storedHash: string | null | undefined, password: string): Promise<boolean>;
}

export function openPasswords(): Passwords {
  const inTurn = boundedQueue(atWorkMax, waitingMax);
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    matches: (storedHash, password) =>
      inTurn(async () => (await verify(storedHash ?? dummyHash, password)) && storedHash != null),
  };
}

const lower = /\p{Ll}/u;
const upper = /\p{Lu}/u;
const digit = /\d/;
const special = /[^\p{L}\p{N}\s]/u;

/** ACC-010: returns whether a password is strong. The length counts visible characters, not stored bytes. */
export function isStrongPassword(password: string): boolean {
  return [...password].length >= 8 && [lower, upper, digit, special].every((kind) => kind.test(password));
}

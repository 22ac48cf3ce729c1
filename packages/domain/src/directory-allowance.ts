/**
 * Bacen's protection against trying out keys, per company (DICT, category of legal entities): a bucket of 1,000 tokens,
 * refilled by two a minute. A query costs one token, a key that does not exist twenty, and a payment sent by a key
 * returns one.
 */
import { minuteMs } from "./durations.ts";

export const allowance = { most: 1_000, aMinute: 2 } as const;
const foundCost = 1;
const notFoundCost = 20;

/** Tokens that drafts and validations leave for people who look up a key before they pay. */
export const spareTokens = 100;

/** Returns the tokens after a time without queries. */
export const refilled = (tokens: number, elapsedMs: number): number =>
  Math.min(allowance.most, tokens + (allowance.aMinute * Math.max(0, elapsedMs)) / minuteMs);

/**
 * Returns the tokens that a query takes before its answer is known. Queries that leave some to others take the price of
 * a key that does not exist, because several may wait for their answers at once.
 */
const heldPerQuery = (spare: number): number => (spare > 0 ? notFoundCost : foundCost);

/** Returns how many of the wanted queries may be made now, and the tokens that they take. */
export function grantQueries(
  tokens: number,
  wanted: number,
  spare: number,
): { granted: number; taken: number } {
  const held = heldPerQuery(spare);
  const granted = Math.max(0, Math.min(wanted, Math.floor((tokens - spare) / held)));
  return { granted, taken: granted * held };
}

/** Returns the tokens to add once the answers of granted queries are known: negative when they cost more than they took. */
export const correctionAfter = (
  { asked, notFound }: { asked: number; notFound: number },
  spare: number,
): number => asked * (heldPerQuery(spare) - foundCost) - notFound * (notFoundCost - foundCost);

/** Returns the whole minutes after which one more query may be made, at least one. */
export const minutesUntilQuery = (tokens: number, spare: number): number =>
  Math.max(1, Math.ceil((spare + heldPerQuery(spare) - tokens) / allowance.aMinute));

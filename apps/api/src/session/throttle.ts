/**
 * At most ten wrong tries an account and a hundred an address in a quarter of an hour. A try counts before it is
 * checked and is forgiven when it was right, so that many at once cannot all slip under the bound. An account that does
 * not exist is counted like any other: nobody learns which ones do. An address is counted at each door by itself: any page can
 * make a visitor's browser knock at the public ones, which must not close the sign-in of an office.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Database } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";

const triesPerAccountMax = 10;
/** An office shares one address, so it gets more. */
const triesPerAddressMax = 100;
const throttleMinutes = 15;
const windowMs = throttleMinutes * 60_000;

/** What is tried: to sign in, to find a payment link, to pay one. */
export type Door = "sign-in" | "checkout-token" | "checkout-charge";

export interface Try {
  id: string;
  subjects: string[];
  at: Date;
}

/** Names nobody: the list of failures must not be a list of our customers. */
const subjectOf = (kind: "account" | "address", name: string) =>
  createHash("sha256").update(`${kind} ${name}`).digest("base64url");

/** Refuses with `too_many_tries` when the account or the address used up its tries. */
export async function beginTry(
  db: Database,
  account: string,
  address: string,
  now: Date,
  door: Door = "sign-in",
): Promise<Try> {
  const bounds = [
    { subject: subjectOf("account", account), max: triesPerAccountMax },
    { subject: subjectOf("address", `${door} ${address}`), max: triesPerAddressMax },
  ].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  const since = new Date(now.getTime() - windowMs);
  const begun: Try = { id: uuidv7(now.getTime()), subjects: bounds.map(({ subject }) => subject), at: now };

  await db.withSystem(async (tx) => {
    await sql`DELETE FROM sign_in_failures WHERE failed_at <= ${since}`.execute(tx);
    for (const { subject, max } of bounds) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
      // The try whose end makes room for the next one, when there is no room now.
      const { rows } = await sql<{ failed_at: Date }>`
        SELECT failed_at FROM sign_in_failures WHERE subject = ${subject} AND failed_at > ${since}
        ORDER BY failed_at DESC OFFSET ${max - 1} LIMIT 1
      `.execute(tx);
      const inTheWay = rows[0]?.failed_at;
      if (inTheWay) {
        const leftMs = inTheWay.getTime() + windowMs - now.getTime();
        throw new AppError("too_many_tries", { minutes: Math.max(1, Math.ceil(leftMs / 60_000)) });
      }
      await sql`
        INSERT INTO sign_in_failures (subject, failed_at, id) VALUES (${subject}, ${now}, ${begun.id})
      `.execute(tx);
    }
  });
  return begun;
}

/** The try was right: it does not count. */
export async function forgiveTry(
  tx: Parameters<Parameters<Database["withSystem"]>[0]>[0],
  { id, subjects, at }: Try,
) {
  await sql`
    DELETE FROM sign_in_failures WHERE subject = ANY(${subjects}) AND failed_at = ${at} AND id = ${id}
  `.execute(tx);
}

/** A check that could not be made, because too many others were waiting, was no wrong try. */
export async function checkWithin<T>(db: Database, attempt: Try, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    await db.withSystem((tx) => forgiveTry(tx, attempt));
    throw error;
  }
}

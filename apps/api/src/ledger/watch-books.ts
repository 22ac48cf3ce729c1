/**
 * The books check of the minute, made by one worker for the whole installation: what came since the last one, and each
 * hour everything. While something is wrong, everything each time, until it is right again.
 */
import { sql } from "kysely";
import type { AnyTx, Database } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { type BooksFault, checkBooks } from "./check-books.ts";
import { checkRecentBooks } from "./check-recent-books.ts";

export interface BooksWatch {
  /** What this process checked; "nothing" when another one did or does. */
  checked: "everything" | "recent" | "nothing";
  faults: BooksFault[];
}

/** Where everything was right: each account's last entry, and the transactions that could have been seen. */
interface Position {
  horizon: number;
  accounts: string;
}

export async function watchBooks(db: Database, now?: Date): Promise<BooksWatch> {
  const claimed = await claim(db);
  if (!claimed) return { checked: "nothing", faults: await lastFaults(db) };
  const { horizon } = claimed;
  const everything = horizon === null;
  try {
    const { faults, position } = everything
      ? await checkEverything(db, now)
      : await checkRecent(db, horizon, now);
    await db.withSystem((tx) => keep(tx, faults, position, everything));
    return { checked: everything ? "everything" : "recent", faults };
  } catch (error) {
    await db.withSystem((tx) => sql`UPDATE books_checks SET claimed_until = NULL`.execute(tx));
    throw error;
  }
}

/** Somebody else's check of this minute, under way or done, leaves nothing to do. A horizon says what is recent. */
async function claim(db: Database): Promise<{ horizon: number | null } | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ horizon: number | null }>`
      UPDATE books_checks SET claimed_until = clock_timestamp() + interval '10 minutes'
      WHERE coalesce(claimed_until, '-infinity') < clock_timestamp()
        AND coalesce(checked_at, '-infinity') < clock_timestamp() - interval '50 seconds'
      RETURNING CASE WHEN faults = '[]' AND checked_fully_at > clock_timestamp() - interval '1 hour'
        -- Restored from another server, whose transactions were counted on their own; or begun anew.
        AND horizon <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        AND EXISTS (SELECT FROM books_positions) THEN horizon END AS horizon
    `.execute(tx),
  );
  return rows[0];
}

async function lastFaults(db: Database): Promise<BooksFault[]> {
  return onlyRow(
    await db.withSystem((tx) => sql<{ faults: BooksFault[] }>`SELECT faults FROM books_checks`.execute(tx)),
  ).faults;
}

/** The position is taken before, so that whatever comes meanwhile is looked at the next time. */
async function checkEverything(db: Database, now?: Date) {
  const position = await db.withSystem(positionNow);
  return { faults: await checkBooks(db, now), position };
}

const checkRecent = (db: Database, horizon: number, now?: Date) =>
  db.withSystem(async (tx) => {
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    return { faults: await checkRecentBooks(tx, horizon, now), position: await positionNow(tx) };
  });

async function positionNow(tx: AnyTx): Promise<Position> {
  return onlyRow(
    await sql<Position>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon, (
        SELECT coalesce(jsonb_agg(a), '[]') FROM (
          SELECT a.company_id, a.account, a.seq, a.balance, a.last_at AS at FROM ledger_accounts a
          LEFT JOIN books_positions p ON p.company_id = a.company_id AND p.account = a.account
          WHERE p.seq IS DISTINCT FROM a.seq) a)::text AS accounts
    `.execute(tx),
  );
}

/** Moves on only when nothing was wrong: what is wrong stays ahead of the position. */
async function keep(
  tx: AnyTx,
  faults: readonly BooksFault[],
  { horizon, accounts }: Position,
  everything: boolean,
): Promise<void> {
  if (faults.length === 0) {
    await sql`
      INSERT INTO books_positions (company_id, account, seq, balance, at)
      SELECT a.company_id, a.account, a.seq, a.balance, a.at
      FROM jsonb_to_recordset(${accounts}::jsonb) AS a (company_id uuid, account text, seq bigint, balance bigint, at timestamptz)
      JOIN companies c ON c.company_id = a.company_id -- The simulator may have begun anew meanwhile.
      ON CONFLICT (company_id, account) DO UPDATE SET seq = excluded.seq, balance = excluded.balance, at = excluded.at
    `.execute(tx);
  }
  await sql`
    UPDATE books_checks SET claimed_until = NULL, checked_at = clock_timestamp(), faults = ${JSON.stringify(faults)}::jsonb,
      horizon = CASE WHEN ${faults.length === 0}::boolean THEN ${horizon}::bigint ELSE horizon END,
      checked_fully_at = CASE WHEN ${everything}::boolean THEN clock_timestamp() ELSE checked_fully_at END
  `.execute(tx);
}

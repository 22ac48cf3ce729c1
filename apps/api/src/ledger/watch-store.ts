/** The row that says who checks the books, what was found, and up to which position they were right. */
import { sql } from "kysely";
import type { AnyTx, Database } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { BooksFault } from "./check-books.ts";

/** Position at which everything was right: each account's last entry, and the transactions visible then. */
export interface Position {
  horizon: number;
  accounts: string;
}

export interface Claim {
  /** End of this process's claim, to the microsecond. */
  turn: string;
  horizon: number | null;
}

const isTurn = (turn: string) => sql`claimed_until = ${turn}::timestamptz`;

/**
 * Claims this minute's check; returns undefined when another process has claimed or done it. A horizon limits the check
 * to recent rows.
 */
export async function claimCheck(db: Database): Promise<Claim | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<Claim>`
      UPDATE books_checks SET claimed_until = clock_timestamp() + interval '10 minutes'
      WHERE coalesce(claimed_until, '-infinity') < clock_timestamp()
        AND coalesce(checked_at, '-infinity') < clock_timestamp() - interval '50 seconds'
      RETURNING claimed_until::text AS turn, CASE WHEN faults = '[]' AND checked_fully_at > clock_timestamp() - interval '1 hour'
        -- False after a restore from another server, whose transaction ids count separately, and after a restart of the books.
        AND horizon <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        AND EXISTS (SELECT FROM books_positions) THEN horizon END AS horizon
    `.execute(tx),
  );
  return rows[0];
}

/** Ends a claim whose check did not finish. */
export async function releaseCheck(tx: AnyTx, turn: string): Promise<void> {
  await sql`UPDATE books_checks SET claimed_until = NULL WHERE ${isTurn(turn)}`.execute(tx);
}

export async function readLastFaults(db: Database): Promise<BooksFault[]> {
  return onlyRow(
    await db.withSystem((tx) => sql<{ faults: BooksFault[] }>`SELECT faults FROM books_checks`.execute(tx)),
  ).faults;
}

export async function readPosition(tx: AnyTx): Promise<Position> {
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

/**
 * Stores the findings and, if there are no faults, advances the position: faulty rows stay ahead of it. Returns false
 * when the claim has ended: another check may have begun, or the books were restarted, so these findings are outdated.
 */
export async function saveFaults(
  tx: AnyTx,
  turn: string,
  faults: readonly BooksFault[],
  { horizon, accounts }: Position,
  everything: boolean,
): Promise<boolean> {
  const isRight = sql`${faults.length === 0}::boolean`;
  return onlyRow(
    await sql<{ kept: boolean }>`
      WITH mine AS (
        UPDATE books_checks SET claimed_until = NULL, checked_at = clock_timestamp(), faults = ${JSON.stringify(faults)}::jsonb,
          horizon = CASE WHEN ${isRight} THEN ${horizon}::bigint ELSE horizon END,
          checked_fully_at = CASE WHEN ${everything}::boolean THEN clock_timestamp() ELSE checked_fully_at END
        WHERE ${isTurn(turn)} RETURNING only_row),
      moved AS (
        INSERT INTO books_positions (company_id, account, seq, balance, at)
        SELECT a.company_id, a.account, a.seq, a.balance, a.at
        FROM jsonb_to_recordset(${accounts}::jsonb) AS a (company_id uuid, account text, seq bigint, balance bigint, at timestamptz)
        JOIN mine ON ${isRight}
        ON CONFLICT (company_id, account) DO UPDATE SET seq = excluded.seq, balance = excluded.balance, at = excluded.at)
      SELECT EXISTS (SELECT FROM mine) AS kept
    `.execute(tx),
  ).kept;
}

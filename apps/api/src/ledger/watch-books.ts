/**
 * The books check of each minute, by one worker for the whole installation: rows written after the last check, and
 * everything once an hour. After a fault, every check covers everything until the books are right again.
 */
import { sql } from "kysely";
import type { Database } from "../platform/db/database.ts";
import { type BooksFault, checkBooks, checkRecentBooks } from "./check-books.ts";
import { claimCheck, readLastFaults, readPosition, releaseCheck, saveFaults } from "./watch-store.ts";

export interface BooksWatch {
  /** The scope that this process checked; "nothing" when another process did. */
  checked: "everything" | "recent" | "nothing";
  faults: BooksFault[];
}

export async function watchBooks(
  db: Database,
  now?: Date,
  connections?: readonly string[],
): Promise<BooksWatch> {
  const claimed = await claimCheck(db);
  if (!claimed) return { checked: "nothing", faults: await readLastFaults(db) };
  const { turn, horizon } = claimed;
  const everything = horizon === null;
  try {
    const { faults, position } = everything
      ? await checkEverything(db, now, connections)
      : await checkRecent(db, horizon, now, connections);
    const isKept = await db.withSystem((tx) => saveFaults(tx, turn, faults, position, everything));
    if (!isKept) return { checked: "nothing", faults: await readLastFaults(db) };
    return { checked: everything ? "everything" : "recent", faults };
  } catch (error) {
    await db.withSystem((tx) => releaseCheck(tx, turn));
    throw error;
  }
}

/** Checks everything. Reads the position first, so that later rows are checked the next time. */
async function checkEverything(db: Database, now?: Date, connections?: readonly string[]) {
  const position = await db.withSystem(readPosition);
  return { faults: await checkBooks(db, now, connections), position };
}

const checkRecent = (db: Database, horizon: number, now?: Date, connections?: readonly string[]) =>
  db.withSystem(async (tx) => {
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    return {
      faults: await checkRecentBooks(tx, horizon, now, connections),
      position: await readPosition(tx),
    };
  });

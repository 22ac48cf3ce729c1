/** Logos that no company names: a killed upload's, or one replaced in a process that was killed before it was removed. */
import { sql } from "kysely";
import type { Parts } from "../platform/parts.ts";

const dayMs = 24 * 3_600_000;

/** By the disk's own time, which no simulator moves, and only old ones: an upload has its file before its row. */
export async function tidyLogos({ db, files }: Pick<Parts, "db" | "files">): Promise<void> {
  const named = await db.withSystem((tx) =>
    sql<{ key: string }>`SELECT logo_key AS key FROM companies WHERE logo_key IS NOT NULL`.execute(tx),
  );
  const kept = new Set(named.rows.map(({ key }) => key));
  for await (const { key, writtenAt } of files.list("logos")) {
    if (!kept.has(key) && Date.now() - writtenAt.getTime() >= dayMs) await files.remove(key);
  }
}

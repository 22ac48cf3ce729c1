/** Removes logos that no company names: of interrupted uploads, or replaced ones that a killed process left behind. */
import { sql } from "kysely";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Services } from "../platform/services.ts";

export async function tidyLogos({ db, files }: Pick<Services, "db" | "files">): Promise<void> {
  const named = await db.withSystem((tx) =>
    sql<{ key: string }>`SELECT logo_key AS key FROM companies WHERE logo_key IS NOT NULL`.execute(tx),
  );
  const kept = new Set(named.rows.map(({ key }) => key));
  await removeUnnamed(files, "logos", (key) => kept.has(key));
}

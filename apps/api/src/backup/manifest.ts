import * as z from "zod";

/** Version of the format. Increase it when an older Malote could not read a new backup. */
export const backupFormat = 1;

/** First entry of the archive: describes the installation that was backed up. */
export const startEntry = "start.json";
export const backupStart = z.object({
  format: z.literal(backupFormat),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  queueVersion: z.int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  /**
   * True when the secret of the data folder is included. Backups without this field include it wherever one existed.
   */
  hasSecret: z.boolean().default(true),
});
export type BackupStart = z.infer<typeof backupStart>;

/** Last entry of the archive, so that a truncated archive is detected by its absence. */
export const endEntry = "end.json";
export const backupEnd = z.object({
  tables: z.record(z.string(), z.object({ rows: z.int(), hash: z.string() })),
  files: z.int(),
});
export type BackupEnd = z.infer<typeof backupEnd>;

export const secretEntry = "secret";
export const filesFolder = "files/";
export const tablesFolder = "tables/";

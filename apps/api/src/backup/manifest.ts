import * as z from "zod";

/** Grows when an older Malote could not read what is written. */
export const backupFormat = 1;

/** First in the archive: what it was made from. */
export const startEntry = "start.json";
export const backupStart = z.object({
  format: z.literal(backupFormat),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  queueVersion: z.int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  /** Whether the secret of the data folder is included. Before this field existed, it was wherever there was one. */
  hasSecret: z.boolean().default(true),
});
export type BackupStart = z.infer<typeof backupStart>;

/** Last in the archive, so that a truncated one is recognised by its absence. */
export const endEntry = "end.json";
export const backupEnd = z.object({
  tables: z.record(z.string(), z.object({ rows: z.int(), hash: z.string() })),
  files: z.int(),
});
export type BackupEnd = z.infer<typeof backupEnd>;

export const secretEntry = "secret";
export const filesFolder = "files/";
export const tablesFolder = "tables/";

import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";

export interface NewNetworkFile {
  id: string;
  connection: string;
  name: string;
  /** Hash of the content, in hexadecimal digits. */
  digest: string;
  content: Uint8Array;
}

/** Stores a file; returns false when the same content came over this connection before. */
export async function insertNetworkFile(tx: AnyTx, file: NewNetworkFile, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO network_files (id, connection, name, digest, content, received_at, try_at)
    VALUES (${file.id}, ${file.connection}, ${file.name}, ${file.digest}, ${Buffer.from(file.content)}, ${now}, ${now})
    ON CONFLICT ON CONSTRAINT network_files_once DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export interface FileToRead {
  id: string;
  connection: string;
  name: string;
  content: Buffer;
}

/** Claims the oldest file that no worker has; if this worker dies, the file becomes due again. */
export async function claimNetworkFile(
  tx: AnyTx,
  connections: readonly string[],
  now: Date,
): Promise<FileToRead | undefined> {
  const { rows } = await sql<FileToRead>`
    UPDATE network_files SET try_at = ${now}::timestamptz + interval '1 minute'
    WHERE id = (SELECT id FROM network_files
      WHERE content IS NOT NULL AND try_at <= ${now} AND connection = ANY(${connections}::text[])
      ORDER BY try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, connection, name, coalesce(content, '') AS content
  `.execute(tx);
  return rows[0];
}

export async function markFileRead(
  tx: AnyTx,
  id: string,
  { reports, unreadable }: { reports: number; unreadable: number },
  now: Date,
): Promise<void> {
  await sql`
    UPDATE network_files SET content = NULL, read_at = ${now}, reports = ${reports}, unreadable = ${unreadable}
    WHERE id = ${id} AND content IS NOT NULL
  `.execute(tx);
}

export interface NetworkFile {
  connection: string;
  name: string;
  received_at: Date;
  /** Null until a worker read the file, like the next two. */
  read_at: Date | null;
  reports: number | null;
  unreadable: number | null;
}

/** Returns the latest 100 files, the newest first. */
export async function listNetworkFiles(tx: AnyTx): Promise<NetworkFile[]> {
  const { rows } = await sql<NetworkFile>`
    SELECT connection, name, received_at, read_at, reports, unreadable FROM network_files
    ORDER BY received_at DESC, id DESC LIMIT 100
  `.execute(tx);
  return rows;
}

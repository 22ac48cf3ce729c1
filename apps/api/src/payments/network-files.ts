/** Files of networks that the operator passes on: stored at once, then read by a worker into the inbox. */
import { createHash } from "node:crypto";
import type { AnyTx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { allConnections, connectionOf } from "../ports/connections.ts";
import { isUnreadable } from "../ports/rails.ts";
import { insertNetworkFile, markFileRead, takeNetworkFile } from "./network-file-store.ts";

/** Reports of a file that are applied in one block. */
const reportsAtOnce = 500;

/** Stores a file; returns false and changes nothing when the same content came over this connection before. */
export const keepNetworkFile = (
  tx: AnyTx,
  { connection, name, content }: { connection: string; name: string; content: Uint8Array },
  now: Date,
): Promise<boolean> =>
  insertNetworkFile(
    tx,
    {
      id: uuidv7(now.getTime()),
      connection,
      name,
      digest: createHash("sha256").update(content).digest("hex"),
      content,
    },
    now,
  );

/**
 * Reads stored files on schedule. If a worker dies within a file, the next one resumes it and the inbox skips the
 * events applied already. Files of a connection that is not configured wait.
 */
export async function readNetworkFiles(services: Services): Promise<void> {
  const readable = allConnections(services).flatMap(({ id, file }) => (file ? [id] : []));
  if (readable.length === 0) return;
  for (;;) {
    const now = services.clock.now();
    const taken = await services.db.withSystem((tx) => takeNetworkFile(tx, readable, now));
    if (!taken) return;
    await readOne(services, taken);
  }
}

async function readOne(
  services: Services,
  { id, connection, name, content }: { id: string; connection: string; name: string; content: Buffer },
): Promise<void> {
  const { db, clock, log } = services;
  const reports = connectionOf(services, connection)?.file?.read(content) ?? [];
  for (let from = 0; from < reports.length; from += reportsAtOnce)
    await services.handleEvents(reports.slice(from, from + reportsAtOnce), { connection, feed: "file" });
  const counts = { reports: reports.length, unreadable: reports.filter(isUnreadable).length };
  await db.withSystem((tx) => markFileRead(tx, id, counts, clock.now()));
  log.info({ connection, file: name, ...counts }, "read a file of the network");
}

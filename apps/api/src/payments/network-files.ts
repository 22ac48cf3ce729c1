/** Files of networks that the operator passes on: stored at once, then read by a worker into the inbox. */
import { createHash } from "node:crypto";
import type { AnyTx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { isUnreadable } from "../ports/connection.ts";
import { reportingBy, reportingConnections } from "../ports/connections.ts";
import { claimNetworkFile, insertNetworkFile, markFileRead } from "./network-file-store.ts";
import { type ReportHandlers, receiveReports } from "./receive-reports.ts";

/** Reports of a file that are applied in one block. */
const reportsAtOnce = 500;

/** Stores a file; returns false and changes nothing when the same content came over this connection before. */
export const saveNetworkFile = (
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
export async function readNetworkFiles(services: Services, handlers: ReportHandlers): Promise<void> {
  const readable = reportingConnections(services).flatMap(({ connection }) =>
    connection.file ? [connection.id] : [],
  );
  if (readable.length === 0) return;
  for (;;) {
    const now = services.clock.now();
    const taken = await services.db.withSystem((tx) => claimNetworkFile(tx, readable, now));
    if (!taken) return;
    await readOne(services, handlers, taken);
  }
}

async function readOne(
  services: Services,
  handlers: ReportHandlers,
  { id, connection, name, content }: { id: string; connection: string; name: string; content: Buffer },
): Promise<void> {
  const { db, clock, log } = services;
  const reporting = reportingBy(services, connection, "file");
  if (!reporting) return;
  const reports: readonly unknown[] = reporting.connection.file?.read(content) ?? [];
  for (let from = 0; from < reports.length; from += reportsAtOnce) {
    const block = reports.slice(from, from + reportsAtOnce);
    await receiveReports(services, handlers, reporting, block, "file");
  }
  const counts = { reports: reports.length, unreadable: reports.filter(isUnreadable).length };
  await db.withSystem((tx) => markFileRead(tx, id, counts, clock.now()));
  log.info({ connection, file: name, ...counts }, "a network file was read");
}

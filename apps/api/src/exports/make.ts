/** The job `make-export`: writes the file as a stream, some rows at a time, and notifies the requester. */
import { Readable } from "node:stream";
import { emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { FileKinds } from "./kind.ts";
import { endExport, findExport, listChosenIds } from "./store.ts";

export const exportsFolder = "exports";

/** Makes the file of an export. A second run makes the file again; only one file is kept. */
export async function makeExport(
  kinds: FileKinds,
  services: Services,
  { companyId, exportId }: { companyId: string; exportId: string },
): Promise<void> {
  const wanted = { id: exportId, kinds: [...kinds.keys()], now: services.clock.now() };
  const found = await services.db.readCompany(companyId, async (tx) => {
    const requested = await findExport(tx, wanted);
    return requested?.state === "making" ? { requested, ids: await listChosenIds(tx, exportId) } : undefined;
  });
  const kind = found && kinds.get(found.requested.kind);
  if (!kind) return;
  // Unique per attempt, because an earlier attempt that counts as dead may still be writing.
  const key = `${exportsFolder}/${companyId}/${exportId}/${uuidv7()}`;
  const written = await kind.write(services, companyId, found.requested, found.ids);
  // One piece at a time: the next is made after the disk has written this one.
  const content = Readable.from(written.pieces, { objectMode: true, highWaterMark: 1 });
  const bytes = await services.files.put(key, content);
  const rows = written.rows();
  const isReady = rows > 0 || !kind.needsRows;
  const isOurs = await services.db.withCompany(companyId, async (tx) => {
    if (!(await endExport(tx, exportId, isReady ? { key, bytes, rows } : "failed"))) return false;
    await emit(
      tx,
      { now: services.clock.now() },
      { type: "export.ended", objectId: exportId, payload: { isReady } },
    );
    return true;
  });
  if (!isOurs || !isReady) await services.files.remove(key);
}

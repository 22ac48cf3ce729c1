/** Housekeeping of exports: files without a job and files past their retention. */
import { hourMs } from "@malote/domain/durations";
import { exportsKept } from "@malote/domain/limits";
import { audit } from "../platform/audit.ts";
import { emit } from "../platform/events/emit.ts";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Services } from "../platform/services.ts";
import type { FileKind, FileKinds } from "./kind.ts";
import { exportsFolder } from "./make.ts";
import {
  deleteExpiredStreamed,
  endExport,
  expireFiles,
  findAbandoned,
  isFileOfExport,
  listCompaniesWithFiles,
} from "./store.ts";

/** Folders that stored files before exports existed. */
const foldersBefore = ["receipts", "reports", "infraction-exports"];

export async function tidyExports(
  kinds: FileKinds,
  services: Pick<Services, "db" | "clock" | "files">,
): Promise<void> {
  const { db, clock, files } = services;
  const now = clock.now();
  for (const companyId of await db.withSystem(listCompaniesWithFiles)) {
    await failAbandoned(kinds, services, companyId, now);
    // The row is updated first: a kill before the removal leaves an unreferenced file, which the next run removes.
    const expired = await db.withCompany(companyId, async (tx) => {
      const rows = await expireFiles(tx, now);
      for (const { id, kind } of rows)
        await audit(tx, { actor: "system", now }, kindOf(kinds, kind).trail.removed, id);
      return rows;
    });
    for (const { file_key } of expired) await files.remove(file_key);
  }
  await db.withSystem((tx) => deleteExpiredStreamed(tx, now));
  for (const folder of [exportsFolder, ...foldersBefore])
    await removeUnnamed(files, folder, (key) => db.withSystem((tx) => isFileOfExport(tx, key)));
}

async function failAbandoned(
  kinds: FileKinds,
  services: Pick<Services, "db">,
  companyId: string,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - exportsKept.makingHours * hourMs);
  await services.db.withCompany(companyId, async (tx) => {
    for (const { id, kind: name } of await findAbandoned(tx, before)) {
      if (!(await endExport(tx, id, "failed"))) continue;
      const kind = kindOf(kinds, name);
      await audit(tx, { actor: "system", now }, kind.trail.givenUp, id);
      await emit(tx, { now }, { type: "export.ended", objectId: id, payload: { isReady: false } });
    }
  });
}

function kindOf(kinds: FileKinds, name: string): FileKind {
  const kind = kinds.get(name);
  if (!kind) throw new Error(`no feature exports the kind ${name}`);
  return kind;
}

/** Progress and download of a requested file. */
import { existsSync } from "node:fs";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import type { FileKind } from "./kind.ts";
import { type Export, findExport } from "./store.ts";

type AboutOne = { params: { id: string }; now: Date };

/** Returns an export of the company, if it is of one of these kinds. */
export async function getExport<Request>(
  tx: Tx,
  kinds: readonly FileKind<Request>[],
  { params, now }: AboutOne,
): Promise<Export<Request>> {
  const names = kinds.map(({ kind }) => kind);
  const found = await findExport<Request>(tx, { id: params.id, kinds: names, now });
  if (!found) throw new AppError("not_found");
  return found;
}

export async function downloadExport<Request>(
  { db, files }: Pick<Services, "db" | "files">,
  call: Pick<Call<never>, "actor" | "reply"> & AboutOne,
  kinds: readonly FileKind<Request>[],
) {
  const { requested, kind, file } = await db.readCompany(call.actor.companyId, async (tx) => {
    const requested = await getExport(tx, kinds, call);
    const kind = kinds.find((one) => one.kind === requested.kind) as FileKind<Request>;
    return { requested, kind, file: await kind.file(tx, requested) };
  });
  if (requested.state === "making") throw new AppError(kind.refusals.making);
  if (requested.state !== "ready" || !requested.file_key || !existsSync(files.pathOf(requested.file_key)))
    throw new AppError(kind.refusals.expired);
  return sendFile(call.reply, {
    ...file,
    bytes: requested.file_bytes,
    content: files.read(requested.file_key),
  });
}

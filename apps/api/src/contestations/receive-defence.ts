/** Parses a defence: a form with the decision, its reasons and at most one file, whose type its bytes decide. */
import { open } from "node:fs/promises";
import type { answerInfraction, downloadInfractionFile } from "@malote/contracts/contestations";
import {
  analyses,
  attachmentHeadBytes,
  attachmentType,
  attachmentTypes,
  refusalOfAttachment,
  refusalOfDefence,
} from "@malote/domain/infraction";
import { attachmentBytesMax } from "@malote/domain/limits";
import { runWithinUploadLimit } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { drainBody } from "../platform/http/drain-body.ts";
import { declaresTooLarge, receiveForm } from "../platform/http/receive-file.ts";
import { sendUntrustedFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { defendInfraction, requireAnswerable } from "./answer.ts";
import { getInfraction, readOne } from "./read.ts";
import { isSigned } from "./signed-file.ts";
import { type Attachment, findInfraction } from "./store.ts";

const broken = () => new AppError("attachment_upload_failed");
const tooLarge = () => new AppError("attachment_too_large");
const tooMany = () => new AppError("attachment_too_many");

type DefenceCall = Call<typeof answerInfraction>;

export async function receiveDefence(services: Services, call: DefenceCall) {
  const { request, reply, actor } = call;
  try {
    // Checked before the form is read, so that no file is accepted for an infraction that cannot be answered.
    await services.db.readCompany(actor.companyId, async (tx) =>
      requireAnswerable(await findInfraction(tx, call.params.id), call.now),
    );
    if (!request.isMultipart()) throw new AppError("unsupported_media_type");
    if (declaresTooLarge(request, attachmentBytesMax)) throw tooLarge();
    return await runWithinUploadLimit(actor.companyId, () => receive(services, call));
  } catch (error) {
    drainBody(request, reply);
    throw error;
  }
}

async function receive(services: Services, call: DefenceCall) {
  const { params, actor, now } = call;
  const { db, files } = services;
  const key = `infractions/${actor.companyId}/${uuidv7(now.getTime())}`;
  try {
    const { fields, file } = await receiveForm(call.request, {
      bytesMax: attachmentBytesMax,
      tooLarge,
      broken,
      tooMany,
      put: (content) => files.put(key, content),
    });
    const attachment = file ? await readAttachment(services, key, file) : null;
    const analysis = analyses.find((known) => known === fields.get("analysis"));
    if (!analysis) throw new AppError("analysis_missing");
    const said = { analysis, description: descriptionOf(fields), attachment };
    return await call.withCode(() =>
      db.withCompany(actor.companyId, async (tx) => {
        const waits = await defendInfraction(tx, services, params.id, said, call);
        const infraction = await readOne(tx, services, params.id, call.now);
        return { ...infraction, ...(waits && { awaits_approval: true }) };
      }),
    );
  } catch (error) {
    // Without a row that names it, the file could never be found again.
    await files.remove(key);
    throw error;
  }
}

/** Normalises line ends: a browser sends others than those that were counted. */
function descriptionOf(fields: ReadonlyMap<string, string>): string {
  const text = (fields.get("analysis_description") ?? "")
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll("\0", "")
    .trim();
  const refusal = refusalOfDefence(text);
  if (refusal) throw new AppError(refusal);
  return text;
}

async function readAttachment(
  { files }: Pick<Services, "files">,
  key: string,
  { fileName, bytes }: { fileName: string; bytes: number },
): Promise<Attachment> {
  const handle = await open(files.pathOf(key));
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(attachmentHeadBytes) });
    const head = buffer.subarray(0, bytesRead);
    const type = attachmentType(head);
    const refusal = refusalOfAttachment(bytes, head);
    if (refusal || !type) throw new AppError(refusal ?? "attachment_wrong_kind");
    return { key, name: namedAs(fileName, attachmentTypes[type]), type, bytes };
  } finally {
    await handle.close();
  }
}

/** Gives the file name an extension that matches its type, because the reader's computer relies on it. */
function namedAs(fileName: string, ending: string): string {
  const isNamedSo = ending === "jpg" ? /\.jpe?g$/i : new RegExp(`\\.${ending}$`, "i");
  return isNamedSo.test(fileName) ? fileName : `${fileName || "anexo"}.${ending}`;
}

export async function sendAttachment(
  { db, files, secrets }: Services,
  { params, query, now, reply }: Call<typeof downloadInfractionFile>,
) {
  const { company: companyId, expires, signature } = query;
  if (!isSigned(secrets, { companyId, infractionId: params.id, expires }, signature))
    throw new AppError("not_found");
  if (expires <= now.getTime()) throw new AppError("attachment_link_over");
  const row = await db.readCompany(companyId, (tx) => getInfraction(tx, params.id));
  if (!row.file_key || !row.file_name || !row.file_type) throw new AppError("attachment_missing");
  return sendUntrustedFile(reply, {
    name: row.file_name,
    type: row.file_type,
    bytes: row.file_bytes,
    content: files.read(row.file_key),
  });
}

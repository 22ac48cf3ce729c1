/**
 * Requests to the directory: stored with the key in the transaction that needs it, sent by a job outside any
 * transaction, and applied once. A request whose answer is lost is repeated under the same id, to which the directory
 * gives the same answer.
 */
import { secondMs } from "@malote/domain/durations";
import { claimKindOf, mayBeMoved } from "@malote/domain/own-pix-key";
import { type Company, readCompany } from "../company/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { DirectoryAnswer, DirectoryRequest } from "../ports/pix-directory.ts";
import {
  findPixKey,
  type KeyOfCompany,
  listKeysRequestedBefore,
  lockPixKey,
  type PixKeyRow,
  type RequestKind,
  writePixKey,
} from "./store.ts";

/** Returns the row with the request in it, and enqueues its job in the same transaction. The caller writes the row. */
export async function withDirectoryRequest(
  tx: Tx,
  { jobs }: Pick<Services, "jobs">,
  row: PixKeyRow,
  ask: RequestKind,
  now: Date,
): Promise<PixKeyRow> {
  const askId = uuidv7(now.getTime());
  await jobs.enqueue(tx, "ask-directory", { companyId: tx.companyId, keyId: row.id });
  return {
    ...row,
    error_code: null,
    updated_at: now,
    ask,
    ask_id: askId,
    asked_at: now,
    // The directory names a claim by the request that opened it, so reports can be matched even before the answer.
    claim_id: ask === "claim" ? askId : row.claim_id,
  };
}

/** Columns of a key without a pending request to the directory. */
export const noRequest = { ask: null, ask_id: null, asked_at: null } as const;

/** Sends a key's pending request and applies the answer; runs as the job `ask-directory`. */
export async function sendDirectoryRequest(
  services: Services,
  { companyId, keyId }: KeyOfCompany,
): Promise<void> {
  const request = await services.db.readCompany(companyId, async (tx) => {
    const row = await findPixKey(tx, keyId);
    return row?.ask ? requestOf(row, await readCompany(tx)) : undefined;
  });
  if (!request) return;
  const answer = await services.directory.ask(request);
  await services.db.withCompany(companyId, async (tx) => {
    const row = await lockPixKey(tx, keyId);
    // The answer was applied already, or a report of the claim made it outdated.
    if (row?.ask_id !== request.id) return;
    const now = services.clock.now();
    const next = { ...row, ...afterAnswer(row, answer, now), ...noRequest };
    await writePixKey(tx, { ...next, updated_at: next.status === row.status ? row.updated_at : now });
    const detail = { request: request.kind, answer: answer.kind, status: next.status };
    await audit(tx, { actor: "system", now }, "pix_key_answered", keyId, detail);
  });
}

function requestOf(row: PixKeyRow, company: Company): DirectoryRequest {
  const { ask, ask_id: id, key, claim_id: claimId } = row;
  if (!ask || !id) throw new Error(`no request is pending about key ${row.id}`);
  const companyId = company.id;
  const owner = { name: company.name, taxId: company.taxId };
  if (ask === "register") return { kind: ask, id, companyId, keyType: row.key_type, key, owner };
  if (key === null) throw new Error(`row ${row.id} has no Pix key to request`);
  if (ask === "remove") return { kind: ask, id, companyId, key };
  if (ask === "claim") {
    const claimKind = claimKindOf(row.status);
    if (!claimKind) throw new Error(`key ${row.id} is claimed in ${row.status}`);
    return { kind: ask, id, companyId, claimKind, key, owner };
  }
  if (!claimId) throw new Error(`key ${row.id} has no claim to answer`);
  return { kind: ask, id, companyId, claimId };
}

/**
 * Returns the changes that an answer makes to the key. The answer `over` is not final: a later report has the claim's
 * outcome.
 */
function afterAnswer(row: PixKeyRow, answer: DirectoryAnswer, now: Date): Partial<PixKeyRow> {
  switch (row.ask) {
    case "register":
      return afterRegistering(row, answer);
    case "remove":
      // The key was claimed a moment before: it is still ours, and the report of the claim will follow.
      if (answer.kind === "claim_open") return { status: "REGISTERED", error_code: "pix_key_claim_open" };
      return answer.kind === "done" ? gone : unexpected(row, answer);
    case "claim": {
      if (answer.kind === "done") return {};
      const status = claimKindOf(row.status) === "CLAIM" ? "WAITING_CLAIM" : "WAITING_PORTABILITY";
      const error_code = answer.kind === "claim_open" ? "pix_key_claim_open" : "pix_key_refused";
      return { status, error_code, updated_at: now };
    }
    case "cancel_claim":
      if (answer.kind === "done" || !isOurs(row)) return {};
      // The claim ended before the cancellation: it counts as under way until a report has its outcome.
      return answer.kind === "over"
        ? { status: row.status === "WAITING_CLAIM" ? "CLAIM_IN_PROGRESS" : "PORTABILITY_IN_PROGRESS" }
        : unexpected(row, answer);
    case "confirm_claim":
      if (answer.kind === "done") return gone;
      return answer.kind === "over" ? { status: "REGISTERED" } : unexpected(row, answer);
    default:
      throw new Error(`no request was sent about key ${row.id}`);
  }
}

/** Returns whether we made the claim; the holder's side keeps its key when it cancels. */
const isOurs = ({ status }: PixKeyRow) => status === "WAITING_CLAIM" || status === "WAITING_PORTABILITY";

const gone = { status: "REMOVED", code_secret: null } as const;

function unexpected(row: PixKeyRow, answer: DirectoryAnswer): never {
  throw new Error(`the directory answers ${answer.kind} to ${row.ask} of key ${row.id}`);
}

function afterRegistering({ key_type: type }: PixKeyRow, answer: DirectoryAnswer): Partial<PixKeyRow> {
  if (answer.kind === "registered")
    return { status: "REGISTERED", key: answer.key, ownership_date: new Date(answer.at) };
  if (answer.kind === "held" && answer.by === "same_owner" && mayBeMoved(type, "PORTABILITY"))
    return { status: "WAITING_PORTABILITY" };
  if (answer.kind === "held" && answer.by === "other_owner")
    return mayBeMoved(type, "CLAIM")
      ? { status: "WAITING_CLAIM" }
      : { status: "ERROR", error_code: "pix_key_other_owner" };
  return { status: "ERROR", error_code: "pix_key_refused" };
}

/**
 * Time after which a job counts as lost. A job that is still running is harmless: the directory answers both alike, and
 * one answer is applied.
 */
const lostAfterMs = 30 * secondMs;

/** Repeats, on schedule, requests whose job was lost. One company's failure does not delay the others. */
export async function repeatDirectoryRequests(services: Services): Promise<void> {
  const before = new Date(services.clock.now().getTime() - lostAfterMs);
  for (const key of await services.db.withSystem((tx) => listKeysRequestedBefore(tx, before))) {
    await sendDirectoryRequest(services, key).catch((error: unknown) =>
      services.log.warn({ err: error, company: key.companyId }, "a request to the Pix directory failed"),
    );
  }
}

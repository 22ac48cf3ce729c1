/** Asking for the receipts of a batch or of a list; the file is made by a job, and told of by e-mail (TRF-064). */
import type { requestReceipts as contract, requestBilletReceipts } from "@malote/contracts/receipts";
import { receiptsKept } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { countInTheMaking } from "../platform/files/asked-files.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { batchExists, countPaid, insertRequest, receiptFiles, type Wanted } from "./store.ts";

const dayMs = 24 * 3_600_000;

export async function request(
  tx: Tx,
  call: Call<typeof contract> | Call<typeof requestBilletReceipts>,
  jobs: Jobs,
) {
  const { body, actor, now } = call;
  if ("batch_id" in body && !(await batchExists(tx, body.batch_id))) throw new AppError("not_found");
  const wanted: Wanted =
    "batch_id" in body ? { batchId: body.batch_id } : { transferIds: [...new Set(body.ids)] };
  const count = await countPaid(tx, wanted);
  if (count === 0) throw new AppError("receipts_none");
  if ((await countInTheMaking(tx, receiptFiles)) >= receiptsKept.atOnceMax) {
    throw new AppError("receipts_at_once", { max: receiptsKept.atOnceMax });
  }
  const id = uuidv7(now.getTime());
  const expiresAt = new Date(now.getTime() + receiptsKept.days * dayMs);
  await insertRequest(tx, { id, wanted, count, userId: actor.id, now, expiresAt });
  await audit(tx, call, "receipts_requested", id, { receipts: count });
  await jobs.enqueue(tx, "make-receipts", { companyId: tx.companyId, requestId: id });
  return { id, receipts_count: count };
}

/** Requests for files that the job makes. */
import { dayMs } from "@malote/domain/durations";
import { exportsKept } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { FileKind } from "./kind.ts";
import { countMaking, insertExport, lockRequests } from "./store.ts";

/** Requester and time of the request. */
export type Requester = Pick<Call<never>, "actor" | "now" | "requestId">;

export async function requestExport<Request>(
  tx: Tx,
  call: Requester,
  jobs: Pick<Jobs, "enqueue">,
  { kind, limit, trail }: FileKind<Request>,
  requested: {
    request: Request;
    /** Ids of the rows, where the request lists them one by one; deleted once the file is made. */
    ids?: readonly string[];
    /** Number of rows, where it is known in advance. */
    rows?: number;
    /** Details for the audit trail. */
    detail: Record<string, unknown>;
  },
): Promise<string> {
  await lockRequests(tx);
  if ((await countMaking(tx, limit.kinds)) >= limit.atOnceMax)
    throw new AppError(limit.refusal, { max: limit.atOnceMax });
  const { actor, now } = call;
  const id = uuidv7(now.getTime());
  const expiresAt = new Date(now.getTime() + exportsKept.days * dayMs);
  const { request, ids, rows, detail } = requested;
  await insertExport(tx, {
    id,
    kind,
    request,
    ids,
    rows,
    requestedBy: actor.id,
    now,
    expiresAt,
    isStreamed: false,
  });
  await audit(tx, call, trail.requested, id, detail);
  await jobs.enqueue(tx, "make-export", { companyId: tx.companyId, exportId: id });
  return id;
}

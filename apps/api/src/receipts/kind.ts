/** Receipts of a batch or a list as one ZIP, drawn some at a time (TRF-064). */
import type * as contracts from "@malote/contracts/receipts";
import { receiptExports } from "@malote/domain/limits";
import { written } from "../emails/index.ts";
import {
  type Export,
  type ExportEmails,
  type FileKind,
  getExport,
  requestExport,
  slicesAfter,
  type WrittenFile,
} from "../exports/index.ts";
import { findBatch, findBatchName } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { plainFileName } from "../platform/files/file-name.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Services } from "../platform/services.ts";
import { readIssuer, type SealedPayment, sealPayment } from "./printed.ts";
import { zipOfReceipts } from "./receipts-process.ts";
import { countPaid, listNextPaid, type PaidRow, type Wanted } from "./store.ts";

interface ReceiptsRequest {
  /** Null when the request lists payments. */
  batchId: string | null;
}

export const receiptsKind: FileKind<ReceiptsRequest> = {
  madeBy: "job",
  kind: "receipts",
  limit: { kinds: ["receipts"], atOnceMax: receiptExports.atOnceMax, refusal: "receipts_at_once" },
  refusals: { making: "receipts_not_ready", expired: "receipts_expired" },
  trail: { requested: "receipts_requested", givenUp: "receipts_given_up", removed: "receipts_removed" },
  // All payments may have been returned after the request.
  needsRows: true,
  async file(tx, requested) {
    const batch = await findNamedBatch(tx, requested);
    const name = plainFileName(`Comprovantes ${batch?.name ?? ""}`, "Comprovantes");
    return { name: `${name}.zip`, type: fileTypes.zip };
  },
  write,
  async email(tx, requested) {
    return emailsOf(requested, await findNamedBatch(tx, requested));
  },
};

type Batch = { id: string; name: string };

async function findNamedBatch(tx: Tx, { request }: Export<ReceiptsRequest>): Promise<Batch | undefined> {
  const id = request.batchId;
  const name = id === null ? undefined : await findBatchName(tx, id);
  return id === null || name === undefined ? undefined : { id, name };
}

export async function requestReceipts(
  tx: Tx,
  call: Call<typeof contracts.requestReceipts> | Call<typeof contracts.requestBoletoReceipts>,
  jobs: Jobs,
) {
  const { body } = call;
  const batchId = "batch_id" in body ? body.batch_id : null;
  if (batchId !== null && !(await findBatch(tx, batchId))) throw new AppError("not_found");
  const ids = "batch_id" in body ? undefined : [...new Set(body.ids)];
  const rows = await countPaid(tx, wantedOf(batchId, ids));
  if (rows === 0) throw new AppError("receipts_none");
  const id = await requestExport(tx, call, jobs, receiptsKind, {
    request: { batchId },
    ...(ids && { ids }),
    rows,
    detail: { receipts: rows },
  });
  return { id, receipts_count: rows };
}

export async function readReceipts(tx: Tx, call: Call<typeof contracts.readReceipts>) {
  const requested = await getExport(tx, [receiptsKind], call);
  return {
    id: requested.id,
    state: requested.state,
    receipts_count: requested.rows_count ?? 0,
    batch: (await findNamedBatch(tx, requested)) ?? null,
    requested_at: requested.created_at.toISOString(),
    expires_at: requested.expires_at.toISOString(),
  };
}

const wantedOf = (batchId: string | null, transferIds: readonly string[] = []): Wanted =>
  batchId === null ? { transferIds } : { batchId };

/** Number of payments in memory at a time. */
const readAtOnce = 200;

async function write(
  services: Services,
  companyId: string,
  { request }: Export<ReceiptsRequest>,
  ids: readonly string[],
): Promise<WrittenFile> {
  const issuer = await services.db.readCompany(companyId, readIssuer);
  const wanted = wantedOf(request.batchId, ids);
  let count = 0;
  async function* payments(): AsyncGenerator<SealedPayment[]> {
    const slices = slicesAfter<PaidRow>((last) =>
      services.db.readCompany(companyId, (tx) => listNextPaid(tx, wanted, last, readAtOnce)),
    );
    for await (const rows of slices) {
      count += rows.length;
      yield rows.map((row) => sealPayment(services, companyId, row));
    }
  }
  return { pieces: zipOfReceipts(issuer, payments()), rows: () => count };
}

function emailsOf(
  { id, request: { batchId }, rows_count, expires_at }: Export<ReceiptsRequest>,
  found: Batch | undefined,
): ExportEmails {
  const batch = found ?? null;
  return {
    ready: written("receiptsReady", { batch, id, rows: rows_count ?? 0, expiresAt: expires_at }),
    failed: written("receiptsFailed", { batch, batchId }),
  };
}

/** The job: draws the receipts of a request into one ZIP, some at a time, and tells who asked. */
import { Readable } from "node:stream";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { emailReceiptsFailed, emailReceiptsReady } from "./emails.ts";
import { type Issuer, readIssuer, type SealedPayment, sealPayment } from "./printed.ts";
import { zipOfReceipts } from "./receipts-thread.ts";
import { endRequest, findRequest, nextPaid, type ReceiptRequest, type Wanted } from "./store.ts";

/** Payments in the memory of this process at a time. */
const readAtOnce = 200;

export async function makeReceipts(
  parts: Parts,
  { companyId, requestId }: { companyId: string; requestId: string },
): Promise<void> {
  const found = await parts.db.withCompany(companyId, async (tx) => {
    const request = await findRequest(tx, requestId);
    return request?.state === "making" ? { request, issuer: await readIssuer(tx) } : undefined;
  });
  if (!found) return;
  // A name of this try alone: one that was thought dead may still be writing.
  const fileKey = `receipts/${companyId}/${requestId}/${uuidv7()}`;
  const made = await writeFile(parts, companyId, found, fileKey);
  const isOurs = await parts.db.withCompany(companyId, async (tx) => {
    // Everything came back since it was asked for.
    const ended = await endRequest(
      tx,
      requestId,
      made.count === 0 ? { state: "failed" } : { state: "ready", fileKey, ...made },
    );
    const request = ended ? await findRequest(tx, requestId) : undefined;
    if (request) await (made.count === 0 ? emailReceiptsFailed : emailReceiptsReady)(tx, parts, request);
    return ended;
  });
  if (!isOurs || made.count === 0) await parts.files.remove(fileKey);
}

async function writeFile(
  parts: Parts,
  companyId: string,
  { request, issuer }: { request: ReceiptRequest; issuer: Issuer },
  fileKey: string,
): Promise<{ count: number; bytes: number }> {
  let count = 0;
  const wanted: Wanted =
    request.batch_id === null ? { transferIds: request.transfer_ids ?? [] } : { batchId: request.batch_id };
  async function* payments(): AsyncGenerator<SealedPayment[]> {
    for (let last: Awaited<ReturnType<typeof nextPaid>>[number] | undefined; ; ) {
      const rows = await parts.db.withCompany(companyId, (tx) => nextPaid(tx, wanted, last, readAtOnce));
      last = rows.at(-1);
      if (!last) return;
      count += rows.length;
      yield rows.map((row) => sealPayment(parts, companyId, row));
    }
  }
  // One piece at a time: the next is drawn when the disk has taken this one.
  const content = Readable.from(zipOfReceipts(issuer, payments()), { objectMode: true, highWaterMark: 1 });
  const bytes = await parts.files.put(fileKey, content);
  return { count, bytes };
}

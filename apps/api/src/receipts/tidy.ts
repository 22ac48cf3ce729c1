/** The clock's housekeeping of receipts that were asked for as a file. */
import { tidyAskedFiles } from "../platform/files/asked-files.ts";
import type { Parts } from "../platform/parts.ts";
import { emailReceiptsFailed } from "./emails.ts";
import { endRequest, findRequest, receiptFiles } from "./store.ts";

export async function tidyReceipts(parts: Parts): Promise<void> {
  await tidyAskedFiles(parts, receiptFiles, async (tx, id) => {
    if (!(await endRequest(tx, id, { state: "failed" }))) return false;
    const request = await findRequest(tx, id);
    if (request) await emailReceiptsFailed(tx, parts, request);
    return true;
  });
}

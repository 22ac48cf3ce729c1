import * as contracts from "@malote/contracts/receipts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { downloadMany, downloadOne, read } from "./download.ts";
import { request } from "./request.ts";

export function receiptRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serveOutside(contracts.downloadReceipt, (call) => downloadOne(parts, call));
  serve(contracts.requestReceipts, (tx, call) => request(tx, call, parts.jobs));
  serve(contracts.requestBilletReceipts, (tx, call) => request(tx, call, parts.jobs));
  serve(contracts.readReceipts, read);
  serveOutside(contracts.downloadReceipts, (call) => downloadMany(parts, call));
}

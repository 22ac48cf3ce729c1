import * as contracts from "@malote/contracts/payins";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { refund } from "./ask-refund.ts";
import { list, listRefunds, read, totals } from "./read.ts";
import * as report from "./report.ts";

export function payinRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listPayins, list);
  serve(contracts.readPayinTotals, totals);
  serve(contracts.readPayin, read);
  serve(contracts.refundPayin, (tx, call) => refund(tx, call, parts));
  serve(contracts.listPayinRefunds, listRefunds);
  serve(contracts.requestPayinReport, report.request);
  serve(contracts.readPayinReport, report.state);
  serveOutside(contracts.downloadPayinReport, (call) => report.download(parts, call));
}

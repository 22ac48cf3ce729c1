import * as contracts from "@malote/contracts/contestations";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { approve } from "./answer.ts";
import { download, readOne, request } from "./export.ts";
import { list, listRefunds, read } from "./read.ts";
import { countPending } from "./store.ts";
import { sendAttachment, takeDefence } from "./take-defence.ts";

export function contestationRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listInfractions, list);
  serve(contracts.readPendingInfractions, async (tx) => ({ quantity: await countPending(tx) }));
  serve(contracts.readInfraction, read);
  serve(contracts.approveInfractions, (tx, call) => approve(tx, parts, call));
  serveOutside(contracts.answerInfraction, (call) => takeDefence(parts, call));
  serve(contracts.listInfractionRefunds, listRefunds);
  serveOutside(contracts.downloadInfractionFile, (call) => sendAttachment(parts, call));
  serve(contracts.exportInfractions, (tx, call) => request(tx, call, parts.jobs));
  serve(contracts.readInfractionExport, readOne);
  serveOutside(contracts.downloadInfractionExport, (call) => download(parts, call));
  serve(contracts.readInfractionTerms, async () => ({ text: parts.config.infractionTerms }));
}

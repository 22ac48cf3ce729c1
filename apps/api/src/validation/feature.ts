import * as contracts from "@malote/contracts/validation";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { askDirectory, create } from "./create.ts";
import { downloadBankReceipt, downloadReceipt, list, read } from "./read.ts";

export function validationRoutes({ serve, serveAsking, serveOutside }: Serve, parts: Parts): void {
  serveAsking(
    contracts.createValidation,
    (call) => askDirectory(parts, call),
    (tx, call, key) => create(tx, call, key, parts.jobs),
  );
  serve(contracts.listValidations, list);
  serve(contracts.readValidation, read);
  serveOutside(contracts.downloadValidationReceipt, (call) =>
    call.inLine(() => downloadReceipt(parts, call)),
  );
  serveOutside(contracts.downloadValidationBankReceipt, (call) =>
    call.inLine(() => downloadBankReceipt(parts, call)),
  );
}

export const feature: Feature = { routes: validationRoutes };

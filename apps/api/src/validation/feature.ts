import * as contracts from "@malote/contracts/validation";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { askDirectory, createValidation } from "./create.ts";
import { downloadBankReceipt, downloadReceipt, listValidations, readValidation } from "./read.ts";

export function validationRoutes({ serve, serveAsking, serveOutside }: Serve, services: Services): void {
  serveAsking(
    contracts.createValidation,
    (call) => askDirectory(services, call),
    (tx, call, key) => createValidation(tx, call, key, services.jobs),
  );
  serve(contracts.listValidations, listValidations);
  serve(contracts.readValidation, readValidation);
  serveOutside(contracts.downloadValidationReceipt, { queue: "company" }, (call) =>
    downloadReceipt(services, call),
  );
  serveOutside(contracts.downloadValidationBankReceipt, { queue: "company" }, (call) =>
    downloadBankReceipt(services, call),
  );
}

export const validationFeature: Feature = { routes: validationRoutes };

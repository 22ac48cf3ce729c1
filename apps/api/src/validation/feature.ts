import * as contracts from "@malote/contracts/validation";
import { hasApplication } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { createValidation, findKeyFacts } from "./create.ts";
import { downloadBankReceipt, downloadReceipt, listValidations, readValidation } from "./read.ts";

export function validationRoutes({ serve, serveWithFacts, serveOutside }: Serve, services: Services): void {
  serveWithFacts(
    contracts.createValidation,
    (call) => findKeyFacts(services, call),
    (tx, call, key) => createValidation(tx, call, key, services.jobs),
  );
  serve(contracts.validateDraftAccount, async (tx, call) => {
    await requireBothApplications(tx, call.actor);
    return createValidation(tx, call, undefined, services.jobs);
  });
  serve(contracts.readDraftAccountValidation, async (tx, call) => {
    await requireBothApplications(tx, call.actor);
    return readValidation(tx, call);
  });
  serve(contracts.listValidations, listValidations);
  serve(contracts.readValidation, readValidation);
  serveOutside(contracts.downloadValidationReceipt, { queue: "company" }, (call) =>
    downloadReceipt(services, call),
  );
  serveOutside(contracts.downloadValidationBankReceipt, { queue: "company" }, (call) =>
    downloadBankReceipt(services, call),
  );
}

/** Throws without access to ContaCerta: the token belongs to payments, so the policy of the call does not check it. */
async function requireBothApplications(tx: Tx, { id }: Actor): Promise<void> {
  if (!(await hasApplication(tx, id, "validation"))) throw new AppError("forbidden");
}

export const validationFeature: Feature = { routes: validationRoutes };

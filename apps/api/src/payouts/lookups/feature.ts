import * as contracts from "@malote/contracts/lookups";
import { lookupFindingText } from "@malote/domain/lookup-findings";
import { AppError } from "../../platform/app-error.ts";
import { realTime } from "../../platform/auth/real-time.ts";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { beginTry } from "../../session/index.ts";
import { getBatch } from "../batches/read.ts";
import { paymentsOf } from "../checks/store.ts";
import { lookUp } from "./ask-boletos.ts";
import { lookUpCode } from "./ask-codes.ts";
import { lookUpKey } from "./ask-keys.ts";
import { lookupFindings } from "./findings.ts";
import { lookUpDraft, lookUpOldDrafts } from "./look-up-draft.ts";

/**
 * One person uses up no more than their own share: the directory's guard bounds the company as a whole, and each dynamic code is
 * a call to somebody else's server.
 */
async function expectFewLookups(
  { db, clock }: Pick<Services, "db" | "clock">,
  { actor, request }: Pick<Call<typeof contracts.lookUpPixKey>, "actor" | "request">,
): Promise<void> {
  try {
    await beginTry(db, actor.id, request.ip, realTime(clock).now(), "look-up");
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_tries")
      throw new AppError("too_many_lookups", error.data);
    throw error;
  }
}

function lookupRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.lookUpPixKey, async (call) => {
    await expectFewLookups(services, call);
    return lookUpKey(services, call);
  });
  serveOutside(contracts.lookUpPixCode, async (call) => {
    await expectFewLookups(services, call);
    return lookUpCode(services, call);
  });
  serveOutside(contracts.lookUpBillet, async (call) => {
    await expectFewLookups(services, call);
    return lookUp(services, call);
  });
  serve(contracts.listLookupFindings, async (tx, { params, now }) => {
    const batch = await getBatch(tx, params.id);
    const findings = await lookupFindings(tx, paymentsOf(tx, batch.id).rows, now);
    return {
      data: findings.map((finding) => ({
        payment_id: finding.paymentId,
        code: finding.code,
        text: lookupFindingText(finding),
      })),
    };
  });
}

declare module "../../platform/jobs/jobs.ts" {
  interface JobData {
    "ask-lookups": { companyId: string; batchId: string };
  }
}

export const feature: Feature = {
  routes: lookupRoutes,
  // Asks about whom a draft pays. What stays unknown is shown as unknown.
  jobs: { "ask-lookups": { atOnce: 1, tries: 5, restSecondsMax: 30, run: lookUpDraft } },
  schedules: [{ name: "looking up old drafts again", everyMs: 10_000, run: lookUpOldDrafts }],
};

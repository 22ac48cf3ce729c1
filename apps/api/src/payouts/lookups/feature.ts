import * as contracts from "@malote/contracts/lookups";
import { AppError } from "../../platform/app-error.ts";
import { realTime } from "../../platform/auth/real-time.ts";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { beginTry } from "../../session/index.ts";
import { lookUp } from "./ask-boletos.ts";
import { lookUpCode } from "./ask-codes.ts";
import { lookUpKey } from "./ask-keys.ts";

/**
 * Throws when a person uses up more than their own share: the directory's protection bounds the company as a whole, and
 * each dynamic code is a call to another institution's server.
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

function lookupRoutes({ serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.lookUpPixKey, { queue: "none" }, async (call) => {
    await expectFewLookups(services, call);
    return lookUpKey(services, call);
  });
  serveOutside(contracts.lookUpPixCode, { queue: "none" }, async (call) => {
    await expectFewLookups(services, call);
    return lookUpCode(services, call);
  });
  serveOutside(contracts.lookUpBillet, { queue: "none" }, async (call) => {
    await expectFewLookups(services, call);
    return lookUp(services, call);
  });
}

export const lookupsFeature: Feature = { routes: lookupRoutes };

import * as contracts from "@malote/contracts/lookups";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { countUse } from "../../session/index.ts";
import { lookUp } from "./ask-boletos.ts";
import { lookUpCode } from "./ask-codes.ts";
import { lookUpKey } from "./ask-keys.ts";

/** Each has a share of its own: the directory bounds the company, and a dynamic code calls another institution's server. */
const requireFewLookups = (services: Services, call: Parameters<typeof countUse>[1]) =>
  countUse(services, call, "look-up", "too_many_lookups");

function lookupRoutes({ serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.lookUpPixKey, { queue: "none" }, async (call) => {
    await requireFewLookups(services, call);
    return lookUpKey(services, call);
  });
  serveOutside(contracts.lookUpPixCode, { queue: "none" }, async (call) => {
    await requireFewLookups(services, call);
    return lookUpCode(services, call);
  });
  serveOutside(contracts.lookUpBoleto, { queue: "none" }, async (call) => {
    await requireFewLookups(services, call);
    return lookUp(services, call);
  });
}

export const lookupsFeature: Feature = { routes: lookupRoutes };

import * as contracts from "@malote/contracts/checkout";
import { sendLogo } from "../company/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { openLink, readCheckout } from "./open.ts";
import { payCheckout, readOwnCharge } from "./pay.ts";

export function checkoutRoutes({ serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.readCheckout, { queue: "none" }, async ({ params, request, now }) => {
    const open = await openLink(services, params.token, request.ip);
    return services.db.readCompany(open.companyId, (tx) => readCheckout(tx, open, now));
  });

  serveOutside(contracts.readCheckoutLogo, { queue: "none" }, async ({ params, request, reply }) => {
    const { companyId } = await openLink(services, params.token, request.ip);
    return sendLogo(services, companyId, reply);
  });

  serveOutside(contracts.payCheckout, { queue: "none" }, (call) => payCheckout(services, call));
  serveOutside(contracts.readCheckoutCharge, { queue: "none" }, (call) => readOwnCharge(services, call));
}

export const checkoutFeature: Feature = { routes: checkoutRoutes };

import * as contracts from "@malote/contracts/checkout";
import { sendLogo } from "../company/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { openLink, readCheckout } from "./open.ts";
import { pay, readOwnCharge } from "./pay.ts";

export function checkoutRoutes({ serveOutside }: Serve, parts: Parts): void {
  serveOutside(contracts.readCheckout, async ({ params, request, now }) => {
    const open = await openLink(parts, params.token, request.ip);
    return parts.db.readCompany(open.companyId, (tx) => readCheckout(tx, open, now));
  });

  serveOutside(contracts.readCheckoutLogo, async ({ params, request, reply }) => {
    const { companyId } = await openLink(parts, params.token, request.ip);
    return sendLogo(parts, companyId, reply);
  });

  serveOutside(contracts.payCheckout, (call) => pay(parts, call));
  serveOutside(contracts.readCheckoutCharge, (call) => readOwnCharge(parts, call));
}

export const feature: Feature = { routes: checkoutRoutes };

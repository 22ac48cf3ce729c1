import * as contracts from "@malote/contracts/payment-links";
import { readCompany } from "../company/index.ts";
import { hasPendingSale, listLinks, lockLink, markLinkRemoved } from "../payins/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Feature } from "../platform/feature.ts";
import { originOf } from "../platform/http/brand.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { createPaymentLink } from "./create.ts";
import { linkOf } from "./present.ts";

export function paymentLinkRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listPaymentLinks, async (tx, { query, now }) => {
    const [{ brand }, { rows, count }] = await Promise.all([
      readCompany(tx),
      listLinks(tx, query.page, query.page_size),
    ]);
    const address = originOf(services.config, brand);
    return {
      items: rows.map((row) => linkOf(row, address, now)),
      metadata: { pagination: { itemsPerPage: query.page_size, totalItems: count } },
    };
  });

  serve(contracts.createPaymentLink, (tx, call) => createPaymentLink(tx, call, services));

  serve(contracts.removePaymentLink, async (tx, call) => {
    const { params, now } = call;
    const link = await lockLink(tx, params.id);
    if (!link) throw new AppError("not_found");
    // LNK-009: a paid link cannot be deleted.
    if (link.is_paid) throw new AppError("payment_link_paid");
    // An authorised sale is not cancelled with the link, so the acquirer's answer comes first.
    if (await hasPendingSale(tx, link.id, null)) throw new AppError("payment_link_being_paid");
    await markLinkRemoved(tx, link.id, now);
    // Charges of the deleted link must not be paid any more.
    await services.jobs.enqueue(tx, "cancel-charges", { companyId: tx.companyId, paymentLinkId: link.id });
    await audit(tx, call, "payment_link_removed", link.id, { name: link.name, amount: link.amount });
    return { ok: true as const };
  });
}

export const paymentLinksFeature: Feature = { routes: paymentLinkRoutes };

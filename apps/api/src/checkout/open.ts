/** A link as the payer sees it, found by its address alone. */
import type { Checkout } from "@malote/contracts/checkout";
import { endOfLink, type LinkMethod } from "@malote/domain/payment-link";
import { chargeFunctionOf, isSuspended } from "@malote/domain/suspended-functions";
import { readCompany, readCompanyData } from "../company/index.ts";
import { findLink, findLinkByToken, type LinkRow } from "../payins/index.ts";
import { statusAt } from "../payment-links/index.ts";
import { AppError } from "../platform/app-error.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { beginTry } from "../session/index.ts";

const tokenPattern = /^[\w-]{22}$/;

export interface OpenLink {
  companyId: string;
  id: string;
}

/** Opens a link. A token that opens none counts as a failed try, so that tokens cannot be guessed in bulk. */
export async function openLink(
  { db, clock }: Pick<Services, "db" | "clock">,
  token: string,
  address: string,
): Promise<OpenLink> {
  const link = tokenPattern.test(token) ? await findLinkByToken(db, token) : undefined;
  if (link) return link;
  await beginTry(db, token.toWellFormed(), address, realTime(clock).now(), "checkout-token");
  throw new AppError("checkout_not_found");
}

/** Returns the row of an open link, which may have been deleted a moment ago. */
export async function getLink(tx: Tx, { id }: OpenLink): Promise<LinkRow> {
  const link = await findLink(tx, id);
  if (!link || link.removed) throw new AppError("checkout_not_found");
  return link;
}

/**
 * Returns the methods on offer. LNK-018 applies on the day of the payment too: a method that the company no longer has,
 * or that is suspended, is left out.
 */
export async function readMethodsOffered(tx: Tx, link: LinkRow): Promise<LinkMethod[]> {
  const { settings, permissions } = await readCompany(tx);
  const has: Record<LinkMethod, boolean> = {
    pix: true,
    boleto: settings.hasBoletoCharge,
    credit_card: settings.hasCardCharge,
  };
  return link.payment_methods.filter(
    (method) => has[method] && !isSuspended(permissions, chargeFunctionOf[method]),
  );
}

export async function readCheckout(tx: Tx, open: OpenLink, now: Date): Promise<Checkout> {
  const link = await getLink(tx, open);
  const { name, logo } = await readCompanyData(tx);
  return {
    company: { name, has_logo: logo !== null },
    name: link.name,
    description: link.description,
    amount: link.amount,
    expires_at: endOfLink(link.expires_on).toISOString(),
    status: statusAt(link, now),
    payment_methods: await readMethodsOffered(tx, link),
    max_installments: link.max_installments ?? 1,
  };
}

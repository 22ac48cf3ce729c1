/** Closes the months that are over: once per company and month, whoever else tries (decision 0017). */
import { invoiceDueDate, monthAfter, monthStillOpen } from "@malote/domain/invoice";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { companiesBehind, insertInvoice, lockAccount, moveAccount } from "./store.ts";

export function companiesToCharge({ db, clock }: Pick<Parts, "db" | "clock">): Promise<string[]> {
  return db.withSystem((tx) => companiesBehind(tx, monthStillOpen(clock.now())));
}

export async function closeMonths(
  { db, clock, config }: Pick<Parts, "db" | "clock" | "config">,
  { companyId }: { companyId: string },
): Promise<void> {
  await db.withCompany(companyId, (tx) => closeInside(tx, clock.now(), config.paymentPriceCents));
}

async function closeInside(tx: Tx, now: Date, price: number | undefined): Promise<void> {
  const openMonth = monthStillOpen(now);
  const account = await lockAccount(tx, openMonth);
  if (account.closed_until >= openMonth) return;
  if (price === undefined) {
    // Months that went by without a price are charged by nobody, also not later.
    await moveAccount(tx, { charged_since: openMonth, closed_until: openMonth });
    return;
  }
  for (let month = account.closed_until; month < openMonth; month = monthAfter(month)) {
    const id = uuidv7(now.getTime());
    const dueDate = invoiceDueDate(month);
    const chargedSince = account.charged_since;
    const invoice = await insertInvoice(tx, { id, month, chargedSince, price, dueDate, now });
    if (invoice)
      await audit(tx, { actor: "system", now }, "invoice_closed", id, { month, dueDate, ...invoice });
  }
  await moveAccount(tx, { ...account, closed_until: openMonth });
}

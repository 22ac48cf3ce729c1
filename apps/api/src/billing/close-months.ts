/** Closes past months: once per company and month, even with several workers (decision 0017). */
import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { invoiceDueDate, monthAfter, monthOf, monthStillOpen } from "@malote/domain/invoice";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import {
  type BillingAccount,
  insertInvoice,
  listCompaniesBehind,
  lockAccount,
  moveAccount,
  readOwnPrice,
} from "./store.ts";

export function listCompaniesToCharge({
  db,
  clock,
  config,
}: Pick<Services, "db" | "clock" | "config">): Promise<string[]> {
  const hasPrice = config.paymentPriceCents !== undefined;
  return db.withSystem((tx) => listCompaniesBehind(tx, monthStillOpen(clock.now()), hasPrice));
}

export async function closeMonths(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  { companyId }: { companyId: string },
): Promise<void> {
  await db.withCompany(companyId, (tx) => closeInside(tx, clock.now(), config.paymentPriceCents));
}

async function closeInside(tx: Tx, now: Date, priceOfAll: number | undefined): Promise<void> {
  const price = await readOwnPrice(tx, priceOfAll);
  const openMonth = monthStillOpen(now);
  const account = await lockAccount(tx, openMonth);
  if (price === undefined) {
    await moveAccount(tx, startAt(account, openMonth, false));
    return;
  }
  if (!account.has_price) {
    // The price begins in this calendar month, in whose first hours the previous month may still be open.
    await moveAccount(tx, startAt(account, monthOf(saoPauloDate(now)), true));
    return;
  }
  if (account.closed_until >= openMonth) return;
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

/** Starts charging with this month: earlier months had no price and are never charged, even later. */
const startAt = (
  { closed_until }: BillingAccount,
  month: CalendarDate,
  has_price: boolean,
): BillingAccount => ({
  charged_since: month,
  closed_until: closed_until > month ? closed_until : month,
  has_price,
});

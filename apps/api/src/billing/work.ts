/** Invoices to pay, for the home page. */
import { readPayRequest } from "@malote/contracts/billing";
import { addDays, parseDate, startOfDay } from "@malote/domain/calendar";
import { isLate } from "@malote/domain/invoice";
import type { WorkSource } from "../home/index.ts";
import { countToPay, readUnpaid } from "./read.ts";

export const invoiceWork: WorkSource = {
  policy: readPayRequest.policy,
  async list(tx, { now }) {
    const invoices = await readUnpaid(tx, now);
    return invoices.map((invoice) => {
      const due = parseDate(invoice.due_date);
      if (!due) throw new Error(`invoice ${invoice.id} is due on ${invoice.due_date}`);
      return {
        kind: "pay_invoice" as const,
        // An invoice is paid in time until the end of its due date.
        due_at: startOfDay(addDays(due, 1)).toISOString(),
        id: invoice.id,
        month: invoice.billing_period_start,
        total: invoice.total,
        is_late: isLate(invoice.status),
      };
    });
  },
  count: countToPay,
};

/**
 * Hands due payments to the network, in blocks. The ids are stored before the call and the call is outside any
 * transaction; if nobody knows how it ended, the network is asked before anything is sent again.
 */
import { provider } from "@malote/domain/banks";
import { locationOf } from "@malote/domain/pix-charge";
import { pixDescriptionText } from "@malote/domain/pix-description";
import { readCompany } from "../company/index.ts";
import { passing } from "../platform/fail-points.ts";
import { paymentsSent } from "../platform/http/metrics.ts";
import type { Parts } from "../platform/parts.ts";
import type { PaymentOrder } from "../ports/rails.ts";
import { type ClaimedPayment, claimDue, claimOrphans, markSent, orphanAfterMs } from "./store.ts";

/** Payments handed over in one call. */
const blockSize = 500;

type Company = Awaited<ReturnType<typeof readCompany>>;

/** E, our ISPB and the minute in UTC: the start of every id made in this minute. */
const idStart = (now: Date) => `E${provider.ispb}${now.toISOString().slice(0, 16).replace(/\D/g, "")}`;

function orderOf(company: Company, companyId: string, transfer: ClaimedPayment): PaymentOrder {
  return {
    endToEndId: transfer.end_to_end_id,
    companyId,
    method: transfer.payment_method,
    value: transfer.value,
    payer: {
      name: company.name,
      taxId: company.taxId,
      agency: company.agency,
      account: company.account,
      accountDigit: company.accountDigit,
    },
    receiver: {
      name: transfer.name,
      taxId: transfer.tax_id,
      bankIspb: transfer.bank_ispb,
      agency: transfer.agency,
      account: transfer.account,
      accountDigit: transfer.account_digit,
      accountType: transfer.account_type,
      pixKeyType: transfer.pix_key_type,
      pixKey: transfer.pix_key,
      pixKeyTaxId: transfer.pix_key_validation,
    },
    boleto: transfer.barcode === null ? null : { barcode: transfer.barcode, dueDate: transfer.due_date },
    code:
      transfer.emv === null
        ? null
        : { location: locationOf(transfer.emv), txid: transfer.emv_data?.txid ?? null },
    description: transfer.pix_description ? (pixDescriptionText(transfer.pix_description) ?? null) : null,
  };
}

async function handOver(
  parts: Parts,
  companyId: string,
  company: Company,
  transfers: readonly ClaimedPayment[],
) {
  passing("before-rail-call");
  await parts.rails.send(transfers.map((transfer) => orderOf(company, companyId, transfer)));
  passing("after-rail-call");
  const ids = transfers.map((transfer) => transfer.end_to_end_id);
  await parts.db.withCompany(companyId, (tx) => markSent(tx, ids, parts.clock.now()));
  for (const transfer of transfers) paymentsSent.inc({ method: transfer.payment_method });
}

/** The job `send-payments`, and what the clock calls for: everything of the company that is due and not under way. */
export async function sendDuePayments(parts: Parts, { companyId }: { companyId: string }): Promise<void> {
  for (;;) {
    const now = parts.clock.now();
    const { company, orphans, due } = await parts.db.withCompany(companyId, async (tx) => {
      const orphans = await claimOrphans(tx, now, new Date(now.getTime() - orphanAfterMs), blockSize);
      const due = orphans.length > 0 ? [] : await claimDue(tx, now, idStart(now), blockSize);
      return { company: await readCompany(tx), orphans, due };
    });
    if (orphans.length > 0) {
      const ids = orphans.map((transfer) => transfer.end_to_end_id);
      const known = await parts.rails.find(ids);
      await parts.db.withCompany(companyId, (tx) =>
        markSent(
          tx,
          ids.filter((id) => known.has(id)),
          parts.clock.now(),
        ),
      );
      const unknown = orphans.filter((transfer) => !known.has(transfer.end_to_end_id));
      if (unknown.length > 0) await handOver(parts, companyId, company, unknown);
    } else if (due.length > 0) {
      await handOver(parts, companyId, company, due);
    } else {
      return;
    }
  }
}

/** Receives a Pix to one of the company's keys: posts it once per end-to-end id, then offers it to waiting batches. */
import { sql } from "kysely";
import { listCompaniesPayableBy } from "../pix-keys/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { isUniqueViolation } from "../platform/db/unique-violation.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PixReceived } from "../ports/rails.ts";
import { receiveUnrequested } from "./money.ts";

/** Returns the company that holds the paid key of an unknown Pix; the key may move to another company afterwards. */
export async function findCompanyOfDeposit(tx: AnyTx, event: PixReceived): Promise<string> {
  const [holder, ...others] = await listCompaniesPayableBy(tx, event.pixKey);
  // The directory gives a key one holder; with two here, either choice could pay the wrong company.
  if (others.length > 0) throw new Error("two companies hold the same Pix key");
  // The network sends only Pix for keys of this installation: a person has to investigate.
  if (!holder) throw new Error(`event ${event.id} names a Pix key that no company holds`);
  return holder;
}

/** SQL of the companies, among all, that received a Pix. */
export const sqlCompaniesThatReceived = (endToEndId: string) =>
  sql`SELECT company_id FROM received_payments WHERE cause = 'pix:' || ${endToEndId}`;

/**
 * Returns whether the database refused a payment because another company received it; the transaction can only roll
 * back.
 */
export const isReceivedElsewhere = (error: unknown): boolean =>
  isUniqueViolation(error) && (error as { constraint?: string }).constraint === "received_payments_once";

/**
 * Posts a deposit. Returns the contradiction with the rows here, for a person to review, or undefined. When it throws,
 * the handler stores and counts the event as a dead letter and retries it.
 */
export async function receiveDeposit(
  tx: Tx,
  { clock, jobs }: Pick<Services, "clock" | "jobs">,
  event: PixReceived,
): Promise<string | undefined> {
  const { payer, txid, message } = event;
  const { contradiction } = await receiveUnrequested(
    tx,
    jobs,
    {
      channel: "pix",
      paymentId: event.endToEndId,
      value: event.value,
      at: event.at,
      payer: {
        name: payer.name,
        bank: payer.bank,
        agency: payer.agency,
        account: payer.account,
        account_digit: payer.accountDigit,
        account_type: payer.accountType,
        document: payer.document,
      },
      message,
    },
    {
      id: uuidv7(clock.now().getTime()),
      payment_type: txid ? "pix_static_qrcode" : "pix_key",
      txid: txid ?? null,
      details: { pix_key: event.pixKey, ...(message && { message }) },
    },
    clock.now(),
  );
  return contradiction;
}

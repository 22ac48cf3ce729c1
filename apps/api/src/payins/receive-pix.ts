/** A Pix to one of the company's keys: posted once for each end-to-end id, and then offered to the batches that wait for it. */
import { companiesPayableBy } from "../pix-keys/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { isUniqueViolation } from "../platform/db/unique-violation.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PixReceived } from "../ports/rails.ts";
import { receiveUnrequested } from "./money.ts";

/** Whose key was paid, for an unknown Pix: a key may move to another company afterwards. */
export async function companyOfDeposit(tx: AnyTx, event: PixReceived): Promise<string> {
  const [holder, ...others] = await companiesPayableBy(tx, event.pixKey);
  // The directory gives a key one holder; with two here, the money would be given to a guess.
  if (others.length > 0) throw new Error("a Pix key that two companies claim to hold");
  // The network sends only what is ours: a person has to investigate.
  if (!holder) throw new Error(`a Pix for a key that nobody here holds (event ${event.id})`);
  return holder;
}

/** Whether the database refused a payment because another company received it: the transaction can then only end. */
export const isReceivedElsewhere = (error: unknown): boolean =>
  isUniqueViolation(error) && (error as { constraint?: string }).constraint === "received_payments_once";

/**
 * Answers what contradicts the rows here, for a person to review. A deposit that cannot be posted becomes a dead
 * letter of its handler, counted there, and retried.
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
      way: "pix",
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

/** A Pix to one of the company's keys: posted once for each end-to-end id, and then offered to the batches that wait for it. */
import { companiesPayableBy } from "../pix-keys/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PixReceived } from "../ports/rails.ts";
import { receiveUnasked } from "./money.ts";

async function companyOfKey(parts: Parts, key: string): Promise<string | undefined> {
  const holders = await parts.db.withSystem((tx) => companiesPayableBy(tx, key));
  // The directory gives a key one holder; two here would be a guess about somebody's money.
  if (holders.length > 1) throw new Error("a Pix key that two companies claim to hold");
  return holders[0];
}

/** `isNew` keeps the event in the inbox of its company. One that cannot be posted is kept as a dead letter by whoever receives it, counted there, and tried again. */
export async function receiveDeposit(
  parts: Parts,
  event: PixReceived,
  isNew: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const companyId = await companyOfKey(parts, event.pixKey);
  // The network only sends what is ours: somebody has to look.
  if (!companyId) throw new Error(`a Pix for a key that nobody here holds (event ${event.id})`);
  const { payer, txid, message } = event;
  const arrival = { way: "pix" as const, paymentId: event.endToEndId, value: event.value, at: event.at };
  await parts.db.withCompany(companyId, async (tx) => {
    if (!(await isNew(tx))) return;
    await receiveUnasked(
      tx,
      parts.jobs,
      {
        ...arrival,
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
        id: uuidv7(parts.clock.now().getTime()),
        payment_type: txid ? "pix_static_qrcode" : "pix_key",
        txid: txid ?? null,
        details: { pix_key: event.pixKey, ...(message && { message }) },
      },
      parts.clock.now(),
    );
  });
}

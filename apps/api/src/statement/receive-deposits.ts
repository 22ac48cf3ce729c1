/** Money from outside: posted once for each Pix, and then offered to the batches that wait for it. */
import { sql } from "kysely";
import { post } from "../ledger/index.ts";
import type { Parts } from "../platform/parts.ts";
import type { RailEvent } from "../rails/port.ts";

type PixReceived = Extract<RailEvent, { kind: "pix_received" }>;

async function companyOfKey(parts: Parts, key: string): Promise<string | undefined> {
  const { rows } = await parts.db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT company_id FROM pix_keys WHERE key = ${key} AND status = 'REGISTERED'
    `.execute(tx),
  );
  // The directory gives a key one holder; two here would be a guess about somebody's money.
  if (rows.length > 1) throw new Error("a Pix key that two companies claim to hold");
  return rows[0]?.company_id;
}

/** One that cannot be posted is told and does not hold up the others; the network delivers it again. */
export async function receiveDeposits(parts: Parts, events: readonly PixReceived[]): Promise<void> {
  const failures: Error[] = [];
  for (const event of events) {
    await receiveDeposit(parts, event).catch((error: Error) => void failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
}

async function receiveDeposit(parts: Parts, event: PixReceived): Promise<void> {
  const companyId = await companyOfKey(parts, event.pixKey);
  // The network only sends what is ours. Refusing makes it deliver again, and the log says why.
  if (!companyId) throw new Error(`a Pix for a key that nobody here holds (event ${event.id})`);
  await parts.db.withCompany(companyId, async (tx) => {
    const { payer } = event;
    const posted = await post(tx, parts.clock.now(), [
      {
        type: "DEPOSIT",
        cause: `pix:${event.endToEndId}`,
        from: "pix_in",
        to: "available",
        amount: event.value,
        description: `Pix recebido de ${payer.name}`,
        complement: {
          timestamp: event.at,
          bank: payer.bank,
          isTed: false,
          isPix: true,
          end_to_end_id: event.endToEndId,
          payer: {
            name: payer.name,
            bank: payer.bank,
            agency: payer.agency,
            account: payer.account,
            account_digit: payer.accountDigit,
            account_type: payer.accountType,
            document: payer.document,
          },
          ...(event.message && { message: event.message }),
        },
      },
    ]);
    if (!posted) throw new Error("money coming in cannot fall short");
    await parts.jobs.enqueue(tx, "pay-waiting-batches", { companyId });
  });
}

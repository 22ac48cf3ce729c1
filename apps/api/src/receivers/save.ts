/**
 * Saves a receiver that a person entered, under the rules of a payment, so that every saved receiver can be paid
 * (RCV-011).
 */
import type * as contracts from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { auditChanges } from "@malote/domain/audit-trail";
import { checkDestination, type Destination, normaliseDestination } from "@malote/domain/transfer";
import { destinationFrom, invalidateFindings, readTransferFacts } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { changedInput, receiverOf } from "./present.ts";
import { findReceiver, insertReceiver, lockReceiver, type ReceiverRow, updateReceiver } from "./store.ts";

const written = (input: DestinationInput): Destination => normaliseDestination(destinationFrom(input));

async function requireValid(tx: Tx, destination: Destination, now: Date): Promise<Destination> {
  const { errors } = checkDestination(destination, await readTransferFacts(tx, now));
  if (errors.length > 0) throw new AppError("receiver_invalid", { errors });
  return destination;
}

/**
 * Adds a receiver. A repeated id returns the receiver that it made first, and is refused with other content, so a
 * repeated call adds no second receiver.
 */
export async function createReceiver(
  tx: Tx,
  call: Call<typeof contracts.createReceiver>,
): Promise<contracts.Receiver> {
  const { body, now } = call;
  const id = body.id ?? uuidv7(now.getTime());
  const wanted = written(body);
  const before = await findReceiver(tx, id);
  if (!before && (await insertReceiver(tx, id, await requireValid(tx, wanted, now), now))) {
    await invalidateFindings(tx, now);
    await audit(tx, call, "receiver_created", id);
  }
  const row = before ?? (await findReceiver(tx, id));
  if (!row) throw new AppError("receiver_exists");
  if (!isSame(row, wanted)) throw new AppError("idempotency_key_reused");
  return receiverOf(row, { whole: true });
}

function isSame(row: ReceiverRow, to: Destination): boolean {
  return (
    row.name === to.name &&
    row.tax_id === to.taxId &&
    row.email === to.email &&
    row.bank_ispb === to.bankIspb &&
    row.agency === to.agency &&
    row.agency_digit === to.agencyDigit &&
    row.account === to.account &&
    row.account_digit === to.accountDigit &&
    row.account_type === to.accountType &&
    row.pix_key_type === to.pixKeyType &&
    row.pix_key === to.pixKey
  );
}

export async function changeReceiver(
  tx: Tx,
  call: Call<typeof contracts.changeReceiver>,
): Promise<contracts.Receiver> {
  const { params, body, now } = call;
  const before = await lockReceiver(tx, params.id);
  if (!before) throw new AppError("not_found");
  const destination = await requireValid(tx, written(changedInput(before, body)), now);
  if (!(await updateReceiver(tx, before.id, destination))) throw new AppError("receiver_exists");
  const after = await findReceiver(tx, before.id);
  if (!after) throw new Error(`receiver ${before.id} disappeared while it was locked`);
  await invalidateFindings(tx, now);
  await audit(tx, call, "receiver_changed", before.id, {
    changes: auditChanges(savedOf(before), savedOf(after)),
  });
  return receiverOf(after, { whole: true });
}

/** Returns the fields that a person entered. */
function savedOf(row: ReceiverRow) {
  const { id: _, status: __, status_description: ___, paid_at: ____, paid_value: _____, ...saved } = row;
  return saved;
}

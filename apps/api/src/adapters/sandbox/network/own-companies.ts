/** Payments between companies of this installation: an order by key or account creates an incoming payment here. */
import { ownInstitution } from "@malote/domain/own-institution";
import { listHeldAccounts } from "../../../company/index.ts";
import type { AnyTx, Database } from "../../../platform/db/database.ts";
import type { PaymentOrder, RailEvent } from "../../../ports/rails.ts";
import { listKeysHeldHere } from "../directory/store.ts";

/** Returns the event for the receiving company once the payment is settled. */
export type ArrivalOf = (order: PaymentOrder, at: Date) => RailEvent | undefined;

/**
 * Returns the company of each account, by the name that `accountOf` gives it. The sandbox stores no accounts, so the
 * product looks up their owners.
 */
export async function readHolders(
  db: Database,
  orders: readonly PaymentOrder[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Set(
    orders.filter(isToOurAccount).map(({ receiver }) => withoutZeros(receiver.account)),
  );
  if (numbers.size === 0) return new Map();
  const held = await db.withSystem((tx) => listHeldAccounts(tx, [...numbers]));
  return new Map(held.map((one) => [accountOf(one), one.companyId]));
}

/**
 * Prepares the incoming payments of these orders. Looks keys up in the sandbox's own directory, as a network uses the
 * real one.
 */
export async function readArrivals(
  tx: AnyTx,
  orders: readonly PaymentOrder[],
  holders: ReadonlyMap<string, string>,
): Promise<ArrivalOf> {
  const queriedKeys = new Set(orders.filter(isToKey).flatMap(({ receiver }) => receiver.pixKey ?? []));
  const keys = queriedKeys.size > 0 ? await listKeysHeldHere(tx, [...queriedKeys]) : queriedKeys;
  return (order, at) => {
    const { endToEndId, value, code, description, receiver } = order;
    const shared = { at: at.toISOString(), value, payer: payerOf(order) };
    if (isToKey(order) && receiver.pixKey && keys.has(receiver.pixKey)) {
      return {
        ...shared,
        kind: "pix_received",
        id: `${endToEndId}:pix_received`,
        endToEndId,
        pixKey: receiver.pixKey,
        message: description,
        ...(code?.txid && { txid: code.txid }),
      };
    }
    const companyId = isToOurAccount(order) && holders.get(accountOf(receiver));
    if (!companyId) return undefined;
    return {
      ...shared,
      kind: "ted_received",
      id: `${endToEndId}:ted_received`,
      companyId,
      paymentId: endToEndId,
      purpose: "payment",
    };
  };
}

/** Returns true for a Pix to a key. A dynamic code is excluded, because the charge itself is settled. */
const isToKey = ({ receiver, code }: PaymentOrder): boolean => receiver.pixKey !== null && !code?.location;
const isToOurAccount = ({ receiver, boleto }: PaymentOrder): boolean =>
  !boleto && receiver.pixKey === null && receiver.bankIspb === ownInstitution().ispb;

const withoutZeros = (digits: string | null) => (digits ?? "").replace(/^0+/, "");
const accountOf = (held: Pick<PaymentOrder["receiver"], "agency" | "account" | "accountDigit">) =>
  [withoutZeros(held.agency), withoutZeros(held.account), held.accountDigit ?? ""].join("/");

const payerOf = ({ payer }: PaymentOrder) => ({
  name: payer.name,
  document: payer.taxId,
  bank: ownInstitution().name,
  agency: payer.agency,
  account: payer.account,
  accountDigit: payer.accountDigit,
  accountType: "CONTA_PAGAMENTO",
});

/** Payments from one company of this installation to another: an order sent by key or account arrives here. */
import { ownInstitution } from "@malote/domain/own-institution";
import { companiesOfAccounts } from "../../../company/index.ts";
import type { AnyTx, Database } from "../../../platform/db/database.ts";
import type { PaymentOrder, RailEvent } from "../../../ports/rails.ts";
import { keysHeldHere } from "../directory/store.ts";

/** The event the receiving company gets once the payment is settled. */
export type ArrivalOf = (order: PaymentOrder, at: Date) => RailEvent | undefined;

/** By account as `accountOf` names it. The sandbox keeps no accounts: the product answers who owns each. */
export async function readHolders(
  db: Database,
  orders: readonly PaymentOrder[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Set(
    orders.filter(isToOurAccount).map(({ receiver }) => withoutZeros(receiver.account)),
  );
  if (numbers.size === 0) return new Map();
  const held = await db.withSystem((tx) => companiesOfAccounts(tx, [...numbers]));
  return new Map(held.map((one) => [accountOf(one), one.companyId]));
}

/** Keys are looked up in the sandbox's own directory, as a network looks them up in the real one. */
export async function readArrivals(
  tx: AnyTx,
  orders: readonly PaymentOrder[],
  holders: ReadonlyMap<string, string>,
): Promise<ArrivalOf> {
  const asked = new Set(orders.filter(isToKey).flatMap(({ receiver }) => receiver.pixKey ?? []));
  const keys = asked.size > 0 ? await keysHeldHere(tx, [...asked]) : asked;
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

/** The charge of a dynamic code is settled by itself, under the name of the charge. */
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

/** Payments from one company of this installation to another: what leaves here by key or account arrives here. */
import { provider } from "@malote/domain/banks";
import { payableStatuses } from "@malote/domain/own-pix-key";
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";
import type { PaymentOrder, RailEvent } from "../../../ports/rails.ts";

/** What the receiving company is informed of, once the payment is settled. */
export type ArrivalOf = (order: PaymentOrder, at: Date) => RailEvent | undefined;

/** Read as the institution that holds the accounts and keys: the network only knows that they are ours. */
export async function readArrivals(tx: AnyTx, orders: readonly PaymentOrder[]): Promise<ArrivalOf> {
  const toKey = orders.filter(isToKey);
  const toAccount = orders.filter(isToOurAccount);
  const keys = toKey.length > 0 ? await ownKeys(tx, toKey) : new Set<string>();
  const companies = toAccount.length > 0 ? await companiesOfAccounts(tx, toAccount) : new Map();
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
    const companyId = isToOurAccount(order) && companies.get(accountOf(receiver));
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
  !boleto && receiver.pixKey === null && receiver.bankIspb === provider.ispb;

const withoutZeros = (digits: string | null) => (digits ?? "").replace(/^0+/, "");
const accountOf = (held: Pick<PaymentOrder["receiver"], "agency" | "account" | "accountDigit">) =>
  [withoutZeros(held.agency), withoutZeros(held.account), held.accountDigit ?? ""].join("/");

async function ownKeys(tx: AnyTx, orders: readonly PaymentOrder[]): Promise<Set<string>> {
  const asked = [...new Set(orders.map(({ receiver }) => receiver.pixKey))];
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM pix_keys WHERE key = ANY(${asked}::text[]) AND status = ANY(${[...payableStatuses]}::text[])
  `.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

async function companiesOfAccounts(tx: AnyTx, orders: readonly PaymentOrder[]): Promise<Map<string, string>> {
  const numbers = [...new Set(orders.map(({ receiver }) => withoutZeros(receiver.account)))];
  const { rows } = await sql<{ id: string; agency: string; account: string; accountDigit: string }>`
    SELECT company_id AS id, account_agency AS agency, account_number AS account, account_digit AS "accountDigit"
    FROM companies WHERE ltrim(account_number, '0') = ANY(${numbers}::text[])
  `.execute(tx);
  return new Map(rows.map((held) => [accountOf(held), held.id]));
}

const payerOf = ({ payer }: PaymentOrder) => ({
  name: payer.name,
  document: payer.taxId,
  bank: provider.name,
  agency: payer.agency,
  account: payer.account,
  accountDigit: payer.accountDigit,
  accountType: "CONTA_PAGAMENTO",
});

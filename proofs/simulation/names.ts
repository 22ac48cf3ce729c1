/** Converts between the numbers of a sequence and the product's ids; the same numbers always give the same ids. */
import { auroraId } from "../../apps/api/src/testing/payments-kit.ts";
import { type Paying, receiverOf, type Who } from "./operations.ts";

const idOf = (kind: string, label: number) =>
  `01990000-0000-7000-9${kind}-${label.toString(16).padStart(12, "0")}`;
const labelOf = (kind: string, id: string): number | undefined =>
  id.startsWith(idOf(kind, 0).slice(0, 24)) ? Number.parseInt(id.slice(24), 16) : undefined;

export const people: Record<string, Who> = {
  "01990000-0000-7000-8000-00000000a011": "admin",
  "01990000-0000-7000-8000-00000000a012": "operator",
  "01990000-0000-7000-8000-00000000a013": "analyst",
  "01990000-0000-7000-8000-00000000a031": "machine",
};

/** Mapping of numbers to ids. Ids that the product assigns, as for batches and payments of a sheet, are learned. */
export interface Names {
  batch(label: number): string;
  payment(label: number): string;
  batchOf(id: string): number | string;
  paymentOf(id: string): number | string;
  learnBatch(label: number, id: string): void;
  learnPayment(label: number, id: string): void;
  /** Sheets by their id, with their content. */
  sheets: Map<string, { label: number; payments: readonly Paying[] }>;
  /** End-to-end ids by `<payment>#<attempt>`. */
  orders: Map<string, string>;
}

export function createNames(): Names {
  const batches = new Map<number, string>();
  const payments = new Map<number, string>();
  const find = (learned: Map<number, string>, id: string) =>
    [...learned].find(([, known]) => known === id)?.[0];
  return {
    batch: (label) => batches.get(label) ?? idOf("001", label),
    payment: (label) => payments.get(label) ?? idOf("002", label),
    batchOf: (id) => find(batches, id) ?? labelOf("001", id) ?? id,
    paymentOf: (id) => find(payments, id) ?? labelOf("002", id) ?? id,
    learnBatch: (label, id) => void batches.set(label, id),
    learnPayment: (label, id) => void payments.set(label, id),
    sheets: new Map(),
    orders: new Map(),
  };
}

export const depositIdOf = (deposit: number) =>
  `E88888801${"0".repeat(12)}${String(deposit).padStart(11, "0")}`;
export const depositOf = (endToEndId: string) => `d${Number(endToEndId.slice(-11))}`;

const banks = {
  TED: { bank_id: "60701190", agency: "1234", account: "56789", account_digit: "7" },
  TEV: { bank_id: "99999593", agency: "0001", account: "1018422", account_digit: "3" },
};

/** Returns a distinct name: equal values on a day to equal names at two accounts would wait for a confirmation. */
export const nameOf = (receiver: number) => `Padaria Sol Nascente ${receiver}`;

export function inputOf(names: Names, { payment, receiver: index, value, date }: Paying) {
  const receiver = receiverOf(index);
  const account =
    receiver.method === "PIX"
      ? undefined
      : { ...banks[receiver.method], account_type: "CONTA_CORRENTE" as const };
  return {
    id: names.payment(payment),
    value,
    // A document of its own, so that no check takes it for a double payment.
    integration_id: names.payment(payment),
    ...(date !== undefined && { payment_date: date }),
    destination_bank_account: receiver.key
      ? { pix_key_type: receiver.key.type, pix_key: receiver.key.key }
      : { name: nameOf(index), cpf_cnpj: receiver.document, ...account },
  };
}

/** Returns the company's own account for withdrawals, as if that receiver were its holder. */
export function withdrawalAccountOf(index: number) {
  const { method, document } = receiverOf(index);
  if (method === "PIX" || document === undefined) throw new Error(`receiver ${index} has no account`);
  const rest = { agency_digit: null, account_type: "CONTA_CORRENTE", name: "Aurora", cpfCnpj: document };
  return { ...banks[method], ...rest };
}

export { auroraId as companyId };

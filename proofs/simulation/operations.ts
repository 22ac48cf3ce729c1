/**
 * Elements of a sequence: plain data, so that a failing one can be printed, shrunk and run again. Numbers of the
 * sequence name batches, payments, deposits and idempotency keys; an unused number is an unknown id.
 */

/** Three people of the company, its own system with an admin's profile, and an admin of another company. */
export type Who = "admin" | "operator" | "analyst" | "machine" | "stranger";

export interface Paying {
  payment: number;
  /** An index in the list of receivers. */
  receiver: number;
  value: number | null;
  date?: string;
}

/**
 * A fault at the nth statement of an operation's transactions.
 * - retry: PostgreSQL demands a retry, which no caller may notice
 * - abort: the statement is refused; the process continues
 * - crash: the process dies before the statement
 * - lost: the process dies after the statement, before it gets the result
 */
export interface Fault {
  kind: "retry" | "abort" | "crash" | "lost";
  at: number;
}

export type Request =
  | { do: "create" | "items" | "sheet"; by: Who; batch: number; payments: readonly Paying[] }
  | { do: "save"; by: Who; batch: number; write: readonly Paying[]; remove: readonly number[] }
  | { do: "rename" | "delete" | "reject" | "reopen"; by: Who; batch: number }
  | { do: "add" | "change"; by: Who; batch: number; paying: Paying }
  | { do: "remove"; by: Who; batch: number; payments: readonly number[] }
  | { do: "send"; by: Who; batch: number; revision?: number }
  | { do: "close"; by: Who; batch: number; key: number; revision?: number }
  | { do: "refund"; by: Who; batch: number; payment: number; key: number }
  /** The numbers are those of its batch and of its payment; the product assigns the ids. */
  | { do: "withdraw"; by: Who; batch: number; payment: number; value: number; key: number };

/**
 * Work of the background. With `silence` the network does not answer, after it accepted the orders or without accepting
 * them.
 */
export type Work =
  | { do: "work"; job: number; stays?: true; silence?: "taken" | "lost" }
  | { do: "tick"; silence?: "taken" | "lost" }
  | { do: "receive"; events: readonly string[] };

export type Outside =
  | { do: "deposit"; deposit: number; value: number }
  | { do: "deliver" }
  | { do: "clock"; to: string }
  | { do: "settings"; change: Partial<Settings> };

export type Operation = ((Request | Work) & { fault?: Fault }) | Outside;

export interface Settings {
  otherApprover: boolean;
  blocked: boolean;
  /** The maximum of one payment, in centavos. */
  limit: number;
  blockedDocuments: readonly string[];
  /** The receiver whose account gets the withdrawals; null while the company has saved none. */
  withdrawTo: number | null;
  operatorMayWithdraw: boolean;
}

export const firstSettings: Settings = {
  otherApprover: false,
  blocked: false,
  limit: 250_000_00,
  blockedDocuments: [],
  withdrawTo: 4,
  operatorMayWithdraw: true,
};

export interface Receiver {
  method: "PIX" | "TED" | "TEV";
  /** The network's outcome of a payment to it. */
  fate: "paid" | "fails" | "returns";
  /** The document, which can be blocked. */
  document?: string;
  key?: { type: "EMAIL" | "CPF"; key: string };
}

/** Receivers by the documented magic values; payments to the others succeed. */
export const receivers: readonly Receiver[] = [
  { method: "PIX", fate: "paid", key: { type: "EMAIL", key: "maria@exemplo.com.br" } },
  { method: "PIX", fate: "fails", key: { type: "EMAIL", key: "chave.pix15@exemplo.com.br" } },
  { method: "PIX", fate: "fails", key: { type: "EMAIL", key: "chave.pix25@exemplo.com.br" } },
  { method: "PIX", fate: "paid", document: "52998224725", key: { type: "CPF", key: "52998224725" } },
  { method: "TED", fate: "paid", document: "11222333000181" },
  { method: "TED", fate: "fails", document: "98702951000107" },
  { method: "TED", fate: "returns", document: "58204617000109" },
  { method: "TEV", fate: "paid", document: "12ABC34501DE35" },
  { method: "TEV", fate: "fails", document: "65142521000129" },
];

export function receiverOf(index: number): Receiver {
  const receiver = receivers[index];
  if (!receiver) throw new Error(`there is no receiver ${index}`);
  return receiver;
}

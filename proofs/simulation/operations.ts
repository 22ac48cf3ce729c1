/**
 * The elements of a sequence: plain data, so that a failing one can be printed, cut down and run again. Batches,
 * payments, deposits and idempotency keys are named by numbers of the sequence; an unused number is an unknown id.
 */

/** Three people of the company, its own system with an admin's profile, and an admin of another company. */
export type Who = "admin" | "operator" | "analyst" | "machine" | "stranger";

export interface Paying {
  payment: number;
  /** A place in the list of receivers. */
  receiver: number;
  value: number | null;
  date?: string;
}

/**
 * What goes wrong at the nth statement of an operation's transactions.
 * - retry: PostgreSQL demands another try, which no caller may notice
 * - abort: the statement is refused; the process lives on
 * - crash: the process dies before the statement
 * - lost: the process dies after the statement and before it learns of it
 */
export interface Fault {
  kind: "retry" | "abort" | "crash" | "lost";
  at: number;
}

export type Request =
  | { do: "create" | "items" | "sheet"; by: Who; batch: number; payments: readonly Paying[] }
  | { do: "save"; by: Who; batch: number; write: readonly Paying[]; remove: readonly number[] }
  | { do: "rename" | "delete" | "reprove" | "reopen"; by: Who; batch: number }
  | { do: "add" | "change"; by: Who; batch: number; paying: Paying }
  | { do: "remove"; by: Who; batch: number; payments: readonly number[] }
  | { do: "send"; by: Who; batch: number; revision?: number }
  | { do: "close"; by: Who; batch: number; key: number; revision?: number }
  | { do: "refund"; by: Who; batch: number; payment: number; key: number }
  /** The numbers are those of the batch it is kept as and of its payment; the product chooses the ids. */
  | { do: "withdraw"; by: Who; batch: number; payment: number; value: number; key: number };

/** Work of the background. With `silence` the network does not answer, and has taken the orders or not. */
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
  /** Centavos one payment may have. */
  limit: number;
  blockedDocuments: readonly string[];
  /** Of the receivers, the one whose account withdrawals go to; none as long as the company saved none. */
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
  /** What the network does with a payment to it. */
  fate: "paid" | "fails" | "returns";
  /** What can be blocked. */
  document?: string;
  key?: { type: "EMAIL" | "CPF"; key: string };
}

/** By the documented magic values; the others are paid. */
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

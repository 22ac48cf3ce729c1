/** Everything the model knows: small, plain, and copied as a whole for each step. */
import { firstSettings, type Paying, receiverOf, type Settings, type Who } from "./operations.ts";

export interface Payment extends Paying {
  batch: number;
  status: string;
  /** It was written with a mistake. */
  wrong: boolean;
  leavesAt?: number;
  /** Counts the orders given for it. */
  attempt: number;
  /** Taken by a worker at this moment; handed over once the network confirmed to have it. */
  takenAt: number;
  handedOver: boolean;
}

export interface Batch {
  /** A withdrawal is kept as a batch of one payment, which is never shown as one. */
  type: "TRANSFER" | "WITHDRAWAL";
  status: string;
  revision: number;
  approvalRevision: number | null;
  /** The one admin approved what it holds, or more than that. */
  isApproved: boolean;
  /** Its content was signed for an approval. */
  isSigned: boolean;
  /** How many other people its closing needed. */
  approversMin: number;
  editors: Who[];
  closings: number;
  waitingSince: number;
}

export interface Job {
  queue: "close-batch" | "pay-waiting-batches" | "send-payments" | "import-sheet";
  /** The batch it is about, or the one a sheet becomes. */
  batch?: number;
}

/** What the network has to deliver, as `<payment>#<attempt>:<kind>`, or `d<deposit>`. */
export interface NetworkEvent {
  id: string;
  kind: "settled" | "finished" | "failed" | "returned" | "deposit";
  payment?: number;
  attempt?: number;
  value?: number;
  dueAt: number;
  delivered: boolean;
}

export interface Entry {
  at: number;
  type: "BATCH" | "DEPOSIT" | "REFUND" | "WITHDRAW";
  amount: number;
}

export interface State {
  now: number;
  accounts: { available: number; reserved: number; pix_in: number; payouts: number };
  /** Of the available balance, oldest first: the statement. */
  entries: Entry[];
  batches: Record<number, Batch>;
  payments: Record<number, Payment>;
  /** Corrections that wait for another person, and until when. */
  corrections: Record<number, number>;
  /** Sheets that were sent in and are not read yet. */
  sheets: Record<number, { by: Who; payments: readonly Paying[] }>;
  settings: Settings;
  jobs: Job[];
  /** What was asked under a key, and what was answered. */
  answers: Record<string, { asked: string; answer: string }>;
  network: NetworkEvent[];
  /** Events the product has applied. */
  received: string[];
}

export const emptyState = (now: number): State => ({
  now,
  accounts: { available: 0, reserved: 0, pix_in: 0, payouts: 0 },
  entries: [],
  batches: {},
  payments: {},
  corrections: {},
  sheets: {},
  settings: firstSettings,
  jobs: [],
  answers: {},
  network: [],
  received: [],
});

export const paymentsOf = (state: State, batch: number): Payment[] =>
  Object.values(state.payments).filter((payment) => payment.batch === batch);

export const sumOf = (payments: readonly Payment[]): number =>
  payments.reduce((sum, payment) => sum + (payment.value ?? 0), 0);

export const isPaid = ({ status }: Payment) => status === "TRANSFERRED" || status === "FINISHED";

/** What a batch still holds of the money reserved for it. */
export function reservedOf(state: State, batch: number): number {
  const { status } = state.batches[batch] ?? { status: "" };
  if (!["PENDING", "RECEIVED", "FINISHED", "RETURNED"].includes(status)) return 0;
  return sumOf(paymentsOf(state, batch).filter((one) => !isPaid(one) && one.status !== "RETURNED"));
}

export const methodOf = (paying: Paying) => receiverOf(paying.receiver).method;

type Account = keyof State["accounts"];

/** Moves money; what comes to or leaves the available balance is a line of the statement. */
export function move(
  state: State,
  type: Entry["type"] | "PAYMENT",
  from: Account,
  to: Account,
  amount: number,
) {
  state.accounts[from] -= amount;
  state.accounts[to] += amount;
  if (type === "PAYMENT") return;
  const signed = from === "available" ? -amount : amount;
  state.entries.push({ at: state.now, type, amount: signed });
}

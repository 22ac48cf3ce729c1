/** State of the model: small, plain, and copied as a whole for each step. */
import { firstSettings, type Paying, receiverOf, type Settings, type Who } from "./operations.ts";

export interface Payment extends Paying {
  batch: number;
  status: string;
  /** True when it was written with an error. */
  wrong: boolean;
  leavesAt?: number;
  /** The number of its orders. */
  attempt: number;
  /** The moment of the claim by a worker; `handedOver` is true once the network confirmed the order. */
  takenAt: number;
  handedOver: boolean;
  /** Our own refusal of its order is noted, and no later change of the rules undoes it. */
  isRefused: boolean;
}

export interface Batch {
  /** A withdrawal is stored as a batch of one payment, which is never shown as a batch. */
  type: "TRANSFER" | "WITHDRAWAL";
  status: string;
  revision: number;
  approvalRevision: number | null;
  /** True when the single admin approved this content, or more than it. */
  isApproved: boolean;
  /** True when an approval signed its content. */
  isSigned: boolean;
  /** The number of other people that its closing needed. */
  approversMin: number;
  editors: Who[];
  closings: number;
  waitingSince: number;
}

export interface Job {
  queue: "close-batch" | "pay-waiting-batches" | "send-payments" | "import-sheet";
  /** The batch of the job, or the one that a sheet becomes. */
  batch?: number;
}

/** Event that the network has to deliver, as `<payment>#<attempt>:<kind>`, or `d<deposit>`. */
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
  /** Entries of the available balance, oldest first: the statement. */
  entries: Entry[];
  batches: Record<number, Batch>;
  payments: Record<number, Payment>;
  /** Corrections that wait for another person, with their deadlines. */
  corrections: Record<number, number>;
  /** Uploaded sheets that are not read yet. */
  sheets: Record<number, { by: Who; payments: readonly Paying[] }>;
  settings: Settings;
  jobs: Job[];
  /** Requests by their key, with their answers. */
  answers: Record<string, { asked: string; answer: string }>;
  network: NetworkEvent[];
  /** Events that the product has applied. */
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

/** Returns the part of a batch's reserved money that it still holds. */
export function reservedOf(state: State, batch: number): number {
  const { status } = state.batches[batch] ?? { status: "" };
  if (!["PENDING", "RECEIVED", "FINISHED", "RETURNED"].includes(status)) return 0;
  return sumOf(paymentsOf(state, batch).filter((one) => !isPaid(one) && one.status !== "RETURNED"));
}

export const methodOf = (paying: Paying) => receiverOf(paying.receiver).method;

type Account = keyof State["accounts"];

/** Moves money; a change of the available balance is a line of the statement. */
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

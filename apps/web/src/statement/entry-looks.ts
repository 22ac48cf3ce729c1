import type { StatementEntry, StatementEntryType } from "@malote/contracts/statement";
import { statementEntryNames } from "@malote/domain/statement-text";
import type { NamedLook } from "../ui/status-pill.tsx";

/** STM-012, with colour and icon of each word. */
export const entryLooks: Readonly<Record<StatementEntryType, NamedLook>> = {
  DEPOSIT: { name: statementEntryNames.DEPOSIT, color: "green", shape: "dot" },
  BATCH: { name: statementEntryNames.BATCH, color: "blue", shape: "check" },
  REFUND: { name: statementEntryNames.REFUND, color: "yellow", shape: "dash" },
  WITHDRAW: { name: statementEntryNames.WITHDRAW, color: "grey", shape: "dot" },
  DEPOSIT_REFUND: { name: statementEntryNames.DEPOSIT_REFUND, color: "yellow", shape: "dash" },
  PENDING_DEPOSIT: { name: statementEntryNames.PENDING_DEPOSIT, color: "yellow", shape: "ring" },
  PENDING_DEPOSIT_REFUND: {
    name: statementEntryNames.PENDING_DEPOSIT_REFUND,
    color: "yellow",
    shape: "ring",
  },
  CANCELLED_DEPOSIT_REFUND: {
    name: statementEntryNames.CANCELLED_DEPOSIT_REFUND,
    color: "grey",
    shape: "dash",
  },
  EXPIRED_DEPOSIT: { name: statementEntryNames.EXPIRED_DEPOSIT, color: "grey", shape: "dash" },
  BLOCKED: { name: statementEntryNames.BLOCKED, color: "red", shape: "dot" },
  BLOCKED_REFUND: { name: statementEntryNames.BLOCKED_REFUND, color: "grey", shape: "ring" },
  UNLOCKED: { name: statementEntryNames.UNLOCKED, color: "grey", shape: "ring" },
  FEE: { name: statementEntryNames.FEE, color: "grey", shape: "dash" },
};

/** STM-010: amounts of these types are struck through. */
const cancelledTypes: ReadonlySet<StatementEntryType> = new Set([
  "EXPIRED_DEPOSIT",
  "CANCELLED_DEPOSIT_REFUND",
  "UNLOCKED",
]);

export function looksCancelled({ type }: Pick<StatementEntry, "type">): boolean {
  return cancelledTypes.has(type);
}

export type Counterpart = NonNullable<StatementEntry["complement"]["payer"]>;

/** Other party of an entry, as far as it is known. */
export function counterpartOf({ complement }: Pick<StatementEntry, "complement">): Counterpart | undefined {
  return complement.payer ?? complement.receiver;
}

export interface EntryAccount {
  bank: string | null;
  agency: string | null;
  account: string | null;
}

/**
 * STM-011: shows entries with bank data, Pix entries with account data, and TED entries; others have no account to
 * show.
 */
export function accountOf(entry: Pick<StatementEntry, "complement">): EntryAccount | undefined {
  const { bank, isPix, isTed } = entry.complement;
  const other = counterpartOf(entry);
  if (!bank && !isTed && !(isPix && other?.account)) return undefined;
  return { bank: bank ?? other?.bank ?? null, agency: other?.agency ?? null, account: numberOf(other) };
}

/** `12345-6`; null without a number. */
export function numberOf(other: Counterpart | undefined): string | null {
  if (!other?.account) return null;
  return other.account_digit ? `${other.account}-${other.account_digit}` : other.account;
}

export type EntryOpening = { kind: "batch"; batchId: string } | { kind: "received_pix" };

/**
 * STM-013: a batch's entry opens the batch, an incoming Pix its details, any other entry nothing. The end of a block,
 * or a failed refund, is no incoming Pix.
 */
export function openingOf(entry: StatementEntry): EntryOpening | undefined {
  const { batch_id: batchId, isPix } = entry.complement;
  if (batchId) return { kind: "batch", batchId };
  return entry.type === "DEPOSIT" && isPix && entry.value > 0 ? { kind: "received_pix" } : undefined;
}

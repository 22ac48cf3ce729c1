/** Life of a company's own Pix key: registered, verified, claimed from or by other institutions, released. */
import { dayMs } from "./durations.ts";
import type { PixKeyType } from "./pix-key.ts";
import type { Transitions } from "./transitions.ts";

export const pixKeyStatuses = [
  "PENDING",
  "VALIDATING",
  "REGISTERED",
  "ERROR",
  "PENDING_REMOVAL",
  "REMOVED",
  "WAITING_PORTABILITY",
  "WAITING_CLAIM",
  "PORTABILITY_REQUESTED",
  "CLAIM_REQUESTED",
  "PORTABILITY_IN_PROGRESS",
  "CLAIM_IN_PROGRESS",
  "WAITING_PORTABILITY_APPROVAL",
  "WAITING_CLAIM_APPROVAL",
] as const;
export type PixKeyStatus = (typeof pixKeyStatuses)[number];

/** Permitted transitions of a company's key. The directory's reports may overtake each other and our own answers. */
export const pixKeyTransitions = {
  VALIDATING: ["PENDING", "REMOVED"],
  // The directory registers it, names its holder, or refuses.
  PENDING: ["REGISTERED", "WAITING_PORTABILITY", "WAITING_CLAIM", "ERROR"],
  ERROR: ["REMOVED"],
  // Released, claimed by another institution's customer, or moved to them although we kept it.
  REGISTERED: ["PENDING_REMOVAL", "WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL", "REMOVED"],
  // Removed, still ours, or claimed a moment earlier.
  PENDING_REMOVAL: ["REMOVED", "REGISTERED", "WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL"],
  WAITING_PORTABILITY_APPROVAL: ["REGISTERED", "PENDING_REMOVAL", "REMOVED"],
  WAITING_CLAIM_APPROVAL: ["REGISTERED", "PENDING_REMOVAL", "REMOVED"],
  // Held elsewhere. A cancelled claim may still be under way, or the key may already be ours.
  WAITING_PORTABILITY: ["PORTABILITY_REQUESTED", "PORTABILITY_IN_PROGRESS", "REGISTERED", "REMOVED"],
  WAITING_CLAIM: ["CLAIM_REQUESTED", "CLAIM_IN_PROGRESS", "REGISTERED", "REMOVED"],
  PORTABILITY_REQUESTED: ["PORTABILITY_IN_PROGRESS", "WAITING_PORTABILITY", "REGISTERED"],
  CLAIM_REQUESTED: ["CLAIM_IN_PROGRESS", "WAITING_CLAIM", "REGISTERED"],
  PORTABILITY_IN_PROGRESS: ["WAITING_PORTABILITY", "REGISTERED"],
  CLAIM_IN_PROGRESS: ["WAITING_CLAIM", "REGISTERED"],
  REMOVED: [],
} as const satisfies Transitions<PixKeyStatus>;

export function canMovePixKey(from: PixKeyStatus, to: PixKeyStatus): boolean {
  return (pixKeyTransitions as Transitions<PixKeyStatus>)[from].includes(to);
}

/** CPF keys belong to people; a company has the other four (PIX-017). */
export const ownPixKeyTypes = ["TELEFONE", "CNPJ", "EMAIL", "CHAVE_ALEATORIA"] as const;
export type OwnPixKeyType = (typeof ownPixKeyTypes)[number];

/** A portability moves a key of the same owner to another institution, a claim moves it to another owner. */
export const claimKinds = ["PORTABILITY", "CLAIM"] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** Returns whether the type needs a code, which proves possession of the phone or the address (PIX-026). */
export const needsCode = (type: PixKeyType): boolean => type === "TELEFONE" || type === "EMAIL";

/**
 * Returns whether the directory allows the move: a claim only for phones, and no move for a random key, because a new
 * one can be created.
 */
export function mayBeMoved(type: PixKeyType, kind: ClaimKind): boolean {
  if (type === "CHAVE_ALEATORIA") return false;
  return kind === "PORTABILITY" || type === "TELEFONE";
}

/** Statuses of a key that is ours in the directory, including those with an open claim (PIX-005). */
export const registeredStatuses = [
  "REGISTERED",
  "WAITING_PORTABILITY_APPROVAL",
  "WAITING_CLAIM_APPROVAL",
] as const satisfies readonly PixKeyStatus[];

export const countsAsRegistered = (status: PixKeyStatus): boolean =>
  (registeredStatuses as readonly PixKeyStatus[]).includes(status);

/** Statuses in which a payer may still pay to the key, including a pending removal until the directory confirms it. */
export const payableStatuses = [
  ...registeredStatuses,
  "PENDING_REMOVAL",
] as const satisfies readonly PixKeyStatus[];

/** True when another institution's customer claims our key, and we must answer (PIX-041). */
export const awaitsOurAnswer = (status: PixKeyStatus): boolean =>
  status === "WAITING_PORTABILITY_APPROVAL" || status === "WAITING_CLAIM_APPROVAL";

/** True in the statuses in which a key may be deleted (PIX-048). */
export const mayBeDeleted = (status: PixKeyStatus): boolean =>
  status === "REGISTERED" || status === "ERROR" || status === "VALIDATING" || mayClaim(status);

/** True for a key that is held elsewhere and not claimed yet (PIX-034). */
export const mayClaim = (status: PixKeyStatus): boolean =>
  status === "WAITING_PORTABILITY" || status === "WAITING_CLAIM";

/**
 * True when our claim may be cancelled (PIX-039). One that was only just requested may not, because it has not reached
 * the other side.
 */
export const mayCancelClaim = (status: PixKeyStatus): boolean =>
  status === "PORTABILITY_IN_PROGRESS" || status === "CLAIM_IN_PROGRESS";

const kindByStatus: Readonly<Partial<Record<PixKeyStatus, ClaimKind>>> = {
  WAITING_PORTABILITY: "PORTABILITY",
  PORTABILITY_REQUESTED: "PORTABILITY",
  PORTABILITY_IN_PROGRESS: "PORTABILITY",
  WAITING_PORTABILITY_APPROVAL: "PORTABILITY",
  WAITING_CLAIM: "CLAIM",
  CLAIM_REQUESTED: "CLAIM",
  CLAIM_IN_PROGRESS: "CLAIM",
  WAITING_CLAIM_APPROVAL: "CLAIM",
};

/** Returns the kind of a key's open move; undefined without one. */
export const claimKindOf = (status: PixKeyStatus): ClaimKind | undefined => kindByStatus[status];

/** Days the holder of a key has to answer (PIX-042). */
export const claimDays = 7;

export const claimDeadline = (requestedAt: Date): Date => new Date(requestedAt.getTime() + claimDays * dayMs);

/** Returns what the directory does without an answer: it ends a portability and grants a claim. */
export const answerBySilence = (kind: ClaimKind): "keep" | "release" =>
  kind === "PORTABILITY" ? "keep" : "release";

/** A six-digit code is guessed in a million tries: five wrong ones invalidate it, and so does half an hour. */
export const codeTriesMax = 5;
export const codeMinutes = 30;

/**
 * Returns the seconds until a code may be sent again, by the number already sent: ten at first, then longer, because
 * each costs money.
 */
export function resendRestSeconds(sent: number): number {
  if (sent <= 3) return 10;
  return sent <= 6 ? 60 : 600;
}

/** The life of a company's own Pix key: registered, proven, claimed from others, asked for by others, given up. */
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

/** Every step a key of the company may take. Reports of the directory may overtake each other and our own answers. */
export const pixKeyTransitions = {
  VALIDATING: ["PENDING", "REMOVED"],
  // The directory registers it, says who holds it, or refuses.
  PENDING: ["REGISTERED", "WAITING_PORTABILITY", "WAITING_CLAIM", "ERROR"],
  ERROR: ["REMOVED"],
  // Given up, claimed by another institution's customer, or moved to them although we had kept it.
  REGISTERED: ["PENDING_REMOVAL", "WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL", "REMOVED"],
  // Removed, still ours after all, or claimed a moment before.
  PENDING_REMOVAL: ["REMOVED", "REGISTERED", "WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL"],
  WAITING_PORTABILITY_APPROVAL: ["REGISTERED", "PENDING_REMOVAL", "REMOVED"],
  WAITING_CLAIM_APPROVAL: ["REGISTERED", "PENDING_REMOVAL", "REMOVED"],
  // Held elsewhere. A claim that was cancelled may still be under way, or the key already ours.
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

/** Possession of a phone or an address is proven by a code that is sent to it (PIX-026). */
export const needsCode = (type: PixKeyType): boolean => type === "TELEFONE" || type === "EMAIL";

/**
 * What the directory allows to move: a claim only phones, and a random key not at all, since a new one can be made.
 */
export function mayBeMoved(type: PixKeyType, kind: ClaimKind): boolean {
  if (type === "CHAVE_ALEATORIA") return false;
  return kind === "PORTABILITY" || type === "TELEFONE";
}

/** Ours in the directory, also while a claim of it is open (PIX-005). */
export const registeredStatuses = [
  "REGISTERED",
  "WAITING_PORTABILITY_APPROVAL",
  "WAITING_CLAIM_APPROVAL",
] as const satisfies readonly PixKeyStatus[];

export const countsAsRegistered = (status: PixKeyStatus): boolean =>
  (registeredStatuses as readonly PixKeyStatus[]).includes(status);

/**
 * Payable by a payer who read it a moment ago: also while it is being given up, until the directory confirms the
 * removal.
 */
export const payableStatuses = [
  ...registeredStatuses,
  "PENDING_REMOVAL",
] as const satisfies readonly PixKeyStatus[];

/** Another institution's customer claims our key, and we must answer (PIX-041). */
export const awaitsOurAnswer = (status: PixKeyStatus): boolean =>
  status === "WAITING_PORTABILITY_APPROVAL" || status === "WAITING_CLAIM_APPROVAL";

/** PIX-048: the statuses in which a key may be deleted. */
export const mayBeDeleted = (status: PixKeyStatus): boolean =>
  status === "REGISTERED" || status === "ERROR" || status === "VALIDATING" || mayBeAskedFor(status);

/** Held elsewhere, and not claimed yet (PIX-034). */
export const mayBeAskedFor = (status: PixKeyStatus): boolean =>
  status === "WAITING_PORTABILITY" || status === "WAITING_CLAIM";

/** PIX-039: a claim that was only just requested has not reached the other side, and cannot be cancelled yet. */
export const mayBeTakenBack = (status: PixKeyStatus): boolean =>
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

/** What kind of move a key is in; undefined outside of one. */
export const claimKindOf = (status: PixKeyStatus): ClaimKind | undefined => kindByStatus[status];

/** Days the holder of a key has to answer (PIX-042). */
export const claimDays = 7;

export const claimDeadline = (askedAt: Date): Date => new Date(askedAt.getTime() + claimDays * dayMs);

/** What the directory does without an answer: a portability ends, a claim is granted. */
export const answerBySilence = (kind: ClaimKind): "keep" | "release" =>
  kind === "PORTABILITY" ? "keep" : "release";

/** Six digits are guessed in a million tries: five wrong ones invalidate a code, and so does half an hour. */
export const codeTriesMax = 5;
export const codeMinutes = 30;

/**
 * Seconds until a code may be sent again, by the number already sent: the usual ten first, then longer, since each
 * costs money.
 */
export function resendRestSeconds(sent: number): number {
  if (sent <= 3) return 10;
  return sent <= 6 ? 60 : 600;
}

const countryPrefix = "+55";

/** As people know their own key: a phone without the country (PIX-003). */
export const withoutCountry = (key: string): string =>
  key.startsWith(countryPrefix) ? key.slice(countryPrefix.length) : key;

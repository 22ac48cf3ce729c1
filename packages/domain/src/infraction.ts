/** Infractions (MED): a payer reports a Pix as fraud, and the company that received it answers. */
import { dayMs, hourMs, minuteMs } from "./durations.ts";
import { attachmentBytesMax } from "./limits.ts";
import { isCnpj, normaliseTaxId } from "./tax-id.ts";
import type { Transitions } from "./transitions.ts";

export const analysisStatuses = ["pending", "accepted", "rejected", "delayed", "canceled"] as const;
export type AnalysisStatus = (typeof analysisStatuses)[number];

/** Permitted transitions of an infraction's analysis: the company, the schedule or the provider answers it once. */
export const infractionTransitions = {
  pending: ["accepted", "rejected", "delayed", "canceled"],
  accepted: [],
  rejected: [],
  delayed: [],
  canceled: [],
} as const satisfies Transitions<AnalysisStatus>;

export function canMoveInfraction(from: AnalysisStatus, to: AnalysisStatus): boolean {
  return (infractionTransitions as Transitions<AnalysisStatus>)[from].includes(to);
}

/** A company's answer: accepts the fraud and returns the money, or rejects it because the sale was valid. */
export const analyses = ["accepted", "rejected"] as const;
export type Analysis = (typeof analyses)[number];

export const situationTypes = [
  "scam",
  "account_takeover",
  "coercion",
  "fraudulent_access",
  "other",
  "unknown",
] as const;
export type SituationType = (typeof situationTypes)[number];

export const refundStatuses = ["pending", "closed", "canceled"] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export const attemptStatuses = ["succeeded", "processing", "failed"] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];

// Portuguese texts for every screen and every sheet.
export const situationNames: Readonly<Record<SituationType, string>> = {
  scam: "Golpe",
  account_takeover: "Acesso não autorizado",
  coercion: "Coação/Extorsão",
  fraudulent_access: "Roubo de credenciais",
  other: "Outros",
  unknown: "Outros",
};

export const analysisNames: Readonly<Record<AnalysisStatus, string>> = {
  pending: "Pendente",
  accepted: "Aprovada",
  rejected: "Rejeitada",
  delayed: "Atrasada",
  canceled: "Cancelada",
};

const opinions: Readonly<Record<string, string>> = {
  pending: "Em análise",
  agreed: "Procedente",
  disagreed: "Improcedente",
  canceled: "Cancelada",
};

/** Returns the opinion's name; for an unknown opinion the bare code (MED-009). */
export const opinionName = (code: string): string =>
  Object.hasOwn(opinions, code) ? (opinions[code] ?? code) : code;

export const refundNames: Readonly<Record<RefundStatus, string>> = {
  pending: "Em processamento",
  closed: "Concluído",
  canceled: "Cancelado",
};

export const attemptNames: Readonly<Record<AttemptStatus, string>> = {
  succeeded: "Sucesso",
  processing: "Em processamento",
  failed: "Falhou",
};

/** In force from 01/04/2025. A day is 24 hours: São Paulo has had no summer time since 2019. */
export const answerDays = 4;
/** Days during which the missing part of a return is taken from incoming money. */
export const monitoringDays = 90;

export const answerDueAt = (notifiedAt: Date): Date => new Date(notifiedAt.getTime() + answerDays * dayMs);
export const monitoringEndsAt = (refundBegunAt: Date): Date =>
  new Date(refundBegunAt.getTime() + monitoringDays * dayMs);

export interface InfractionFacts {
  analysisStatus: AnalysisStatus;
  /** The moment of a contestation by e-mail, which counts as an answer too. */
  contestedAt: Date | null;
  analysisDueAt: Date;
}

export type AnswerRefusal = "infraction_contested" | "infraction_answered" | "infraction_overdue";

/**
 * Returns the refusal of an answer; undefined while it may still be answered (MED-020). The last instant itself is too
 * late, because the return has started then.
 */
export function refusalOfAnswer(infraction: InfractionFacts, now: Date): AnswerRefusal | undefined {
  const { analysisStatus, contestedAt, analysisDueAt } = infraction;
  if (analysisStatus === "delayed") return "infraction_overdue";
  if (analysisStatus !== "pending") return "infraction_answered";
  if (contestedAt) return "infraction_contested";
  return now >= analysisDueAt ? "infraction_overdue" : undefined;
}

/** The provider's final opinions; until then the opinion is `pending`. */
export const finalOpinions = ["agreed", "disagreed", "canceled"] as const;
export type FinalOpinion = (typeof finalOpinions)[number];

/**
 * Returns the effect of the provider's opinion. Agreement returns the money whatever the company answered; any other
 * opinion stops further returns, and returned money stays returned. The opinion also is the answer of an infraction
 * that the company did not answer.
 */
export function followOpinion(
  analysisStatus: AnalysisStatus,
  opinion: FinalOpinion,
): { analysisStatus: AnalysisStatus; moneyGoesBack: boolean } {
  const answers = { agreed: "accepted", disagreed: "rejected", canceled: "canceled" } as const;
  return {
    analysisStatus: analysisStatus === "pending" ? answers[opinion] : analysisStatus,
    moneyGoesBack: opinion === "agreed",
  };
}

export interface TimeLeft {
  /** `71h 05min`, or `-` when nothing is left. */
  text: string;
  urgency: "calm" | "urgent" | "over";
}

/** Returns whole minutes, rounded down, so it never shows more time than there is (MED-011). */
export function timeLeft(dueAt: Date, now: Date): TimeLeft {
  const ms = dueAt.getTime() - now.getTime();
  if (ms <= 0) return { text: "-", urgency: "over" };
  const hours = Math.floor(ms / hourMs);
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  const text = `${hours}h ${String(minutes).padStart(2, "0")}min`;
  return { text, urgency: ms > dayMs ? "calm" : "urgent" };
}

/**
 * Returns the monitoring state of a refund (MED-041). Undefined: nothing is shown, because the refund was canceled or
 * its time ended without a result.
 */
export function monitoringOf(
  refund: { status: RefundStatus; monitoringEndsAt: Date },
  now: Date,
): "monitored" | "finished" | undefined {
  if (refund.status === "closed") return "finished";
  return refund.status === "pending" && now < refund.monitoringEndsAt ? "monitored" : undefined;
}

/** Returns the length of a defence as people count it: an accent or an emoji is one character. */
export const defenceLength = (text: string): number => [...text.trim()].length;
export const defenceLengthMin = 10;
export const defenceLengthMax = 2_000;

export type DefenceRefusal = "defence_too_short" | "defence_too_long";

export function refusalOfDefence(text: string): DefenceRefusal | undefined {
  const length = defenceLength(text);
  if (length < defenceLengthMin) return "defence_too_short";
  return length > defenceLengthMax ? "defence_too_long" : undefined;
}

export const attachmentTypes = {
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/vnd.rar": "rar",
  "image/png": "png",
  "image/jpeg": "jpg",
} as const;
export type AttachmentType = keyof typeof attachmentTypes;

export type AttachmentRefusal = "attachment_wrong_kind" | "attachment_too_large";

/** The first bytes of each file type. */
const signs: readonly { type: AttachmentType; begins: readonly (readonly number[])[] }[] = [
  { type: "application/pdf", begins: [[0x25, 0x50, 0x44, 0x46, 0x2d]] },
  // A ZIP directory with entries: an empty archive attaches nothing.
  { type: "application/zip", begins: [[0x50, 0x4b, 0x03, 0x04]] },
  {
    type: "application/vnd.rar",
    begins: [
      [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x00],
      [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00],
    ],
  },
  { type: "image/png", begins: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  { type: "image/jpeg", begins: [[0xff, 0xd8, 0xff]] },
];

/** The number of bytes that suffice to recognise a file type. */
export const attachmentHeadBytes = 8;

/**
 * Returns the type of a file from its first bytes (MED-031); neither its name nor its declared type counts. The file is
 * only stored and forwarded, never opened here, so the rest of its content is not checked.
 */
export function attachmentType(head: Uint8Array): AttachmentType | undefined {
  return signs.find(({ begins }) => begins.some((sign) => sign.every((byte, at) => head[at] === byte)))?.type;
}

export function refusalOfAttachment(bytes: number, head: Uint8Array): AttachmentRefusal | undefined {
  if (bytes > attachmentBytesMax) return "attachment_too_large";
  return attachmentType(head) ? undefined : "attachment_wrong_kind";
}

/**
 * Reads a search text (MED-016), letters and digits only: 11 or 14 digits, or a CNPJ with letters, are a document;
 * anything else is a Pix end-to-end id.
 */
export function readInfractionSearch(
  text: string,
): { payerTaxId: string } | { transactionId: string } | undefined {
  const term = text.replace(/[^\p{L}\p{N}]/gu, "");
  if (term === "") return undefined;
  const isDocument = /^(\d{11}|\d{14})$/.test(term) || isCnpj(term);
  return isDocument ? { payerTaxId: normaliseTaxId(term) } : { transactionId: term };
}

import type { AnalysisStatus, AttemptStatus, RefundStatus } from "@malote/domain/infraction";
import type { PillLook } from "../ui/status-pill.tsx";

export const analysisLooks: Readonly<Record<AnalysisStatus, PillLook>> = {
  pending: { color: "yellow", shape: "ring" },
  accepted: { color: "green", shape: "check" },
  rejected: { color: "blue", shape: "dot" },
  delayed: { color: "red", shape: "dot" },
  canceled: { color: "grey", shape: "dash" },
};

export const refundLooks: Readonly<Record<RefundStatus, PillLook>> = {
  pending: { color: "yellow", shape: "ring" },
  closed: { color: "green", shape: "check" },
  canceled: { color: "grey", shape: "dash" },
};

export const attemptLooks: Readonly<Record<AttemptStatus, PillLook>> = {
  succeeded: { color: "green", shape: "check" },
  processing: { color: "yellow", shape: "spinner" },
  failed: { color: "red", shape: "dot" },
};

const opinionLooks: Readonly<Record<string, PillLook>> = {
  pending: { color: "white", shape: "ring" },
  agreed: { color: "red", shape: "dot" },
  disagreed: { color: "green", shape: "check" },
  canceled: { color: "grey", shape: "dash" },
};

export const opinionLook = (code: string): PillLook =>
  (Object.hasOwn(opinionLooks, code) ? opinionLooks[code] : undefined) ?? { color: "white", shape: "dot" };

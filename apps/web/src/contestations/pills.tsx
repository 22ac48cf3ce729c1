import type { Infraction } from "@malote/contracts/contestations";
import { type AnalysisStatus, analysisNames, opinionName, timeLeft } from "@malote/domain/infraction";
import { useEffect, useState } from "react";
import { formatDateTime } from "../ui/format.ts";
import { StatusPill } from "../ui/status-pill.tsx";
import { systemNow } from "../ui/system-time.ts";
import { analysisLooks, opinionLook } from "./looks.ts";

export function AnalysisPill({ status }: { status: AnalysisStatus }) {
  return <StatusPill {...analysisLooks[status]}>{analysisNames[status]}</StatusPill>;
}

/** One person approved and another has to: until then the status stays pending. */
export function AwaitsApprovalPill() {
  return (
    <StatusPill color="yellow" shape="dot">
      Aguarda aprovação
    </StatusPill>
  );
}

export function OpinionPill({ code }: { code: string }) {
  return <StatusPill {...opinionLook(code)}>{opinionName(code)}</StatusPill>;
}

/** Interval of the pill, which counts minutes. */
const tickMs = 20_000;

export function useNow(): Date {
  const [now, setNow] = useState(systemNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(systemNow()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Time left to answer (MED-011); no deadline runs for an infraction that was answered, here or by e-mail. */
export function DeadlinePill({
  infraction: { analysis_due_date, analysis_status, contested_at },
}: {
  infraction: Pick<Infraction, "analysis_due_date" | "analysis_status" | "contested_at">;
}) {
  const now = useNow();
  const isOpen = analysis_status === "pending" && contested_at === null;
  const { text, urgency } = timeLeft(isOpen ? new Date(analysis_due_date) : now, now);
  const color = { calm: "yellow", urgent: "red", over: "grey" } as const;
  return (
    <span title={`Prazo: ${formatDateTime(analysis_due_date)}`}>
      <StatusPill color={color[urgency]} shape={urgency === "over" ? "dash" : "ring"}>
        {urgency === "over" ? (
          <>
            <span aria-hidden>{text}</span>
            <span className="sr-only">Sem prazo a correr</span>
          </>
        ) : (
          <span className="num">{text}</span>
        )}
      </StatusPill>
    </span>
  );
}

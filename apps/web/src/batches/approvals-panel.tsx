import type { BatchApprovals } from "@malote/contracts/batch-life";
import { asksForCodeText } from "../ui/asks-for-code.ts";
import { counted, formatDateTime } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import styles from "./batch-screen.module.css";

/** Lists who approved the batch, how many approvals are missing, and why the reader may not approve. */
export default function ApprovalsPanel({ approvals }: { approvals: BatchApprovals }) {
  const { needed, missing, has_approved, why_not, is_stuck, prepared_by: makers } = approvals;
  const asksForCode = approvals.asks_for_code && approvals.may_approve && !has_approved;
  return (
    <>
      {is_stuck ? (
        <Notice tone="red" title="Ninguém mais pode dar a aprovação que falta.">
          <span className="small">
            Um administrador pode incluir aprovadores ou mudar os Controles em Minha empresa.
          </span>
        </Notice>
      ) : has_approved ? (
        <Notice tone="green" title="Você já aprovou este lote." />
      ) : why_not ? (
        <Notice tone="yellow" title="Você não pode aprovar este lote.">
          <span className="small">{why_not}</span>
        </Notice>
      ) : null}
      {makers.length > 0 ? <p className="small muted">Preparado por {makers.join(", ")}.</p> : null}
      {asksForCode ? <p className="small muted">{asksForCodeText}</p> : null}
      {needed > 0 ? (
        <section className={`panel ${styles.facts}`} aria-label="Aprovações">
          <div className={styles.kv}>
            <span className="strong">
              {needed - missing} de {counted(needed, "aprovação", "aprovações")}
            </span>
            <span className="muted">
              {missing > 0 ? counted(missing, "falta", "faltam") : "Nenhuma falta"}
            </span>
          </div>
          {approvals.approvals.map(({ name, at, counts }) => (
            <div key={`${name} ${at}`} className={styles.kv}>
              <span>
                {name} <span className="small muted">{formatDateTime(at)}</span>
              </span>
              {counts ? (
                <StatusPill color="green" shape="check">
                  Aprovou
                </StatusPill>
              ) : (
                <StatusPill color="grey" shape="dash">
                  Não conta mais
                </StatusPill>
              )}
            </div>
          ))}
        </section>
      ) : null}
    </>
  );
}

import type { ApprovalRequest } from "@malote/contracts/controls";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { newId } from "../shell/new-id.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { asksForCodeText } from "../ui/asks-for-code.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { counted, formatDateTime } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { TextArea } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { approvalRequestsQuery, useDecideRequest } from "./api.ts";
import styles from "./controls.module.css";
import { requestLooks } from "./words.ts";

const reasonMax = 255;

/** Requests that wait for an approval, and the last decisions. */
export function Requests({ heading }: { heading: "h2" | "h3" }) {
  const requests = useQuery(approvalRequestsQuery);
  if (requests.isPending) {
    return (
      <LoadingState label="Carregando os pedidos">
        <Bone height={140} />
      </LoadingState>
    );
  }
  if (requests.isError) return <FailedQuery title="Não foi possível carregar os pedidos" query={requests} />;
  const open = requests.data.data.filter(({ status }) => status === "pending");
  const decided = requests.data.data.filter(({ status }) => status !== "pending");
  return (
    <>
      {open.length === 0 ? (
        <p className={`panel ${styles.empty}`}>Nenhum pedido aguarda aprovação.</p>
      ) : (
        <ul className={styles.requests} aria-label="Pedidos que aguardam aprovação">
          {open.map((request) => (
            <Request key={request.id} request={request} heading={heading} />
          ))}
        </ul>
      )}
      {requests.data.open_count > open.length ? (
        <p className="small muted">
          {`Mais ${counted(requests.data.open_count - open.length, "pedido aparece", "pedidos aparecem")} aqui quando estes forem decididos.`}
        </p>
      ) : null}
      {decided.length > 0 ? (
        <details className={styles.decided}>
          <summary>{counted(decided.length, "pedido decidido", "pedidos decididos")}</summary>
          <ul className={styles.requests} aria-label="Pedidos decididos">
            {decided.map((request) => (
              <Request key={request.id} request={request} heading={heading} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function Request({ request, heading: Heading }: { request: ApprovalRequest; heading: "h2" | "h3" }) {
  const [asks, setAsks] = useState<"approve" | "reject">();
  const look = requestLooks[request.status];
  const { title } = request;
  const isOpen = request.status === "pending";
  return (
    <li className={`panel ${styles.request}`}>
      <div className={styles.requestHead}>
        <Heading className={styles.requestTitle}>{title}</Heading>
        <StatusPill color={look.color} shape={look.shape}>
          {look.name}
        </StatusPill>
      </div>
      <p className="small muted">
        {request.requested_by}
        {request.requested_by_email ? ` (${request.requested_by_email})` : null} pediu em{" "}
        {formatDateTime(request.created_at)}
        {isOpen ? `. Vence em ${formatDateTime(request.expires_at)}.` : "."}
      </p>
      <dl className={styles.facts}>
        {request.facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="small faint">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted">{progressOf(request)}</p>
      {isOpen && (request.may_approve || request.is_own) ? (
        <div className={styles.requestActions}>
          <Button look={request.is_own ? "quiet" : "danger"} onClick={() => setAsks("reject")}>
            {request.is_own ? "Cancelar pedido" : "Recusar"}
          </Button>
          {request.may_approve ? (
            <Button look="primary" onClick={() => setAsks("approve")}>
              Aprovar
            </Button>
          ) : null}
        </div>
      ) : null}
      {isOpen && !request.may_approve && !request.is_own && request.why_not ? (
        <p className="small muted">{request.why_not}</p>
      ) : null}
      {asks ? <Decide request={request} title={title} how={asks} onClose={() => setAsks(undefined)} /> : null}
    </li>
  );
}

function progressOf({ approvals, missing, status, decided_by, decided_at, reason }: ApprovalRequest): string {
  const names = approvals.map(({ name }) => name).join(", ");
  if (status === "pending") {
    const given = names ? `Aprovado por ${names}. ` : "";
    return `${given}${missing === 1 ? "Falta" : "Faltam"} ${counted(missing, "aprovação", "aprovações")}.`;
  }
  if (status === "approved") return `Aprovado por ${names}.`;
  if (status === "obsolete") return "Encerrado sem decisão: nenhum pagamento do pedido continua com falha.";
  const when = decided_at ? ` em ${formatDateTime(decided_at)}` : "";
  const who = decided_by ? `${decided_by}${when}` : `Sem decisão até o prazo${when}`;
  return reason ? `${who}. Motivo: ${reason}` : `${who}.`;
}

interface DecideProps {
  request: ApprovalRequest;
  title: string;
  how: "approve" | "reject";
  onClose: () => void;
}

function Decide({ request, title, how, onClose }: DecideProps) {
  const decide = useDecideRequest();
  const [reason, setReason] = useState("");
  // One key per approval; a retry after a lost answer repeats it.
  const idempotencyKey = useRef(newId()).current;
  const { id, digest } = request;
  const isOwn = request.is_own && how === "reject";
  const dirty = reason.trim() !== "";
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "O pedido ainda não foi recusado.");
  return (
    <ConfirmDialog
      opened
      title={how === "approve" ? `Aprovar: ${title}?` : isOwn ? "Cancelar o pedido?" : `Recusar: ${title}?`}
      confirmLabel={how === "approve" ? "Aprovar" : isOwn ? "Cancelar pedido" : "Recusar"}
      cancelLabel="Voltar"
      danger={how === "reject"}
      busy={decide.isPending}
      onClose={() => askBefore(onClose)}
      onConfirm={() =>
        decide.mutate(
          how === "approve"
            ? { approves: true, id, digest, idempotencyKey }
            : { approves: false, id, reason: reason.trim() },
          {
            onSuccess: ({ status }) => {
              toast.good(
                status === "approved"
                  ? "Aprovado e executado."
                  : status === "pending"
                    ? "Aprovação registrada. Falta a de outra pessoa."
                    : status === "cancelled"
                      ? "Pedido cancelado."
                      : "Pedido recusado.",
              );
              onClose();
            },
            onError: (error) => {
              const text = errorSentence(error, "Não foi possível concluir. Tente de novo.");
              if (text) toast.bad(text);
            },
          },
        )
      }
    >
      <dl className={styles.facts}>
        {request.facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="small faint">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {how === "approve" && request.asks_for_code ? <p className="small muted">{asksForCodeText}</p> : null}
      {how === "reject" && !isOwn ? (
        <TextArea
          label="Motivo (opcional)"
          value={reason}
          maxLength={reasonMax}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      {question}
    </ConfirmDialog>
  );
}

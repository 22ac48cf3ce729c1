import { answerInfraction, type Infraction } from "@malote/contracts/contestations";
import { monitoringOf } from "@malote/domain/infraction";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { FailedQuery } from "../shell/failed-query.tsx";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { AnswerNotice } from "./answer-notice.tsx";
import { infractionQuery } from "./api.ts";
import { AwaitsApprovalNotice } from "./awaits-approval-notice.tsx";
import styles from "./contestations.module.css";
import { DefenceForm } from "./defence-form.tsx";
import { GivenAnswer } from "./given-answer.tsx";
import { InfractionFacts } from "./infraction-facts.tsx";
import { mayBeAnswered } from "./infractions-table.tsx";
import { AnalysisPill, AwaitsApprovalPill, DeadlinePill, useNow } from "./pills.tsx";
import { RefundHistory } from "./refund-history.tsx";

export default function InfractionPage() {
  const { infractionId = "" } = useParams({ strict: false });
  const found = useQuery(infractionQuery(infractionId));
  return (
    <>
      <Link to={pathOf("InfractionsPage")} className={styles.back ?? ""}>
        <IconArrowLeft size={18} aria-hidden /> Contestações
      </Link>
      {found.isPending ? (
        <LoadingState label="Carregando a infração">
          <Bone height={420} />
        </LoadingState>
      ) : found.isError && !found.data ? (
        <FailedQuery title="Não foi possível carregar os detalhes da infração." query={found} />
      ) : (
        <Details key={found.data.id} infraction={found.data} />
      )}
    </>
  );
}

function Details({ infraction }: { infraction: Infraction }) {
  const session = useSession();
  const isPending = infraction.analysis_status === "pending";
  const now = useNow();
  const isOpen = mayBeAnswered(infraction, now);
  // The deadline has passed, and the server is about to record it.
  const isOver = isPending && !isOpen && !infraction.contested_at;
  const { refund } = infraction;
  const monitoring =
    refund &&
    monitoringOf({ status: refund.status, monitoringEndsAt: new Date(refund.monitoring_end_date) }, now);
  return (
    <>
      <PageHeader
        title="Detalhes da infração"
        subtitle={
          <span className={`${styles.states} ${styles.heading}`}>
            <AnalysisPill status={infraction.analysis_status} />
            {isPending ? <DeadlinePill infraction={infraction} /> : null}
            {isOpen && infraction.approval_request ? <AwaitsApprovalPill /> : null}
          </span>
        }
      />
      {isOpen && infraction.approval_request ? (
        <AwaitsApprovalNotice request={infraction.approval_request} dueAt={infraction.analysis_due_date} />
      ) : null}
      {isOpen ? <AnswerNotice /> : null}
      {isOver ? (
        <Notice tone="yellow" title="O prazo para responder terminou">
          A infração não pode mais ser respondida: o valor volta automaticamente ao pagador.
        </Notice>
      ) : null}
      {monitoring === "monitored" ? (
        <Notice tone="yellow" title="Devolução em monitoramento (90 dias)">
          O saldo não cobriu todo o valor. O que falta é devolvido com os valores que entrarem na conta.
        </Notice>
      ) : null}
      {infraction.contested_at && isPending ? (
        <Notice tone="yellow" title="Infração já contestada via e-mail">
          Ela não pode ser respondida por aqui. O parecer da instituição aparece nesta página.
        </Notice>
      ) : null}
      <div className={styles.columns}>
        <InfractionFacts infraction={infraction} monitoring={monitoring ?? undefined} />
        {isOpen && may(answerInfraction, session) ? (
          <DefenceForm infraction={infraction} />
        ) : isOpen && infraction.approval_request ? null : isOpen ? (
          <Notice tone="blue" title="Aguardando resposta">
            Seu perfil permite consultar. Peça a um administrador ou operador que responda.
          </Notice>
        ) : isPending ? null : (
          <GivenAnswer infraction={infraction} />
        )}
      </div>
      {isPending ? null : <RefundHistory infractionId={infraction.id} />}
    </>
  );
}

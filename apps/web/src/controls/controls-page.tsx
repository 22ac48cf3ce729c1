import { type Controls, saveControls } from "@malote/contracts/controls";
import { useQuery } from "@tanstack/react-query";
import { CompanyFrame } from "../company/index.ts";
import { errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { controlsQuery, useSaveControls } from "./api.ts";
import styles from "./controls.module.css";
import { PolicyForm } from "./policy-form.tsx";
import { Requests } from "./requests.tsx";

/**
 * Shows who must approve before money leaves: the company's rules, the waiting requests, and the history of the rules.
 */
export default function ControlsPage() {
  const controls = useQuery(controlsQuery);
  return (
    <CompanyFrame subtitle="Quem precisa aprovar antes que o dinheiro saia da sua empresa.">
      {controls.data ? (
        <Content controls={controls.data} />
      ) : controls.isError ? (
        <FailedQuery title="Não foi possível carregar os controles" query={controls} />
      ) : (
        <LoadingState label="Carregando os controles">
          <Bone height={320} />
        </LoadingState>
      )}
    </CompanyFrame>
  );
}

function Content({ controls }: { controls: Controls }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        {controls.later ? <LaterNotice controls={controls} later={controls.later} /> : null}
        {/* Resets the form when the policy was saved elsewhere. */}
        <PolicyForm key={controls.version} controls={controls} />
      </div>
      <aside className={styles.side}>
        <section className={styles.block} aria-labelledby="pedidos">
          <h2 id="pedidos">Pedidos de aprovação</h2>
          <Requests heading="h3" />
        </section>
        <section className={styles.block} aria-labelledby="historico">
          <h2 id="historico">Histórico</h2>
          <History controls={controls} />
        </section>
      </aside>
    </div>
  );
}

/** Shows the pending change and the button that undoes it; the form below holds the pending values. */
function LaterNotice({ controls, later }: { controls: Controls; later: NonNullable<Controls["later"]> }) {
  const session = useSession();
  const undo = useSaveControls({
    onSuccess: () => toast.good("Mudança desfeita. Valem os controles de antes."),
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível desfazer a mudança.");
      if (text) toast.bad(text);
    },
  });
  return (
    <Notice
      tone="yellow"
      title="Uma mudança ainda vai valer."
      action={
        may(saveControls, session) ? (
          <Button
            size="sm"
            busy={undo.isPending}
            onClick={() => undo.mutate({ version: controls.version, policy: controls.policy })}
          >
            Desfazer a mudança
          </Button>
        ) : undefined
      }
    >
      <span className="small">
        Os controles abaixo, mais frouxos, valem a partir de {formatDateTime(later.in_force_at)}:
      </span>
      <Changes changes={later.changes} />
    </Notice>
  );
}

function Changes({ changes }: { changes: Controls["history"][number]["changes"] }) {
  return changes.map(({ label, value }) => (
    <span key={label} className={`small ${styles.change}`}>
      {label}: {value}
    </span>
  ));
}

function History({ controls: { history } }: { controls: Controls }) {
  if (history.length === 0)
    return <p className={`panel ${styles.empty}`}>Os controles ainda são os do início.</p>;
  return (
    <ol className={`panel ${styles.history}`}>
      {history.map((one) => (
        <li key={one.version}>
          <span>
            {one.made_by}
            {one.approved_by ? `, com a aprovação de ${one.approved_by}` : ""}
          </span>
          <span className="small muted">
            {formatDateTime(one.made_at)}
            {one.in_force_at > one.made_at ? ` · vale a partir de ${formatDateTime(one.in_force_at)}` : ""}
          </span>
          <Changes changes={one.changes} />
        </li>
      ))}
    </ol>
  );
}

import type { PaymentLink } from "@malote/contracts/payment-links";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { CallError, errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { pathOf } from "../shell/routes.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useCreatePaymentLink } from "./api.ts";
import { bodyOf, emptyLinkForm, fieldIds, type LinkField, type LinkForm, problemsOf } from "./link-form.ts";
import { LinkFormFields } from "./link-form-fields.tsx";
import { LinkMadeDialog } from "./link-made-dialog.tsx";
import { LinkSummary } from "./link-summary.tsx";
import styles from "./payment-links.module.css";

const backPath = pathOf("PaymentLinkPage");

export default function NewPaymentLinkPage() {
  const settings = useQuery(companySettingsQuery);
  return (
    <>
      <PageHeader
        title="Criar link de pagamento"
        subtitle={<Link to={backPath}>Voltar para os links de pagamento</Link>}
      />
      {settings.isPending ? (
        <LoadingState label="Carregando as configurações">
          <div className={styles.columns}>
            <Bone height={480} />
            <Bone height={240} />
          </div>
        </LoadingState>
      ) : settings.isError ? (
        <FailedQuery title="Ocorreu um erro ao buscar as configurações." query={settings} />
      ) : (
        <NewLink>
          {(form, problems, change) => (
            <LinkFormFields form={form} problems={problems} settings={settings.data} onChange={change} />
          )}
        </NewLink>
      )}
    </>
  );
}

interface NewLinkProps {
  children: (
    form: LinkForm,
    problems: ReturnType<typeof problemsOf>,
    change: (changed: Partial<LinkForm>) => void,
  ) => ReactNode;
}

const newDraft = () => ({ id: newId(), form: emptyLinkForm });

function NewLink({ children }: NewLinkProps) {
  const navigate = useNavigate();
  // The id is generated before sending: a repeated call is the same link. It is kept with the form, also over
  // a reload.
  const [draft, setDraft] = useState(newDraft);
  const [start, setStart] = useState(draft);
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<Error>();
  const [asksToLeave, setAsksToLeave] = useState(false);
  const [made, setMade] = useState<PaymentLink>();
  const create = useCreatePaymentLink();
  const creating = useOneAtATime();
  const kept = useKeptForm({ keptIn: "link", id: undefined, form: draft, start });
  const offer = kept.offer(setDraft);
  const { form } = draft;
  const problems = attempt > 0 ? problemsOf(form) : {};
  // The first request arrived without its answer reaching us, and the form changed afterwards.
  const wasMadeBefore = refused instanceof CallError && refused.errorCode === "idempotency_key_reused";

  const leave = () => {
    kept.forget();
    void navigate({ to: backPath });
  };
  function change(changed: Partial<LinkForm>) {
    setDraft((before) => ({ ...before, form: { ...before.form, ...changed } }));
    setRefused(undefined);
  }
  function startAnew() {
    const next = newDraft();
    setDraft(next);
    setStart(next);
    setAttempt(0);
    setMade(undefined);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    setRefused(undefined);
    setAttempt((before) => before + 1);
    if (Object.keys(problemsOf(form)).length > 0 || !creating.begin()) return;
    create.mutate(bodyOf(form, draft.id), {
      onSuccess: (link) => {
        setStart(draft);
        kept.forget();
        kept.settle();
        setMade(link);
      },
      onError: setRefused,
      onSettled: creating.end,
    });
  }
  return (
    <>
      {offer ? <KeptFormNotice {...offer} /> : null}
      <div className={styles.columns}>
        <form className={`panel ${styles.form}`} onSubmit={submit} noValidate>
          <ErrorSummary
            attempt={attempt}
            problems={Object.entries(problems).map(([field, message]) => ({
              fieldId: fieldIds[field as LinkField],
              message,
            }))}
          />
          {children(form, problems, change)}
          {wasMadeBefore ? (
            <Notice
              tone="yellow"
              title="O link já foi criado com os dados anteriores"
              alert
              action={
                <Button size="sm" onClick={leave}>
                  Ver links de pagamento
                </Button>
              }
            >
              A resposta se perdeu no caminho. Se os dados não servem mais, exclua aquele link e crie outro.
            </Notice>
          ) : refused ? (
            <Notice tone="red" title="Ocorreu um erro ao criar o Link de Pagamentos." alert>
              {errorSentence(refused, "Tente de novo.")}
            </Notice>
          ) : null}
          <div className={styles.footer}>
            <Button onClick={() => (kept.dirty ? setAsksToLeave(true) : leave())} disabled={create.isPending}>
              Cancelar
            </Button>
            <Button type="submit" look="primary" busy={create.isPending}>
              Criar link
            </Button>
          </div>
        </form>
        <LinkSummary form={form} />
      </div>
      <ConfirmDialog
        opened={asksToLeave}
        title="Sair sem criar o link?"
        confirmLabel="Sair sem criar"
        cancelLabel="Continuar preenchendo"
        danger
        onClose={() => setAsksToLeave(false)}
        onConfirm={leave}
      >
        O que você preencheu será perdido.
      </ConfirmDialog>
      {made ? <LinkMadeDialog link={made} onClose={leave} onAnother={startAnew} /> : null}
    </>
  );
}

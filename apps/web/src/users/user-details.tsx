import type { User } from "@malote/contracts/users";
import { IconMail, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { errorSentence, wasLeft } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import type { Session } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { AccessFields, type AccessValues, problemsOfAccess } from "./access-fields.tsx";
import { useChangeUser, useRemoveUser, useResetTwoFactor, userQuery, useSendPasswordLink } from "./api.ts";
import { SecondFactor } from "./second-factor.tsx";
import styles from "./users.module.css";

interface UserDetailsProps {
  id: string;
  session: Session;
  onClose: () => void;
}

/** COM-022: shows the details over the whole screen. */
export function UserDetails({ id, session, onClose }: UserDetailsProps) {
  const user = useQuery(userQuery(id));
  if (user.data) return <OpenUser user={user.data} session={session} onClose={onClose} />;
  return (
    <FullScreenModal opened title="Usuário" onClose={onClose}>
      {user.isError ? (
        <FailedQuery title="Não foi possível abrir este usuário" query={user} />
      ) : (
        <LoadingState label="Carregando o usuário">
          <div className={styles.form}>
            <Bone height={120} />
            <Bone height={300} />
          </div>
        </LoadingState>
      )}
    </FullScreenModal>
  );
}

/** Reason why this record is read-only, if it is. */
function whyFixed(user: User, session: Session): string | undefined {
  // COM-025: a person's own record is read-only here.
  if (user.id === session.sub) return "Este é o seu usuário. Quem o altera é outro administrador.";
  const own = new Set(session.allowed_applications.map(({ id }) => id));
  return user.applications.every(({ id }) => own.has(id))
    ? undefined
    : "Este usuário usa um produto que você não usa. Quem o altera é um administrador que use todos os produtos dele.";
}

function OpenUser({ user, session, onClose }: { user: User; session: Session; onClose: () => void }) {
  const before = { applications: user.applications.map(({ id }) => id), profile: user.profile };
  /** Undefined until the person chooses, so that a change from elsewhere shows. */
  const [chosen, setChosen] = useState<AccessValues>();
  const values = chosen ?? before;
  const [attempt, setAttempt] = useState(0);
  const [isRemoving, setIsRemoving] = useState(false);
  const formId = useId();
  const change = useChangeUser(user.id);
  const changing = useOneAtATime();
  const fixed = whyFixed(user, session);
  const isChanged =
    values.profile !== before.profile ||
    [...values.applications].sort().join() !== [...before.applications].sort().join();
  useUnsavedWork(isChanged);
  const { askBefore, question } = useDiscardQuestion(
    isChanged,
    "As alterações deste usuário ainda não foram salvas.",
  );
  const found = problemsOfAccess(values);
  const problems = attempt > 0 ? found : {};
  const messages = [
    ...(problems.applications ? [{ fieldId: "produtos", message: problems.applications }] : []),
    ...(problems.profile ? [{ fieldId: "perfil", message: problems.profile }] : []),
  ];

  function submit() {
    setAttempt(attempt + 1);
    const { profile, applications } = values;
    if (Object.keys(found).length > 0 || !profile || !changing.begin()) return;
    change.mutate(
      { profile, applications: [...applications] },
      {
        onSuccess: () => {
          toast.good("Perfil do usuário alterado com sucesso!");
          onClose();
        },
        onError: (error) => {
          const text = errorSentence(error, "Não foi possível alterar o usuário. Tente de novo.");
          if (text) toast.bad(text);
        },
        onSettled: changing.end,
      },
    );
  }
  return (
    <FullScreenModal
      opened
      title={user.name}
      subtitle={user.email}
      onClose={() => (change.isPending ? undefined : askBefore(onClose))}
      actions={
        fixed ? (
          <Button onClick={onClose}>Fechar</Button>
        ) : (
          <>
            <Button
              look="danger"
              icon={<IconTrash size={18} aria-hidden />}
              disabled={change.isPending}
              onClick={() => setIsRemoving(true)}
            >
              Remover usuário
            </Button>
            <Button look="primary" type="submit" form={formId} disabled={!isChanged} busy={change.isPending}>
              Salvar
            </Button>
          </>
        )
      }
    >
      <form
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {fixed ? <Notice tone="blue">{fixed}</Notice> : null}
        <ErrorSummary attempt={attempt} problems={messages} />
        <section className={`panel ${styles.section}`} aria-labelledby="acesso">
          <div className={styles.intro}>
            <h2 id="acesso">Acesso</h2>
            <p className="muted">Ao mudar o acesso, a pessoa é desconectada e entra de novo já com ele.</p>
          </div>
          <div className={styles.fields}>
            <AccessFields
              values={values}
              problems={problems}
              offered={fixed ? user.applications : session.allowed_applications}
              fixed={Boolean(fixed)}
              onChange={setChosen}
            />
          </div>
        </section>
        <section className={`panel ${styles.section}`} aria-labelledby="seguranca">
          <div className={styles.intro}>
            <h2 id="seguranca">Segurança</h2>
            <p className="muted">A senha é só da pessoa: nem você nem o suporte a veem.</p>
          </div>
          <div className={styles.fields}>
            <SecondFactor user={user} />
            {fixed || !user.has_two_factor_enabled ? null : <ResetTwoFactor user={user} />}
            {fixed ? null : <PasswordLink user={user} />}
          </div>
        </section>
      </form>
      {question}
      {isRemoving ? (
        <RemoveUser user={user} onClose={() => setIsRemoving(false)} onRemoved={onClose} />
      ) : null}
    </FullScreenModal>
  );
}

/** Used when the invitation's link expired, or the password was forgotten (decision 0016). */
function PasswordLink({ user }: { user: User }) {
  const send = useSendPasswordLink(user.id);
  const sending = useOneAtATime();
  return (
    <div className={styles.link}>
      <p className="small muted">
        {user.has_password
          ? "Esqueceu a senha? A pessoa recebe por e-mail um link para criar outra."
          : "Ainda não criou a senha. O link do primeiro e-mail vale por 3 dias."}
      </p>
      <Button
        size="sm"
        icon={<IconMail size={16} aria-hidden />}
        busy={send.isPending}
        onClick={() => {
          if (!sending.begin()) return;
          send.mutate(undefined, {
            onSuccess: () => toast.good(`Link enviado para ${user.email}`),
            onError: (error) => {
              const text = errorSentence(error, "Não foi possível enviar o link. Tente de novo.");
              if (text) toast.bad(text);
            },
            onSettled: sending.end,
          });
        }}
      >
        {user.has_password ? "Enviar link para nova senha" : "Enviar novo link"}
      </Button>
    </div>
  );
}

/**
 * For a person without phone and recovery codes: confirmed first, because only the password protects the account
 * afterwards.
 */
function ResetTwoFactor({ user }: { user: User }) {
  const reset = useResetTwoFactor(user.id);
  const resetting = useOneAtATime();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className={styles.link}>
      <p className="small muted">
        Perdeu o celular e os códigos de recuperação? Desative os 2 fatores para a pessoa entrar.
      </p>
      <Button size="sm" look="danger" onClick={() => setIsAsked(true)}>
        Desativar os 2 fatores
      </Button>
      {isAsked ? (
        <ConfirmDialog
          opened
          danger
          title={`Desativar os 2 fatores de ${user.name}?`}
          confirmLabel="Desativar os 2 fatores"
          busy={reset.isPending}
          onClose={() => setIsAsked(false)}
          onConfirm={() => {
            if (!resetting.begin()) return;
            reset.mutate(undefined, {
              onSuccess: () => {
                toast.good("Autenticação em 2 fatores desativada!");
                setIsAsked(false);
              },
              onError: (error) => {
                if (wasLeft(error)) return;
                const text = errorSentence(error, "Não foi possível desativar os 2 fatores. Tente de novo.");
                if (text) toast.bad(text);
                setIsAsked(false);
              },
              onSettled: resetting.end,
            });
          }}
        >
          <p>
            Confirme antes, por telefone ou em pessoa, que foi {user.name} quem pediu. A pessoa é
            desconectada, entra só com a senha até ativar de novo, e recebe um e-mail; os outros
            administradores também.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** COM-024: asks first, naming the person. */
function RemoveUser({
  user,
  onClose,
  onRemoved,
}: {
  user: User;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const remove = useRemoveUser(user.id);
  const removing = useOneAtATime();
  return (
    <ConfirmDialog
      opened
      danger
      title={`Remover o usuário ${user.name}?`}
      confirmLabel="Remover usuário"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => {
        if (!removing.begin()) return;
        remove.mutate(undefined, {
          onSuccess: () => {
            toast.good("Usuário removido com sucesso!");
            onRemoved();
          },
          onError: (error) => {
            if (wasLeft(error)) return;
            const text = errorSentence(error, "Não foi possível remover o usuário. Tente de novo.");
            if (text) toast.bad(text);
            onClose();
          },
          onSettled: removing.end,
        });
      }}
    >
      <p>
        A pessoa é desconectada agora e não entra mais com {user.email}. O que ela fez continua nos
        históricos.
      </p>
    </ConfirmDialog>
  );
}

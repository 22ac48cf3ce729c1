import { changeCompanySettings, saveCompanyBankAccount } from "@malote/contracts/company";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { TwoFactorState } from "../account/index.ts";
import { CallError, errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { may, type Session, useSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { toast } from "../ui/toasts.tsx";
import { firstTimeQuery, useFinishFirstSteps, withdrawalAccountQuery } from "./api.ts";
import { AutomaticCorrection } from "./automatic-correction.tsx";
import styles from "./first-steps.module.css";
import {
  type AccountProblems,
  type AccountValues,
  emptyAccount,
  fieldIdOf,
  readRefusedFields,
  toWithdrawalAccount,
  useAccountProblems,
} from "./withdrawal-account.ts";
import { WithdrawalAccountFields } from "./withdrawal-account-fields.tsx";

interface FirstStepsFormProps {
  onSaved: () => void;
}

/** Sections of FST-002 to FST-004; the profile and the first time decide which ones show. */
export default function FirstStepsForm({ onSaved }: FirstStepsFormProps) {
  const session = useSession();
  const firstTime = useQuery({
    ...firstTimeQuery(session?.company.id ?? ""),
    enabled: session !== undefined,
  });
  const mayFill = may(saveCompanyBankAccount, session) && may(changeCompanySettings, session);
  const saved = useQuery({ ...withdrawalAccountQuery, enabled: mayFill });

  if (!session) return null;
  if (firstTime.isPending || (mayFill && saved.isPending)) {
    return (
      <LoadingState label="Carregando os primeiros passos">
        <div className={styles.bones}>
          <Bone height={260} />
          <Bone height={96} />
          <Bone height={96} />
        </div>
      </LoadingState>
    );
  }
  // FST-025: an unreadable mark counts as set, and each person's own part stays.
  const asksForAll = mayFill && firstTime.data === true;
  if (asksForAll && saved.isError) {
    return <FailedQuery title="Não foi possível carregar os primeiros passos" query={saved} />;
  }
  const account = saved.data ? { ...saved.data, agency_digit: saved.data.agency_digit ?? "" } : undefined;
  return (
    <Sections
      session={session}
      asksForAll={asksForAll}
      initial={account ?? emptyAccount(session.company)}
      onSaved={onSaved}
    />
  );
}

interface SectionsProps {
  session: Session;
  asksForAll: boolean;
  initial: AccountValues;
  onSaved: () => void;
}

function Sections({ session, asksForAll, initial, onSaved }: SectionsProps) {
  const [values, setValues] = useState(initial);
  const [bankCode, setBankCode] = useState<string | null>();
  const [refused, setRefused] = useState<AccountProblems>({});
  const [attempt, setAttempt] = useState(0);
  const finish = useFinishFirstSteps(session);
  const found = useAccountProblems(values, bankCode ?? null);
  const problems = { ...refused, ...(attempt > 0 && asksForAll && found) };
  const isDirty = asksForAll && JSON.stringify(values) !== JSON.stringify(initial);
  useUnsavedWork(isDirty && !finish.isSuccess);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment of success counts, not a new callback
  useEffect(() => {
    if (finish.isSuccess) onSaved();
  }, [finish.isSuccess]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (finish.isPending) return;
    setRefused({});
    setAttempt(attempt + 1);
    if (asksForAll && Object.keys(found).length > 0) return;
    finish.mutate(asksForAll ? toWithdrawalAccount(values) : undefined, {
      onError: (error) => {
        const fields = error instanceof CallError ? readRefusedFields(error.data) : {};
        setRefused(fields);
        setAttempt((before) => before + 1);
        const text = errorSentence(error, "Não foi possível salvar a conta para saque.");
        if (text && Object.keys(fields).length === 0) toast.bad(text);
      },
    });
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary
        attempt={attempt}
        problems={Object.entries(problems).map(([field, message]) => ({
          fieldId: fieldIdOf(field),
          message,
        }))}
      />
      {asksForAll ? (
        <Section
          title="Em qual conta você irá receber seus saques"
          help="É para esta conta que o saldo vai quando você pede um resgate. Só administradores podem trocá-la depois."
        >
          <WithdrawalAccountFields
            values={values}
            problems={problems}
            onBankCode={setBankCode}
            onChange={(changed) => {
              setValues({ ...values, ...changed });
              setRefused({});
            }}
          />
        </Section>
      ) : null}
      <Section
        title="Autenticação em 2 fatores"
        help="Além da senha, um código do seu celular. Protege o dinheiro da empresa mesmo se a senha vazar."
      >
        <TwoFactorState activateLabel="Ativar 2FA agora" />
      </Section>
      {asksForAll ? (
        <Section
          title="Correção automática"
          help="Quando um dado bancário tem um erro conhecido, como um dígito trocado, corrigimos por você antes de pagar."
        >
          <AutomaticCorrection />
        </Section>
      ) : null}
      <div className={styles.submit}>
        <Button type="submit" look="primary" busy={finish.isPending}>
          Finalizar cadastro
        </Button>
      </div>
    </form>
  );
}

function Section({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <section className={`panel ${styles.section}`}>
      <div className={styles.intro}>
        <h2>{title}</h2>
        <p className="muted">{help}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

import type { ValidationErrorOnWire } from "@malote/contracts/validation";
import { type AllowedValidations, validationTypeNames } from "@malote/domain/validation";
import { validationFieldNames } from "@malote/domain/validation-texts";
import type { ValidationType } from "@malote/domain/validation-types";
import { type SyntheticEvent, useId, useRef } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { CallError, errorSentence, issuesOf } from "../shell/call.ts";
import { useKeyOfRequest } from "../shell/key-of-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { RadioPills } from "../ui/radio-pills.tsx";
import { toast } from "../ui/toasts.tsx";
import { useCreateValidation } from "./api.ts";
import { type Filling, useValidationForm } from "./use-validation-form.ts";
import styles from "./validation.module.css";
import { fieldId, ValidationFields } from "./validation-fields.tsx";
import { type ValidationForm as Form, inputOf, kindNames, kinds } from "./validation-form-data.ts";

interface ValidationFormProps {
  settings: AllowedValidations;
  /** Earlier validation that it repeats. */
  again: string | undefined;
  start: Form;
  startType: ValidationType | undefined;
  onMade: (id: string) => void;
}

const kindOptions = kinds.map((value) => ({ value, label: kindNames[value] }));

export function ValidationForm({ settings, again, start, startType, onMade }: ValidationFormProps) {
  const idPrefix = useId();
  const first = useRef<Filling>({ form: start, type: startType }).current;
  const state = useValidationForm(first, settings);
  const create = useCreateValidation();
  const creating = useOneAtATime();
  const keyFor = useKeyOfRequest();
  const kept = useKeptForm({ keptIn: "contacerta", id: again, form: state.filling, start: first });
  const offer = kept.offer(state.recover);
  const { type } = state;

  if (!type) {
    return (
      <EmptyState drawing="lock" title="Sua empresa ainda não usa validações">
        <p>Fale com o suporte para habilitar a validação básica ou o microdepósito.</p>
      </EmptyState>
    );
  }

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    if (!type || !state.submit() || !creating.begin()) return;
    const request = { type, body: inputOf(state.data) };
    create.mutate(
      { ...request, idempotencyKey: keyFor(request) },
      {
        onSuccess: ({ id }) => {
          kept.forget();
          onMade(id);
        },
        onError: (error) => {
          const refused = issuesOf<ValidationErrorOnWire>(error);
          if (refused) state.mergeServer(refused);
          // VAL-014: the toast names the cause of the failure, if known.
          const cause = errorSentence(error, error instanceof CallError ? error.message : undefined);
          if (cause !== undefined)
            toast.bad(`Ocorreu um erro ao realizar a validação${cause && `. ${cause}`}`);
        },
        onSettled: creating.end,
      },
    );
  }

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      {offer ? <KeptFormNotice {...offer} /> : null}
      <ErrorSummary
        attempt={state.attempt}
        problems={state.problems.map(({ field, message }) => ({
          fieldId: fieldId(idPrefix, field),
          message: `${validationFieldNames[field]}: ${message}`,
        }))}
      />
      <section className={`panel ${styles.section}`} aria-labelledby={`${idPrefix}-what`}>
        <h2 id={`${idPrefix}-what`}>O que validar</h2>
        <RadioPills
          legend="Tipo de validação"
          options={state.types.map((value) => ({ value, label: validationTypeNames[value] }))}
          value={type}
          onChange={state.chooseType}
        />
        <p className="small muted">{typeHelp[type]}</p>
        <RadioPills
          legend="Dado a validar"
          options={kindOptions}
          value={state.form.kind}
          onChange={state.chooseKind}
        />
      </section>
      <section className={`panel ${styles.section}`} aria-labelledby={`${idPrefix}-data`}>
        <h2 id={`${idPrefix}-data`}>
          {state.form.kind === "account" ? "Dados da conta" : "Dados da chave Pix"}
        </h2>
        <ValidationFields state={state} type={type} idPrefix={idPrefix} />
        <div className={styles.actions}>
          <Button type="submit" look="primary" busy={create.isPending}>
            Fazer validação
          </Button>
        </div>
      </section>
    </form>
  );
}

const typeHelp: Readonly<Record<ValidationType, string>> = {
  BASIC: "Confere os dados na hora, sem movimentar dinheiro.",
  MICRO_DEPOSIT:
    "Envia R$ 0,01 do saldo da empresa e mostra se ele chegou, com comprovante. Costuma levar segundos.",
};

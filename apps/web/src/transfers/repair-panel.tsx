import type { Transfer } from "@malote/contracts/transfers";
import type { Issue } from "@malote/domain/issues";
import { useEffect, useId, useRef } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { errorSentence, issuesOf } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSaveTransfer } from "./api.ts";
import styles from "./repair-panel.module.css";
import { TransferField, valueLabel } from "./transfer-field.tsx";
import {
  checkForm,
  type FieldName,
  formOfTransfer,
  inputOfDraft,
  type TransferForm,
} from "./transfer-form.ts";
import { suggestedText, writtenSuggestion } from "./transfer-form-fields.tsx";
import { invalidToast, useTransferForm } from "./use-transfer-form.ts";

interface RepairPanelProps {
  batchId: string;
  transfer: Transfer;
  /** Opens the whole form. */
  onOpenForm: () => void;
  /**
   * `if free`: the previous row was just corrected, so the row takes the focus unless the person moved on. `at once`:
   * the person opened this row.
   */
  takesFocus: "at once" | "if free" | "no";
  onSaved: () => void;
}

/** Wrong fields of a row, below it: the mistake, the proposed value, and Salvar. */
export default function RepairPanel({
  batchId,
  transfer,
  onOpenForm,
  takesFocus,
  onSaved,
}: RepairPanelProps) {
  const idPrefix = useId();
  const start = useRef(formOfTransfer(transfer)).current;
  const state = useTransferForm(start, true);
  const save = useSaveTransfer(batchId);
  const box = useRef<HTMLFormElement>(null);
  // Shared with the whole form: a change in either shows in the other.
  const kept = useKeptForm({ keptIn: batchId, id: transfer.id, form: state.form, start });
  const offer = kept.offer(state.change);
  useEffect(() => {
    const isFree = document.activeElement === document.body;
    if (takesFocus === "at once" || (takesFocus === "if free" && isFree))
      box.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [takesFocus]);

  // Fields that were wrong at the start, and those that became wrong meanwhile; a corrected field stays in
  // place.
  const fields = uniqueFields([...(transfer.errors as Issue[]), ...state.errors]);
  const suggestion = (transfer.errors as Issue[]).find((issue) => issue.suggestion)?.suggestion;

  function send(form: TransferForm) {
    if (save.isPending) return;
    const check = checkForm(form, state.facts);
    if (check.errors.length > 0) {
      state.submit();
      toast.bad(invalidToast);
      return;
    }
    save.mutate(
      { id: transfer.id, isNew: false, body: inputOfDraft(check.draft) },
      {
        onSuccess: (saved) => {
          if (saved.errors.length > 0) {
            state.mergeServer(saved.errors as Issue[]);
            toast.bad(invalidToast);
            return;
          }
          kept.forget();
          onSaved();
        },
        onError: (error) => {
          const refused = issuesOf(error);
          if (refused) state.mergeServer(refused);
          const text = errorSentence(error, "Ocorreu um erro ao salvar a transferência");
          if (text) toast.bad(refused ? invalidToast : text);
        },
      },
    );
  }

  return (
    <form
      ref={box}
      className={styles.panel}
      noValidate
      aria-label={`Corrigir o pagamento de ${transfer.destination_bank_account.name ?? "recebedor sem nome"}`}
      onSubmit={(event) => {
        event.preventDefault();
        send(state.form);
      }}
    >
      {offer ? <KeptFormNotice {...offer} /> : null}
      <div className={styles.fields}>
        {fields.map((field) => (
          <TransferField
            key={field}
            field={field}
            idPrefix={idPrefix}
            form={state.form}
            change={state.change}
            onLeave={state.leave}
            error={state.errorOf(field)}
            help={state.warningOf(field) ?? cellText(transfer, field)}
            {...(field === "value" ? { label: valueLabel(state.facts.maxCents[state.check.method]) } : {})}
          />
        ))}
      </div>
      <div className={styles.actions}>
        <Button size="sm" look="quiet" onClick={onOpenForm}>
          Ver o pagamento inteiro
        </Button>
        {suggestion ? (
          <Button
            onClick={() => {
              const next = { ...state.form, ...writtenSuggestion(suggestion, state.form) };
              state.change(next);
              send(next);
            }}
          >
            Usar {suggestedText(suggestion, state.form)}
          </Button>
        ) : null}
        <Button look="primary" type="submit" busy={save.isPending}>
          Salvar
        </Button>
      </div>
    </form>
  );
}

function uniqueFields(issues: readonly Issue[]): FieldName[] {
  const wanted = new Set(issues.map(({ field }) => field as FieldName));
  // A digit is shown beside its number.
  if (wanted.has("account_digit")) wanted.add("account");
  if (wanted.has("agency_digit")) wanted.add("agency");
  if (wanted.has("pix_key")) wanted.add("pix_key_type");
  return order.filter((field) => wanted.has(field));
}

const order: readonly FieldName[] = [
  "name",
  "cpf_cnpj",
  "pix_key_type",
  "pix_key",
  "bank_id",
  "account_type",
  "agency",
  "agency_digit",
  "account",
  "account_digit",
  "email",
  "pix_key_validation",
  "value",
  "payment_date",
  "pix_description",
  "integration_id",
];

const headings: Partial<Record<FieldName, RegExp>> = {
  bank_id: /^banco/i,
  account_type: /tipo de conta/i,
  value: /^valor/i,
  payment_date: /data/i,
  pix_key_type: /tipo de chave/i,
};

/** The sheet's text, when the form could not accept it (an unknown bank, an invalid date). */
function cellText(transfer: Transfer, field: FieldName): string | undefined {
  const heading = headings[field];
  const cell = heading && Object.entries(transfer.sheet_cells ?? {}).find(([name]) => heading.test(name));
  return cell?.[1] ? `Na planilha: “${cell[1]}”` : undefined;
}

import { cents, formatAmount } from "@malote/domain/money";
import { type SyntheticEvent, useId, useState } from "react";
import {
  emptyForm,
  type FieldName,
  fieldNames,
  formOfTransfer,
  suggestedText,
  TransferField,
  type TransferForm,
} from "../transfers/parts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { groupTitle } from "./group-title.ts";
import { type IssueGroup, useFixIssueGroup } from "./open-batch-api.ts";
import { failWith } from "./use-batch-desk.ts";

interface FixGroupDialogProps {
  batchId: string;
  group: IssueGroup;
  onClose: () => void;
}

/** One value for all rows of a group, or each row's own proposed value. */
export default function FixGroupDialog({ batchId, group, onClose }: FixGroupDialogProps) {
  const idPrefix = useId();
  const fix = useFixIssueGroup(batchId);
  const field = group.issue.field as FieldName;
  const suggestion = group.issue.suggestion;
  const [form, setForm] = useState<TransferForm>({ ...emptyForm, account_type: "" });
  const [missing, setMissing] = useState(false);
  const payments = counted(group.count, "pagamento", "pagamentos");

  function send(set?: Record<string, string>) {
    if (fix.isPending) return;
    const { code } = group.issue;
    fix.mutate(
      { code, field, given: group.given, ...(set && { set }) },
      {
        onSuccess: ({ fixed, still_wrong }) => {
          if (fixed > 0) toast.good(`${counted(fixed, "pagamento corrigido", "pagamentos corrigidos")}.`);
          if (still_wrong > 0) {
            toast.info(`${counted(still_wrong, "pagamento ainda tem", "pagamentos ainda têm")} outro erro.`);
          }
          onClose();
        },
        onError: failWith("Não foi possível corrigir os pagamentos. Tente de novo."),
      },
    );
  }
  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    const written = writtenValue(field, form);
    setMissing(written === null);
    if (written !== null) send({ [field]: written });
  }
  return (
    <Dialog
      opened
      onClose={() => (fix.isPending ? undefined : onClose())}
      title={`Corrigir ${payments} iguais`}
      actions={
        <>
          <Button onClick={onClose} disabled={fix.isPending}>
            Cancelar
          </Button>
          {suggestion ? (
            <Button look="primary" busy={fix.isPending} onClick={() => send()}>
              Aceitar as sugestões
            </Button>
          ) : (
            <Button look="primary" type="submit" form={`${idPrefix}-fix`} busy={fix.isPending}>
              Corrigir {payments}
            </Button>
          )}
        </>
      }
    >
      <p className="strong">{groupTitle(group)}</p>
      {suggestion ? (
        <p>
          Cada pagamento recebe o valor sugerido para ele. Por exemplo,{" "}
          <strong className="num">{suggestedText(suggestion, formOfTransfer(group.example))}</strong> para{" "}
          {group.example.destination_bank_account.name ?? "o primeiro"}.
        </p>
      ) : (
        <form id={`${idPrefix}-fix`} noValidate onSubmit={onSubmit}>
          <TransferField
            field={field}
            idPrefix={idPrefix}
            form={form}
            change={(patch) => {
              setForm((before) => ({ ...before, ...patch }));
              setMissing(false);
            }}
            label={`${fieldNames[field].replace(" (opcional)", "")} para todos`}
            error={missing ? "Escolha o valor que vale para todos" : undefined}
            autoFocus
          />
        </form>
      )}
    </Dialog>
  );
}

/** As the server reads it; null while nothing is chosen. No date means today, and no text clears an optional field. */
function writtenValue(field: FieldName, form: TransferForm): string | null {
  if (field === "value") return form.value === null ? null : formatAmount(cents(form.value));
  const text = form[field] ?? "";
  if (field === "payment_date" || optional.has(field)) return text;
  return text.trim() || null;
}

const optional: ReadonlySet<FieldName> = new Set([
  "email",
  "pix_key_validation",
  "pix_description",
  "integration_id",
]);

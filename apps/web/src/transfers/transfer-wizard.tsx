import { refundTransfer, removeTransfer, type Transfer } from "@malote/contracts/transfers";
import { IconTrash } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useLeaveWhenOver, usePaymentWizard, WizardFrame } from "../payments/parts.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveTransfer, useSaveTransfer } from "./api.ts";
import { receiverName } from "./destination-text.ts";
import RefundDialog from "./refund-dialog.tsx";
import { fieldId, nameOfField } from "./transfer-field.tsx";
import {
  emptyForm,
  type FieldName,
  formOfTransfer,
  inputOfDraft,
  type TransferForm,
} from "./transfer-form.ts";
import { TransferFormFields } from "./transfer-form-fields.tsx";
import { failReason } from "./transfer-status.ts";
import { invalidToast, transferFormText, useTransferForm } from "./use-transfer-form.ts";

interface TransferWizardProps {
  batchId: string;
  batchStatus: string;
  /** Left out for a new payment. */
  transfer?: Transfer | undefined;
  /** True when the company lets this person return failed payments. */
  mayReturn?: boolean;
  onClose: () => void;
}

/** TRF-015: title and mode: a correction of a failed payment, or the form. */
function isCorrection(transfer: Transfer | undefined, batchStatus: string): boolean {
  if (!transfer || batchStatus === "DRAFT") return false;
  return failReason(transfer) !== null || (transfer.status === "FAILED" && batchStatus === "RECEIVED");
}

/** The server's own rule: the payment may have been corrected or refunded while the form was open. */
const mayStillBeCorrected = (transfer: Transfer | undefined, batchStatus: string) =>
  transfer?.status === "FAILED" && batchStatus === "RECEIVED";

function initialForm(transfer: Transfer | undefined, corrects: boolean): TransferForm {
  if (!transfer) return emptyForm;
  const form = formOfTransfer(transfer);
  // A corrected payment is paid as soon as possible, because its planned day has passed.
  return corrects ? { ...form, payment_date: null } : form;
}

/** Creates, edits or corrects one payment, on the whole screen (TRF-014 to TRF-048). */
export default function TransferWizard(props: TransferWizardProps) {
  const { batchId, batchStatus, transfer, mayReturn = false, onClose } = props;
  const session = useSession();
  const idPrefix = useId();
  const corrects = isCorrection(transfer, batchStatus);
  const [id, setId] = useState(() => transfer?.id ?? newId());
  const [first] = useState(() => initialForm(transfer, corrects));
  const [asks, setAsks] = useState<"remove" | "refund" | undefined>();
  const [wasCorrection] = useState(corrects);
  const hasErrors = (transfer?.errors.length ?? 0) > 0;
  const state = useTransferForm(first, hasErrors);
  const save = useSaveTransfer(batchId);
  const remove = useRemoveTransfer(batchId);
  const { submit, leave, savedHere, dirty, offer } = usePaymentWizard({
    batchId,
    paymentId: transfer?.id,
    state,
    first,
    emptyForm,
    words: {
      invalid: invalidToast,
      saved: corrects ? "Sua transferência foi corrigida e será processada novamente!" : undefined,
      failed: corrects
        ? "Ocorreu um erro ao editar a transferência"
        : "Ocorreu um erro ao salvar a transferência",
    },
    save: (handlers) =>
      save.mutate({ id, isNew: !transfer, body: bodyOf(state.check.draft, transfer) }, handlers),
    onAnother: () => setId(newId()),
    onClose,
  });

  // Waits for requests in flight, which show their own result.
  const isAsking = save.isPending || asks === "refund";
  useLeaveWhenOver(wasCorrection && !isAsking && !mayStillBeCorrected(transfer, batchStatus), leave);

  const title = transfer ? "Editar pagamento" : "Criar novo pagamento";
  const mayRemove = transfer && batchStatus === "DRAFT" && may(removeTransfer, session);
  const mayRefund = transfer?.status === "FAILED" && corrects && mayReturn && may(refundTransfer, session);
  const problems = state.showAll
    ? state.errors.map((issue) => ({
        fieldId: fieldId(idPrefix, issue.field as FieldName),
        message: `${nameOfField(issue.field)}: ${transferFormText(issue)}`,
      }))
    : [];

  return (
    <WizardFrame
      title={title}
      subtitle={transfer ? receiverName(transfer.destination_bank_account) : savedText(savedHere)}
      headerEnd={
        mayRemove ? (
          <Button look="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsks("remove")}>
            Excluir
          </Button>
        ) : null
      }
      value={state.form.value}
      formId={`${idPrefix}-form`}
      actions={
        <>
          {mayRefund ? <Button onClick={() => setAsks("refund")}>Devolver ao saldo</Button> : null}
          {transfer ? null : (
            <Button busy={save.isPending} onClick={() => submit(true)}>
              Salvar e adicionar outro
            </Button>
          )}
          <Button look="primary" type="submit" form={`${idPrefix}-form`} busy={save.isPending}>
            {corrects ? "Salvar correção" : "Salvar pagamento"}
          </Button>
        </>
      }
      dirty={dirty}
      offer={offer(state.change)}
      problems={problems}
      attempt={state.attempt}
      onSubmit={() => submit(false)}
      onLeave={leave}
      reason={
        corrects && transfer ? (
          <Notice tone="red" title="Motivo da falha informado pelo banco:">
            {failReason(transfer) ?? "O banco não informou o motivo."}
          </Notice>
        ) : null
      }
      dialogs={
        <>
          <ConfirmDialog
            opened={asks === "remove"}
            title="Excluir transferência"
            confirmLabel="Excluir transferência"
            danger
            busy={remove.isPending}
            onClose={() => setAsks(undefined)}
            onConfirm={() =>
              remove.mutate(id, {
                onSuccess: leave,
                onError: (error) => {
                  const text = errorSentence(error, "Ocorreu um erro ao excluir a transferência");
                  if (text) toast.bad(text);
                },
              })
            }
          >
            <p>
              O pagamento para{" "}
              <strong>{transfer ? receiverName(transfer.destination_bank_account) : ""}</strong> sai deste
              lote.
            </p>
          </ConfirmDialog>
          {asks === "refund" && transfer ? (
            <RefundDialog
              batchId={batchId}
              transfer={transfer}
              onClose={() => setAsks(undefined)}
              onRefunded={leave}
            />
          ) : null}
        </>
      }
    >
      <TransferFormFields
        key={savedHere}
        state={state}
        idPrefix={idPrefix}
        transferId={id}
        valueIsFixed={Boolean(transfer && transfer.status !== "CREATED")}
        asksValidation={!transfer || transfer.status === "CREATED" || transfer.status === "FAILED"}
      />
    </WizardFrame>
  );
}

/** A payment by code that is changed to key or account clears the code explicitly: omitted, it would stay. */
const bodyOf = (draft: Parameters<typeof inputOfDraft>[0], before: Transfer | undefined) => ({
  ...(before?.emv ? { emv: null } : {}),
  ...inputOfDraft(draft),
});

function savedText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "1 pagamento incluído neste lote" : `${count} pagamentos incluídos neste lote`;
}

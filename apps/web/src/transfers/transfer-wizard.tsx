import { refundTransfer, removeTransfer, type Transfer } from "@malote/contracts/transfers";
import type { Issue } from "@malote/domain/issues";
import { issueFormText } from "@malote/domain/issues";
import { IconTrash } from "@tabler/icons-react";
import { type SyntheticEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { may, useSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveTransfer, useSaveTransfer } from "./api.ts";
import { receiverName } from "./destination-text.ts";
import { forgetForm, keepForm, keptForm } from "./kept-form.ts";
import { KeptFormNotice } from "./kept-form-notice.tsx";
import RefundDialog from "./refund-dialog.tsx";
import { fieldId, fieldNames } from "./transfer-field.tsx";
import {
  emptyForm,
  type FieldName,
  formOfTransfer,
  inputOfDraft,
  type TransferForm,
} from "./transfer-form.ts";
import { TransferFormFields } from "./transfer-form-fields.tsx";
import { failReason } from "./transfer-status.ts";
import styles from "./transfer-wizard.module.css";
import { invalidToast, useTransferForm } from "./use-transfer-form.ts";

interface TransferWizardProps {
  batchId: string;
  batchStatus: string;
  /** Left out for a new payment. */
  transfer?: Transfer | undefined;
  onClose: () => void;
}

/** TRF-015. */
function isCorrection(transfer: Transfer | undefined, batchStatus: string): boolean {
  if (!transfer || batchStatus === "DRAFT") return false;
  return failReason(transfer) !== null || (transfer.status === "FAILED" && batchStatus === "RECEIVED");
}

/** The server's own rule: somebody may have corrected or refunded the payment while the form was open. */
const mayStillBeCorrected = (transfer: Transfer | undefined, batchStatus: string) =>
  transfer?.status === "FAILED" && batchStatus === "RECEIVED";

const overText = "Este pagamento mudou enquanto o formulário estava aberto. Veja como ele está agora.";

function initialForm(transfer: Transfer | undefined, corrects: boolean): TransferForm {
  if (!transfer) return emptyForm;
  const form = formOfTransfer(transfer);
  // A corrected payment runs as soon as it can; the day it was meant for has passed.
  return corrects ? { ...form, payment_date: null } : form;
}

/** Creates, edits or corrects one payment, on the whole screen (TRF-014 to TRF-048). */
export default function TransferWizard({ batchId, batchStatus, transfer, onClose }: TransferWizardProps) {
  const session = useSession();
  const idPrefix = useId();
  const corrects = isCorrection(transfer, batchStatus);
  const keptUnder = transfer?.id ?? "novo";
  const [id, setId] = useState(() => transfer?.id ?? newId());
  const [start, setStart] = useState(() => initialForm(transfer, corrects));
  const [kept, setKept] = useState(() => keptForm(batchId, keptUnder));
  const [asks, setAsks] = useState<"discard" | "remove" | "refund" | undefined>();
  const [savedHere, setSavedHere] = useState(0);
  const [wasCorrection] = useState(corrects);
  const hasErrors = (transfer?.errors.length ?? 0) > 0;
  const state = useTransferForm(start, hasErrors);
  const save = useSaveTransfer(batchId);
  const saving = useOneAtATime();
  const remove = useRemoveTransfer(batchId);
  const dirty = JSON.stringify(state.form) !== JSON.stringify(start);
  useUnsavedWork(dirty);

  useEffect(() => {
    if (dirty) keepForm(batchId, keptUnder, state.form);
  }, [dirty, batchId, keptUnder, state.form]);

  function leave() {
    forgetForm(batchId, keptUnder);
    onClose();
  }

  // Corrected or refunded elsewhere, or by this form when the answer was lost: there is nothing left to correct.
  // Its own requests speak for themselves first.
  const isAsking = save.isPending || asks === "refund";
  const isOver = wasCorrection && !isAsking && !mayStillBeCorrected(transfer, batchStatus);
  const leaveWhenOver = useEffectEvent(() => {
    toast.info(overText);
    leave();
  });
  useEffect(() => {
    if (isOver) leaveWhenOver();
  }, [isOver]);

  function submit(andAnother: boolean) {
    if (!state.submit()) {
      toast.bad(invalidToast);
      return;
    }
    if (!saving.begin()) return;
    const body = inputOfDraft(state.check.draft);
    save.mutate(
      { id, isNew: !transfer, body },
      {
        onSuccess: (saved) => {
          const errors = saved.errors as Issue[];
          if (errors.length > 0) {
            state.mergeServer(errors);
            toast.bad(invalidToast);
            return;
          }
          forgetForm(batchId, keptUnder);
          if (corrects) toast.good("Sua transferência foi corrigida e será processada novamente!");
          if (!andAnother) {
            onClose();
            return;
          }
          setId(newId());
          setStart(emptyForm);
          setKept(undefined);
          setSavedHere((before) => before + 1);
          state.reset(emptyForm);
        },
        onError: (error) => {
          const refused =
            error instanceof CallError ? (error.data?.["errors"] as Issue[] | undefined) : undefined;
          if (refused) state.mergeServer(refused);
          const text = errorSentence(
            error,
            corrects
              ? "Ocorreu um erro ao editar a transferência"
              : "Ocorreu um erro ao salvar a transferência",
          );
          if (text) toast.bad(refused ? invalidToast : text);
        },
        onSettled: saving.end,
      },
    );
  }

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    submit(false);
  }

  const title = transfer ? "Editar pagamento" : "Criar novo pagamento";
  const mayRemove = transfer && batchStatus === "DRAFT" && may(removeTransfer, session);
  const mayRefund = transfer?.status === "FAILED" && corrects && may(refundTransfer, session);
  const problems = state.showAll
    ? state.errors.map((issue) => ({
        fieldId: fieldId(idPrefix, issue.field as FieldName),
        message: `${nameOf(issue.field)}: ${issueFormText(issue)}`,
      }))
    : [];

  return (
    <FullScreenModal
      opened
      onClose={() => (dirty ? setAsks("discard") : leave())}
      title={title}
      subtitle={transfer ? receiverName(transfer.destination_bank_account) : savedText(savedHere)}
      headerEnd={
        mayRemove ? (
          <Button look="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsks("remove")}>
            Excluir
          </Button>
        ) : null
      }
      {...(state.form.value === null ? {} : { totalCents: state.form.value, totalLabel: "Valor" })}
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
    >
      <form id={`${idPrefix}-form`} className={styles.form} noValidate onSubmit={onSubmit}>
        {corrects && transfer ? (
          <Notice tone="red" title="Motivo da falha informado pelo banco:">
            {failReason(transfer) ?? "O banco não informou o motivo."}
          </Notice>
        ) : null}
        {kept && JSON.stringify(kept) !== JSON.stringify(state.form) ? (
          <KeptFormNotice
            onRecover={() => {
              state.change(kept);
              setKept(undefined);
            }}
            onDiscard={() => {
              forgetForm(batchId, keptUnder);
              setKept(undefined);
            }}
          />
        ) : null}
        <ErrorSummary problems={problems} attempt={state.attempt} />
        <TransferFormFields
          key={savedHere}
          state={state}
          idPrefix={idPrefix}
          transferId={id}
          valueIsFixed={Boolean(transfer && transfer.status !== "CREATED")}
          asksValidation={!transfer || transfer.status === "CREATED" || transfer.status === "FAILED"}
        />
      </form>
      <ConfirmDialog
        opened={asks === "discard"}
        title="Descartar o que foi preenchido?"
        confirmLabel="Descartar"
        cancelLabel="Continuar preenchendo"
        danger
        onConfirm={leave}
        onClose={() => setAsks(undefined)}
      >
        <p>As alterações deste pagamento ainda não foram salvas.</p>
      </ConfirmDialog>
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
          O pagamento para <strong>{transfer ? receiverName(transfer.destination_bank_account) : ""}</strong>{" "}
          sai deste lote.
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
    </FullScreenModal>
  );
}

const nameOf = (field: string) => (fieldNames[field as FieldName] ?? field).replace(" (opcional)", "");

function savedText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "1 pagamento incluído neste lote" : `${count} pagamentos incluídos neste lote`;
}

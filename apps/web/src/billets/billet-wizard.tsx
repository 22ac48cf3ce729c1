import { type Billet, refundBillet, removeBillet } from "@malote/contracts/billets";
import { IconTrash } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";
import { useLeaveWhenOver, usePaymentWizard, WizardFrame } from "../payments/parts.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { counted } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveBillet, useSaveBillet } from "./api.ts";
import { type BilletForm, emptyForm, formOfBillet, inputOfDraft } from "./billet-form.ts";
import { BilletFormFields, fieldId, fieldNames } from "./billet-form-fields.tsx";
import { failReason } from "./billet-status.ts";
import { billetName } from "./billet-text.ts";
import RefundBilletDialog from "./refund-billet-dialog.tsx";
import { useBilletForm } from "./use-billet-form.ts";

interface BilletWizardProps {
  batchId: string;
  batchStatus: string;
  /** Left out for a new billet. */
  billet?: Billet | undefined;
  onClose: () => void;
}

function initialForm(billet: Billet | undefined, corrects: boolean): BilletForm {
  if (!billet) return emptyForm;
  const form = formOfBillet(billet);
  // A corrected billet is paid as soon as it can be; the day it was meant for has passed.
  return corrects ? { ...form, payment_date: null } : form;
}

/** Creates, edits or corrects one billet, on the whole screen (BIL-007 to BIL-022). */
export default function BilletWizard({ batchId, batchStatus, billet, onClose }: BilletWizardProps) {
  const session = useSession();
  const idPrefix = useId();
  const [corrects] = useState(billet !== undefined && batchStatus !== "DRAFT");
  const [id, setId] = useState(() => billet?.id ?? newId());
  const [first] = useState(() => initialForm(billet, corrects));
  const [asks, setAsks] = useState<"remove" | "refund" | undefined>();
  const state = useBilletForm(first, {
    billetId: id,
    fixedValue: corrects ? (billet?.value ?? undefined) : undefined,
    shownFromStart: (billet?.errors.length ?? 0) > 0,
  });
  const save = useSaveBillet(batchId);
  const remove = useRemoveBillet(batchId);
  const [removalKey] = useState(() => newId());
  const { submit, leave, savedHere, dirty, offer } = usePaymentWizard({
    batchId,
    paymentId: billet?.id,
    state,
    first,
    emptyForm,
    words: {
      invalid: "Há dados inválidos no boleto",
      saved: corrects ? "Boleto corrigido! Ele será pago novamente." : "Boleto incluído com sucesso",
      failed: "Ocorreu um erro ao salvar o boleto. Tente salvar novamente!",
    },
    save: (handlers) => save.mutate({ id, isNew: !billet, body: inputOfDraft(state.check.draft) }, handlers),
    onAnother: () => setId(newId()),
    onClose,
  });

  // The next one can be scanned at once.
  useEffect(() => {
    if (savedHere > 0) document.getElementById(fieldId(idPrefix, "barcode"))?.focus();
  }, [savedHere, idPrefix]);

  // The server's own rule. Its own requests speak for themselves first.
  const mayStillBeCorrected = billet?.status === "FAILED" && batchStatus === "RECEIVED";
  const isAsking = save.isPending || asks === "refund";
  useLeaveWhenOver(corrects && !isAsking && !mayStillBeCorrected, leave);

  const mayRemove = billet && batchStatus === "DRAFT" && may(removeBillet, session);
  const mayRefund = corrects && mayStillBeCorrected && may(refundBillet, session);
  return (
    <WizardFrame
      title={billet ? "Editar boleto" : "Adicionar boleto"}
      subtitle={billet ? billetName(billet) : savedText(savedHere)}
      headerEnd={
        mayRemove ? (
          <Button look="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsks("remove")}>
            Excluir
          </Button>
        ) : null
      }
      value={corrects ? state.form.value : state.valueToPay}
      formId={`${idPrefix}-form`}
      actions={
        <>
          {mayRefund ? <Button onClick={() => setAsks("refund")}>Devolver ao saldo</Button> : null}
          {billet ? null : (
            <Button busy={save.isPending} onClick={() => submit(true)}>
              Salvar e adicionar outro
            </Button>
          )}
          <Button look="primary" type="submit" form={`${idPrefix}-form`} busy={save.isPending}>
            {corrects ? "Salvar correção" : "Salvar boleto"}
          </Button>
        </>
      }
      dirty={dirty}
      offer={offer(state.change)}
      problems={state.complaints.map(({ field, text }) => ({
        fieldId: fieldId(idPrefix, field),
        message: `${fieldNames[field]}: ${text}`,
      }))}
      attempt={state.attempt}
      onSubmit={() => submit(false)}
      onLeave={leave}
      reason={
        corrects && billet ? (
          <Notice tone="red" title="Motivo da falha informado pelo banco:">
            {failReason(billet) ?? "O banco não informou o motivo."}
          </Notice>
        ) : null
      }
      dialogs={
        <>
          <ConfirmDialog
            opened={asks === "remove"}
            title="Excluir boleto"
            confirmLabel="Excluir boleto"
            danger
            busy={remove.isPending}
            onClose={() => setAsks(undefined)}
            onConfirm={() =>
              remove.mutate(
                { billetId: id, idempotencyKey: removalKey },
                {
                  onSuccess: () => {
                    toast.good("Boleto excluído com sucesso");
                    leave();
                  },
                  onError: (error) => {
                    const text = errorSentence(
                      error,
                      "Ocorreu um erro ao excluir o boleto. Tente excluir novamente!",
                    );
                    if (text) toast.bad(text);
                  },
                },
              )
            }
          >
            <p>
              O boleto <strong>{billet ? billetName(billet) : ""}</strong> sai deste lote.
            </p>
          </ConfirmDialog>
          {asks === "refund" && billet ? (
            <RefundBilletDialog
              batchId={batchId}
              billet={billet}
              onClose={() => setAsks(undefined)}
              onRefunded={leave}
            />
          ) : null}
        </>
      }
    >
      <BilletFormFields
        key={savedHere}
        state={state}
        idPrefix={idPrefix}
        billetId={id}
        valueIsFixed={corrects}
      />
    </WizardFrame>
  );
}

const savedText = (count: number) =>
  count === 0 ? undefined : counted(count, "boleto incluído neste lote", "boletos incluídos neste lote");

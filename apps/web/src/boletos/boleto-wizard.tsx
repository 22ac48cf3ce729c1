import { type Boleto, refundBoleto, removeBoleto } from "@malote/contracts/boletos";
import { IconTrash } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useRefreshPayments } from "../payments/index.ts";
import { useLeaveWhenOver, usePaymentWizard, WizardFrame } from "../payments/parts.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { counted } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveBoleto, useSaveBoleto } from "./api.ts";
import { type BoletoForm, emptyForm, formOfBoleto, inputOfDraft } from "./boleto-form.ts";
import { BoletoFormFields, fieldId, fieldNames } from "./boleto-form-fields.tsx";
import { failReason } from "./boleto-status.ts";
import { boletoName } from "./boleto-text.ts";
import RefundBoletoDialog from "./refund-boleto-dialog.tsx";
import { useBoletoForm } from "./use-boleto-form.ts";

interface BoletoWizardProps {
  batchId: string;
  batchStatus: string;
  /** Left out for a new boleto. */
  boleto?: Boleto | undefined;
  /** True when the company lets this person return failed payments. */
  mayReturn?: boolean;
  onClose: () => void;
}

function initialForm(boleto: Boleto | undefined, corrects: boolean): BoletoForm {
  if (!boleto) return emptyForm;
  const form = formOfBoleto(boleto);
  // A corrected boleto is paid as soon as possible, because its planned day has passed.
  return corrects ? { ...form, payment_date: null } : form;
}

/** Creates, edits or corrects one boleto, on the whole screen (BIL-007 to BIL-022). */
export default function BoletoWizard(props: BoletoWizardProps) {
  const { batchId, batchStatus, boleto, mayReturn = false, onClose } = props;
  const session = useSession();
  const idPrefix = useId();
  const [corrects] = useState(boleto !== undefined && batchStatus !== "DRAFT");
  const [id, setId] = useState(() => boleto?.id ?? newId());
  const [first] = useState(() => initialForm(boleto, corrects));
  const [asks, setAsks] = useState<"remove" | "refund" | undefined>();
  const state = useBoletoForm(first, {
    billetId: id,
    fixedValue: corrects ? (boleto?.value ?? undefined) : undefined,
    shownFromStart: (boleto?.errors.length ?? 0) > 0,
  });
  const save = useSaveBoleto(batchId);
  const remove = useRemoveBoleto(batchId);
  const [removalKey] = useState(() => newId());
  const { submit, leave, savedHere, dirty, offer } = usePaymentWizard({
    batchId,
    paymentId: boleto?.id,
    state,
    first,
    emptyForm,
    words: {
      invalid: "Há dados inválidos no boleto",
      saved: corrects ? "Boleto corrigido! Ele será pago novamente." : "Boleto incluído com sucesso",
      failed: "Ocorreu um erro ao salvar o boleto. Tente salvar novamente!",
    },
    save: (handlers) => save.mutate({ id, isNew: !boleto, body: inputOfDraft(state.check.draft) }, handlers),
    onAnother: () => setId(newId()),
    onClose,
  });

  // The register's answer becomes the price in the draft, also when the person leaves the form without
  // saving.
  const refresh = useRefreshPayments(batchId);
  const refreshDraft = useEffectEvent(() => void refresh());
  const isRepriced = Boolean(boleto && !corrects && state.registeredAt);
  useEffect(() => (isRepriced ? () => refreshDraft() : undefined), [isRepriced]);

  // The person can scan the next boleto at once.
  useEffect(() => {
    if (savedHere > 0) document.getElementById(fieldId(idPrefix, "barcode"))?.focus();
  }, [savedHere, idPrefix]);

  // The server's own rule. Waits for requests in flight, which show their own result.
  const mayStillBeCorrected = boleto?.status === "FAILED" && batchStatus === "RECEIVED";
  const isAsking = save.isPending || asks === "refund";
  useLeaveWhenOver(corrects && !isAsking && !mayStillBeCorrected, leave);

  const mayRemove = boleto && batchStatus === "DRAFT" && may(removeBoleto, session);
  const mayRefund = corrects && mayStillBeCorrected && mayReturn && may(refundBoleto, session);
  return (
    <WizardFrame
      title={boleto ? "Editar boleto" : "Adicionar boleto"}
      subtitle={boleto ? boletoName(boleto) : savedText(savedHere)}
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
          {boleto ? null : (
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
        corrects && boleto ? (
          <Notice tone="red" title="Motivo da falha informado pelo banco:">
            {failReason(boleto) ?? "O banco não informou o motivo."}
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
              O boleto <strong>{boleto ? boletoName(boleto) : ""}</strong> sai deste lote.
            </p>
          </ConfirmDialog>
          {asks === "refund" && boleto ? (
            <RefundBoletoDialog
              batchId={batchId}
              boleto={boleto}
              onClose={() => setAsks(undefined)}
              onRefunded={leave}
            />
          ) : null}
        </>
      }
    >
      <BoletoFormFields
        key={savedHere}
        state={state}
        idPrefix={idPrefix}
        batchId={batchId}
        billetId={id}
        valueIsFixed={corrects}
      />
    </WizardFrame>
  );
}

const savedText = (count: number) =>
  count === 0 ? undefined : counted(count, "boleto incluído neste lote", "boletos incluídos neste lote");

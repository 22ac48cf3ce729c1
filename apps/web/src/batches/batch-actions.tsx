import {
  approveBatch,
  closeBatch,
  deleteBatch,
  enableBatchEdit,
  rejectBatch,
  sendBatchToApproval,
  setBatchReconciled,
} from "@malote/contracts/batch-life";
import { saveBatch } from "@malote/contracts/batches";
import { IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import { may } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { useEnableEdit, useReconcileBatch } from "./open-batch-api.ts";
import { type BatchDesk, failWith } from "./use-batch-desk.ts";

/** Buttons of the footer; the primary one comes last. */
export function BatchActions({ desk }: { desk: BatchDesk }) {
  switch (desk.view) {
    case "wizard":
      if (desk.step === "first_steps") return null;
      return desk.step === "funding" ? <FundingActions desk={desk} /> : <FormActions desk={desk} />;
    case "approval":
      return <ApprovalActions desk={desk} />;
    case "waiting_receipt":
      return <WaitingActions desk={desk} />;
    case "default":
      return <ReconcileButton desk={desk} />;
  }
}

/** BAT-076, BAT-077: sets a mark for the company's own books. */
function ReconcileButton({ desk }: { desk: BatchDesk }) {
  const { batch, session } = desk;
  const reconcile = useReconcileBatch(desk.id);
  if (batch.status !== "FINISHED" || !may(setBatchReconciled, session)) return null;
  return (
    <Button
      aria-pressed={batch.reconciled}
      busy={reconcile.isPending}
      icon={batch.reconciled ? <IconCircleCheck aria-hidden /> : <IconCircleDashed aria-hidden />}
      onClick={() =>
        reconcile.mutate(!batch.reconciled, {
          onError: failWith(
            batch.reconciled
              ? "Ocorreu um erro ao definir não conciliado"
              : "Ocorreu um erro ao definir conciliado",
          ),
        })
      }
    >
      {batch.reconciled ? "Conciliado" : "Não conciliado"}
    </Button>
  );
}

function FormActions({ desk }: { desk: BatchDesk }) {
  const { batch, session, isNameValid, isFunded, isApproverKnown, needsOtherApprover } = desk;
  const mayClose = may(closeBatch, session) && isApproverKnown && !needsOtherApprover;
  const isBusy = desk.isSaving || desk.isClosing;
  return (
    <>
      {batch.was_imported ? (
        <Button look="quiet" disabled={isBusy} onClick={() => desk.openDialog("delete")}>
          Cancelar importação
        </Button>
      ) : null}
      {may(saveBatch, session) ? (
        <Button disabled={!isNameValid || isBusy} onClick={desk.saveDraft}>
          Salvar rascunho
        </Button>
      ) : null}
      <Button
        look="primary"
        disabled={!isNameValid || !isApproverKnown}
        busy={isBusy}
        onClick={() => void desk.goOn()}
      >
        {mayClose && isFunded ? "Fechar lote" : "Continuar"}
      </Button>
    </>
  );
}

function FundingActions({ desk }: { desk: BatchDesk }) {
  const mayClose = may(closeBatch, desk.session) && !desk.needsOtherApprover;
  return (
    <>
      <Button onClick={() => desk.address.leave("etapa")}>Cancelar</Button>
      {!desk.isApproverKnown ? null : mayClose ? (
        <Button look="primary" busy={desk.isClosing} onClick={desk.askToClose}>
          Pronto para pagar
        </Button>
      ) : may(sendBatchToApproval, desk.session) ? (
        <Button
          look="primary"
          busy={desk.isSending}
          disabled={desk.missingTicks.length > 0}
          onClick={desk.sendToApproval}
        >
          Enviar para aprovação
        </Button>
      ) : null}
    </>
  );
}

function EditButton({ desk }: { desk: BatchDesk }) {
  const edit = useEnableEdit(desk.id);
  if (!may(enableBatchEdit, desk.session)) return null;
  return (
    <Button
      busy={edit.isPending}
      onClick={() => edit.mutate(undefined, { onError: failWith("Houve um problema na edição!") })}
    >
      Editar lote
    </Button>
  );
}

function ApprovalActions({ desk }: { desk: BatchDesk }) {
  return (
    <>
      <EditButton desk={desk} />
      {may(rejectBatch, desk.session) ? (
        <Button
          look="danger"
          // An operator cannot decide about a batch of their own; an operator who approved may still reject.
          disabled={desk.session.profile === "operator" && desk.approvals?.why_not !== null}
          onClick={() => desk.openDialog("reject")}
        >
          Reprovar
        </Button>
      ) : null}
      {may(approveBatch, desk.session) ? (
        <Button
          look="primary"
          busy={desk.isClosing}
          disabled={
            !desk.isApproverKnown || desk.needsOtherApprover || desk.hasExpiredDates || desk.lacksDigest
          }
          onClick={desk.askToClose}
        >
          Aprovar
        </Button>
      ) : null}
    </>
  );
}

function WaitingActions({ desk }: { desk: BatchDesk }) {
  return (
    <>
      {may(deleteBatch, desk.session) ? (
        <Button look="danger" onClick={() => desk.openDialog("delete")}>
          Excluir lote
        </Button>
      ) : null}
      <EditButton desk={desk} />
    </>
  );
}

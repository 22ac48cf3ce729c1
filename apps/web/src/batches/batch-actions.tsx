import {
  closeBatch,
  deleteBatch,
  enableBatchEdit,
  reproveBatch,
  saveBatch,
  sendBatchToApproval,
} from "@malote/contracts/batches";
import { may } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { useEnableEdit } from "./open-batch-api.ts";
import { type BatchDesk, failWith } from "./use-batch-desk.ts";

/** The footer's buttons, the primary one last. */
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
      return null;
  }
}

function FormActions({ desk }: { desk: BatchDesk }) {
  const { batch, session, isNameValid, isFunded, needsOtherApprover } = desk;
  const mayClose = may(closeBatch, session);
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
      <Button look="primary" disabled={!isNameValid} busy={isBusy} onClick={() => void desk.goOn()}>
        {mayClose && isFunded && !needsOtherApprover ? "Fechar lote" : "Continuar"}
      </Button>
    </>
  );
}

function FundingActions({ desk }: { desk: BatchDesk }) {
  const mayClose = may(closeBatch, desk.session) && !desk.needsOtherApprover;
  return (
    <>
      <Button onClick={() => desk.address.leave("etapa")}>Cancelar</Button>
      {mayClose ? (
        <Button look="primary" busy={desk.isClosing} onClick={desk.askToClose}>
          Pronto para pagar
        </Button>
      ) : may(sendBatchToApproval, desk.session) ? (
        <Button look="primary" busy={desk.isSending} onClick={desk.sendToApproval}>
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
      {may(reproveBatch, desk.session) ? (
        <Button look="danger" onClick={() => desk.openDialog("reprove")}>
          Reprovar
        </Button>
      ) : null}
      <Button
        look="primary"
        busy={desk.isClosing}
        disabled={desk.needsOtherApprover}
        onClick={desk.askToClose}
      >
        Aprovar
      </Button>
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

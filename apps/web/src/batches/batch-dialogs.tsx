import { batchNameMax, rejectReasonMax } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import { Suspense, type SyntheticEvent, useId, useState } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { newId } from "../shell/new-id.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { failedPaymentsQuery, useRemoveFailedTransfers } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { counted, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { TextArea, TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./batch-screen.module.css";
import {
  receiversToRemoveQuery,
  useCancelBatch,
  useDeleteBatch,
  useRejectBatch,
  useRenameBatch,
} from "./open-batch-api.ts";
import { ReceiptsDialog } from "./receipts-dialog.tsx";
import { type BatchDesk, failWith } from "./use-batch-desk.ts";

const BatchChecksList = lazyPart(() => import("./batch-checks.tsx"));

interface DialogsProps {
  desk: BatchDesk;
  onDeleted: () => void;
}

/** The dialog that is open; at most one at a time. */
export default function BatchDialogs({ desk, onDeleted }: DialogsProps) {
  switch (desk.dialog) {
    case "confirm":
      return <ConfirmCloseDialog desk={desk} />;
    case "delete":
      return <DeleteDialog desk={desk} onDeleted={onDeleted} />;
    case "rename":
      return <RenameDialog desk={desk} />;
    case "reject":
      return <RejectDialog desk={desk} />;
    case "remove_failed":
      return <RemoveFailedDialog desk={desk} />;
    case "cancel":
      return <CancelDialog desk={desk} />;
    case "receipts":
      return <ReceiptsDialog desk={desk} />;
    case null:
      return null;
  }
}

/** BAT-056: repeats name, number and total, because the payments cannot be changed afterwards. */
function ConfirmCloseDialog({ desk }: { desk: BatchDesk }) {
  const { confirming, batch } = desk;
  if (!confirming) return null;
  const approves = batch.status === "WAITING_APPROVAL";
  return (
    <ConfirmDialog
      opened
      title="Confirmação"
      confirmLabel={approves ? "Aprovar lote" : "Fechar lote"}
      busy={desk.isClosing}
      blocked={desk.missingTicks.length > 0}
      onConfirm={desk.confirmClose}
      onClose={desk.closeDialog}
    >
      <p>
        {approves ? "Aprovar" : "Fechar"} o lote <strong>{confirming.name}</strong> com{" "}
        <strong>{counted(confirming.payments_count, "pagamento", "pagamentos")}</strong>, no total de{" "}
        <strong className="num">{formatMoney(confirming.value)}</strong>?
      </p>
      {desk.hasTicks ? (
        <Suspense fallback={<Bone height={48} />}>
          <BatchChecksList desk={desk} ticks />
        </Suspense>
      ) : null}
      <p className="muted">
        {desk.isCovered
          ? "Depois disso os pagamentos não podem mais ser alterados."
          : "O saldo não cobre este total: os pagamentos começam assim que o valor for recebido."}
      </p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ desk, onDeleted }: DialogsProps) {
  const { batch } = desk;
  const remove = useDeleteBatch(desk.id);
  const isDraft = batch.status === "DRAFT";
  // BAT-071, BAT-072: offers to remove the receivers too, for drafts only.
  const canTakeReceivers = useQuery({ ...receiversToRemoveQuery(desk.id), enabled: isDraft }).data === true;
  const [takesReceivers, setTakesReceivers] = useState(false);
  return (
    <ConfirmDialog
      opened
      title="Excluir lote"
      confirmLabel="Excluir lote"
      danger
      busy={remove.isPending}
      onClose={desk.closeDialog}
      onConfirm={() =>
        remove.mutate(isDraft && canTakeReceivers && takesReceivers, {
          onSuccess: () => {
            toast.good(isDraft ? "Lote excluído com sucesso!" : "Lote excluído com sucesso");
            onDeleted();
            remove.forget();
          },
          onError: failWith("Ocorreu uma falha ao excluir o lote."),
        })
      }
    >
      <p>
        {batch.was_imported ? "A importação será cancelada e o lote " : "Excluir o lote "}
        <strong>{batch.name}</strong>
        {batch.payments_count > 0
          ? `, com ${counted(batch.payments_count, "pagamento", "pagamentos")} no total de ${formatMoney(batch.value)}`
          : ""}
        {batch.was_imported
          ? ", será excluído. Ele não pode ser recuperado."
          : "? Ele não pode ser recuperado."}
      </p>
      {isDraft && canTakeReceivers ? (
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={takesReceivers}
            onChange={(event) => setTakesReceivers(event.currentTarget.checked)}
          />
          Excluir também os recebedores cadastrados com este lote
        </label>
      ) : null}
    </ConfirmDialog>
  );
}

/** BAT-074, BAT-075: asks for confirmation before it cancels a scheduled batch. */
function CancelDialog({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  const cancel = useCancelBatch(desk.id);
  // Retries repeat this idempotency key.
  const [key] = useState(newId);
  return (
    <ConfirmDialog
      opened
      title={`Cancelar o lote ${batch.name}?`}
      confirmLabel="Cancelar lote"
      cancelLabel="Voltar"
      danger
      busy={cancel.isPending}
      onClose={desk.closeDialog}
      onConfirm={() => {
        void checkpoints.create("HAS_CONFIRMED_BATCH_CANCEL");
        cancel.mutate(key, {
          onSuccess: () => toast.good("Lote cancelado com sucesso!"),
          onError: failWith("Houve um problema no cancelamento!"),
          onSettled: desk.closeDialog,
        });
      }}
    >
      <p>
        {counted(
          batch.payments_count,
          "pagamento agendado deixa de ser feito",
          "pagamentos agendados deixam de ser feitos",
        )}
        , e <strong className="num">{formatMoney(batch.value)}</strong> voltam ao saldo. O cancelamento não
        pode ser desfeito.
      </p>
    </ConfirmDialog>
  );
}

function RenameDialog({ desk }: { desk: BatchDesk }) {
  const formId = useId();
  const rename = useRenameBatch(desk.id);
  const [name, setName] = useState(desk.batch.name);
  const isValid = name.trim() !== "";
  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    if (!isValid || rename.isPending) return;
    rename.mutate(name.trim(), {
      onSuccess: () => {
        desk.setName(null);
        desk.closeDialog();
        toast.good("Nome do lote editado com sucesso!");
      },
      onError: failWith("Houve um problema na edição!"),
    });
  }
  return (
    <Dialog
      opened
      onClose={desk.closeDialog}
      title="Renomear lote"
      actions={
        <>
          <Button onClick={desk.closeDialog}>Cancelar</Button>
          <Button look="primary" type="submit" form={formId} disabled={!isValid} busy={rename.isPending}>
            Salvar nome
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit}>
        <TextField
          label="Nome do lote"
          data-autofocus
          autoComplete="off"
          maxLength={batchNameMax}
          value={name}
          error={isValid ? false : "Digite um nome para o lote"}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}

/** BAT-065, BAT-066: rejection with an optional reason. */
function RejectDialog({ desk }: { desk: BatchDesk }) {
  const reject = useRejectBatch(desk.id);
  const [reason, setReason] = useState("");
  const dirty = reason.trim() !== "";
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "O lote ainda não foi reprovado.");
  return (
    <ConfirmDialog
      opened
      title={`Reprovar o lote ${desk.batch.name}?`}
      confirmLabel="Reprovar lote"
      danger
      busy={reject.isPending}
      onClose={() => askBefore(desk.closeDialog)}
      onConfirm={() =>
        reject.mutate(reason, {
          onSuccess: () => {
            desk.closeDialog();
            toast.good("Lote reprovado, o criador do lote receberá um aviso por e-mail");
          },
          onError: failWith("Ocorreu um erro ao reprovar o lote."),
        })
      }
    >
      <p>O lote volta a ser um rascunho e {desk.batch.created_by.name} recebe um aviso por e-mail.</p>
      <TextArea
        label="Motivo (opcional)"
        description={`${reason.length} de ${rejectReasonMax}`}
        minRows={3}
        maxLength={rejectReasonMax}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {question}
    </ConfirmDialog>
  );
}

/** BAT-046, BAT-047: removes the failed payments of a draft. */
function RemoveFailedDialog({ desk }: { desk: BatchDesk }) {
  const failed = useQuery(failedPaymentsQuery(desk.id)).data;
  const isOfBoletos = desk.batch.type === "BILLET";
  const [one, many] = isOfBoletos ? ["boleto", "boletos"] : ["pagamento", "pagamentos"];
  const remove = useRemoveFailedTransfers(desk.id);
  return (
    <ConfirmDialog
      opened
      title="Excluir falhas"
      confirmLabel="Excluir falhas"
      danger
      busy={remove.isPending || !failed}
      onClose={desk.closeDialog}
      onConfirm={() => {
        if (!failed || failed.ids.length === 0) return desk.closeDialog();
        remove.mutate(undefined, {
          onSuccess: () => {
            desk.closeDialog();
            toast.good("Pagamentos com falha excluídos com sucesso!");
          },
          onError: failWith(
            `Ocorreu um erro ao remover ${isOfBoletos ? "os boletos" : "as transferências"}.`,
          ),
        });
      }}
    >
      {failed ? (
        <p>
          Excluir deste lote{" "}
          <strong>{counted(failed.ids.length, `${one} com falha`, `${many} com falha`)}</strong>, no total de{" "}
          <strong className="num">{formatMoney(failed.value)}</strong>? Os demais {many} ficam como estão.
        </p>
      ) : (
        <LoadingState>
          <Bone height={40} />
        </LoadingState>
      )}
    </ConfirmDialog>
  );
}

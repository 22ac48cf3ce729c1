import type { Receiver } from "@malote/contracts/receivers";
import { removeReceiver } from "@malote/contracts/receivers";
import { issueFormText } from "@malote/domain/issues";
import { IconTrash } from "@tabler/icons-react";
import { type SyntheticEvent, useId, useState } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { errorSentence, issuesOf } from "../shell/call.ts";
import { useKeyOfRequest } from "../shell/key-of-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { may, useSession } from "../shell/session.ts";
import { receiverName } from "../transfers/index.ts";
import {
  checkDestinationOfForm,
  emptyForm,
  type FieldName,
  fieldId,
  formOfDestination,
  inputOfDraft,
  nameOfField,
  type TransferForm,
  useTransferForm,
} from "../transfers/parts.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveReceiver, useSaveReceiver } from "./api.ts";
import { LastPayment } from "./last-payment.tsx";
import { ReceiverFields } from "./receiver-fields.tsx";
import styles from "./receiver-modal.module.css";
import { failureOf } from "./receiver-status.ts";

interface ReceiverFormProps {
  /** Left out for a new receiver. */
  receiver?: Receiver | undefined;
  onClose: () => void;
}

const formOf = (receiver: Receiver | undefined): TransferForm =>
  receiver ? { ...emptyForm, ...formOfDestination(receiver) } : emptyForm;

/** Form of one receiver (RCV-009): a payment's form without the payment. */
export function ReceiverForm({ receiver: given, onClose }: ReceiverFormProps) {
  const session = useSession();
  const idPrefix = useId();
  // Snapshot of the record at opening: a fresh answer of the server must not reset the form while the person
  // types.
  const [opened] = useState(given);
  // RCV-012: undefined once another type of key was chosen.
  const [receiver, setReceiver] = useState(opened);
  const newIdOf = useKeyOfRequest();
  const [start, setStart] = useState(() => formOf(opened));
  const [asksToRemove, setAsksToRemove] = useState(false);
  const state = useTransferForm(start, false, checkDestinationOfForm);
  const save = useSaveReceiver();
  const saving = useOneAtATime();
  const remove = useRemoveReceiver();
  const kept = useKeptForm({ keptIn: "recebedores", id: receiver?.id, form: state.form, start });
  const { dirty } = kept;
  const { askBefore, question } = useDiscardQuestion(
    dirty,
    "As alterações deste recebedor ainda não foram salvas.",
  );
  const offer = kept.offer(state.change);

  function leave() {
    kept.forget();
    onClose();
  }

  function begin(next: Receiver | undefined, form: TransferForm) {
    if (dirty) kept.forget();
    setReceiver(next);
    setStart(form);
    state.reset(form);
  }

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    if (!state.submit() || !saving.begin()) return;
    const body = inputOfDraft(state.check.draft).destination_bank_account;
    save.mutate(
      { id: receiver?.id ?? newIdOf(body), isNew: !receiver, body },
      {
        onSuccess: () => {
          toast.good("Recebedor salvo com sucesso");
          leave();
        },
        onError: (error) => {
          const refused = issuesOf(error);
          if (refused) state.mergeServer(refused);
          const text = errorSentence(error, "Ocorreu um erro ao salvar recebedor");
          if (text) toast.bad(text);
        },
        onSettled: saving.end,
      },
    );
  }

  const problems = state.showAll
    ? state.errors.map((issue) => ({
        fieldId: fieldId(idPrefix, issue.field as FieldName),
        message: `${nameOfField(issue.field)}: ${issueFormText(issue)}`,
      }))
    : [];
  const failure = receiver && failureOf(receiver);
  return (
    <FullScreenModal
      opened
      onClose={() => askBefore(leave)}
      title={receiver ? "Editar recebedor" : "Cadastrar novo recebedor"}
      subtitle={receiver ? receiverName(receiver) : undefined}
      headerEnd={
        receiver && may(removeReceiver, session) ? (
          <Button look="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsksToRemove(true)}>
            Excluir
          </Button>
        ) : null
      }
      actions={
        <>
          <Button onClick={() => askBefore(leave)}>Cancelar</Button>
          <Button look="primary" type="submit" form={`${idPrefix}-form`} busy={save.isPending}>
            Salvar recebedor
          </Button>
        </>
      }
    >
      <form id={`${idPrefix}-form`} className={styles.page} noValidate onSubmit={onSubmit}>
        {failure ? (
          <Notice tone="red" title="O último pagamento a este recebedor falhou:">
            {failure}
          </Notice>
        ) : null}
        {opened && !receiver ? (
          <Notice
            tone="blue"
            title="Com outro tipo de chave, este é um novo recebedor."
            action={
              <Button size="sm" onClick={() => askBefore(() => begin(opened, formOf(opened)))}>
                Voltar a editar
              </Button>
            }
          >
            {receiverName(opened)} continua salvo como está.
          </Notice>
        ) : null}
        {/* Hidden after another type of key was chosen, because the form is then for another receiver. */}
        {receiver && given ? <LastPayment receiver={given} /> : null}
        {offer ? <KeptFormNotice {...offer} /> : null}
        <ErrorSummary problems={problems} attempt={state.attempt} />
        <ReceiverFields
          state={state}
          idPrefix={idPrefix}
          // RCV-012: only the type stays, for a saved receiver and for a new one.
          onKeyType={(pix_key_type) => askBefore(() => begin(undefined, { ...emptyForm, pix_key_type }))}
        />
      </form>
      {question}
      {receiver ? (
        <ConfirmDialog
          opened={asksToRemove}
          title="Excluir recebedor"
          confirmLabel="Excluir recebedor"
          danger
          busy={remove.isPending}
          onClose={() => setAsksToRemove(false)}
          onConfirm={() =>
            remove.mutate(receiver.id, {
              onSuccess: () => {
                toast.good("Recebedor excluído com sucesso");
                leave();
              },
              onError: (error) => {
                const text = errorSentence(error, "Ocorreu um erro ao excluir recebedor");
                if (text) toast.bad(text);
              },
            })
          }
        >
          <p>Você tem certeza que deseja excluir esse recebedor?</p>
          <p className="muted">
            <strong>{receiverName(receiver)}</strong> sai da sua lista. Pagamentos já feitos não mudam.
          </p>
        </ConfirmDialog>
      ) : null}
    </FullScreenModal>
  );
}

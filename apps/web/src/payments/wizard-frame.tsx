import { type ReactNode, type SyntheticEvent, useEffect, useEffectEvent } from "react";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { ErrorSummary, type FieldProblem } from "../ui/error-summary.tsx";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { toast } from "../ui/toasts.tsx";
import { KeptFormNotice, type KeptFormOffer } from "./kept-form-notice.tsx";
import styles from "./wizard-frame.module.css";

interface WizardFrameProps {
  title: string;
  subtitle?: string | undefined;
  headerEnd?: ReactNode;
  /** Centavos. */
  value: number | null;
  formId: string;
  /** The footer's buttons, the primary one last. */
  actions: ReactNode;
  /** Something typed is not saved yet: leaving asks first. */
  dirty: boolean;
  /** An earlier form left something behind. */
  offer?: KeptFormOffer | undefined;
  problems: readonly FieldProblem[];
  attempt: number;
  onSubmit: () => void;
  onLeave: () => void;
  /** Above the fields: why the payment failed. */
  reason?: ReactNode;
  /** Questions that lie over the form. */
  dialogs?: ReactNode;
  children: ReactNode;
}

/** One payment's form on the whole screen; nothing typed is lost without asking. */
export function WizardFrame(props: WizardFrameProps) {
  const { value, formId, dirty, offer, onLeave } = props;
  const { askBefore, question } = useDiscardQuestion(
    dirty,
    "As alterações deste pagamento ainda não foram salvas.",
  );
  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    props.onSubmit();
  }
  return (
    <FullScreenModal
      opened
      onClose={() => askBefore(onLeave)}
      title={props.title}
      subtitle={props.subtitle}
      headerEnd={props.headerEnd}
      {...(value === null ? {} : { totalCents: value, totalLabel: "Valor" })}
      actions={props.actions}
    >
      <form id={formId} className={styles.form} noValidate onSubmit={onSubmit}>
        {props.reason}
        {offer ? <KeptFormNotice {...offer} /> : null}
        <ErrorSummary problems={props.problems} attempt={props.attempt} />
        {props.children}
      </form>
      {question}
      {props.dialogs}
    </FullScreenModal>
  );
}

const overText = "Este pagamento mudou enquanto o formulário estava aberto. Veja como ele está agora.";

/** Corrected or refunded elsewhere, or by this form when the answer was lost: there is nothing left to correct. */
export function useLeaveWhenOver(isOver: boolean, leave: () => void): void {
  const leaveWhenOver = useEffectEvent(() => {
    toast.info(overText);
    leave();
  });
  useEffect(() => {
    if (isOver) leaveWhenOver();
  }, [isOver]);
}

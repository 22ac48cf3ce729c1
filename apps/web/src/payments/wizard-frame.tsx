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
  /** Buttons of the footer; the primary one comes last. */
  actions: ReactNode;
  /** True when typed text is not saved yet, so that leaving asks first. */
  dirty: boolean;
  /** Offer of what an earlier form left behind. */
  offer?: KeptFormOffer | undefined;
  problems: readonly FieldProblem[];
  attempt: number;
  onSubmit: () => void;
  onLeave: () => void;
  /** Content above the fields: why the payment failed. */
  reason?: ReactNode;
  /** Dialogs above the form. */
  dialogs?: ReactNode;
  children: ReactNode;
}

/** Form of one payment on the whole screen; asks before what was typed is lost. */
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

/**
 * Leaves when nothing is left to correct: it was corrected or refunded elsewhere, or by this form when the answer was
 * lost.
 */
export function useLeaveWhenOver(isOver: boolean, leave: () => void): void {
  const leaveWhenOver = useEffectEvent(() => {
    toast.info(overText);
    leave();
  });
  useEffect(() => {
    if (isOver) leaveWhenOver();
  }, [isOver]);
}

import { IconX } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import { ModalLayer } from "./modal-layer.tsx";

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons; the primary one comes last. */
  actions?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  /** Requires an answer: no close button, no Escape, no click outside. */
  mustAnswer?: boolean;
}

export function Dialog({ opened, ...rest }: DialogProps) {
  return opened ? <OpenDialog {...rest} /> : null;
}

function OpenDialog(props: Omit<DialogProps, "opened">) {
  const { onClose, title, children, actions, size = "md", mustAnswer = false } = props;
  const titleId = useId();
  return (
    <ModalLayer onClose={onClose} mustAnswer={mustAnswer} labelledBy={titleId} className={styles[size]}>
      <div className={styles.header}>
        <h2 id={titleId}>{title}</h2>
        {mustAnswer ? null : (
          <IconButton label="Fechar" onClick={onClose}>
            <IconX size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className={styles.body}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </ModalLayer>
  );
}

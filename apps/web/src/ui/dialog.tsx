import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Modal.css";
import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/CloseButton.css";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./dialog.module.css";
import { useTopLayer } from "./layers.ts";

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  /** Must be answered: no close button, no Escape, no click beside it. */
  mustAnswer?: boolean;
}

export function Dialog({
  opened,
  onClose,
  title,
  children,
  actions,
  size = "md",
  mustAnswer = false,
}: DialogProps) {
  const isTop = useTopLayer(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeOnEscape={isTop && !mustAnswer}
      closeOnClickOutside={!mustAnswer}
      withCloseButton={!mustAnswer}
      closeButtonProps={{ "aria-label": "Fechar" }}
      overlayProps={{ color: "var(--scrim)", backgroundOpacity: 1, style: { background: "var(--scrim)" } }}
    >
      <div className={styles.body}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </Modal>
  );
}

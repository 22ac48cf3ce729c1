import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Modal.css";
import "@mantine/core/styles/Overlay.css";
import { Modal } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import styles from "./full-screen-modal.module.css";
import { useTopLayer } from "./layers.ts";
import { MoneyText } from "./money-text.tsx";

interface FullScreenModalProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  subtitle?: ReactNode;
  /** Right side of the header: the status, a menu of further actions. */
  headerEnd?: ReactNode;
  /** The figure that must stay in sight, in centavos. */
  totalCents?: number;
  totalLabel?: string;
  /** Footer buttons, the primary one last. */
  actions?: ReactNode;
  /** A column beside the body on wide screens, below it on narrow ones. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The whole screen for one record: header, body, and a footer with the total that never scrolls away. */
export function FullScreenModal(props: FullScreenModalProps) {
  const {
    opened,
    onClose,
    title,
    subtitle,
    headerEnd,
    totalCents,
    totalLabel = "Total",
    actions,
    aside,
    children,
  } = props;
  const isTop = useTopLayer(opened);
  const hasFooter = actions != null || totalCents !== undefined;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      fullScreen
      closeOnEscape={isTop}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content className={styles.content ?? ""}>
        <header className={styles.header}>
          <IconButton label="Fechar" onClick={onClose}>
            <IconX size={20} aria-hidden />
          </IconButton>
          <div className={styles.titles}>
            <Modal.Title component="h1" className={styles.title ?? ""}>
              {title}
            </Modal.Title>
            {subtitle ? <div className="small muted">{subtitle}</div> : null}
          </div>
          {headerEnd}
        </header>
        <div className={styles.scroll}>
          <div className={aside ? styles.columns : styles.single}>
            <div className={styles.main}>{children}</div>
            {aside ? <aside className={styles.aside}>{aside}</aside> : null}
          </div>
        </div>
        {hasFooter ? (
          <footer className={styles.footer}>
            <div className={styles.total} aria-live="polite">
              {totalCents === undefined ? null : (
                <>
                  <span className="small faint">{totalLabel}</span>
                  <MoneyText cents={totalCents} className={styles.figure ?? ""} />
                </>
              )}
            </div>
            <div className={styles.actions}>{actions}</div>
          </footer>
        ) : null}
      </Modal.Content>
    </Modal.Root>
  );
}

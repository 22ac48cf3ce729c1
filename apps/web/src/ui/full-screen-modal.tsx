import { IconX } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { IconButton } from "./button.tsx";
import styles from "./full-screen-modal.module.css";
import { ModalLayer } from "./modal-layer.tsx";
import { MoneyText } from "./money-text.tsx";

interface FullScreenModalProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  subtitle?: ReactNode;
  /** Right side of the header: the status, and a menu of further actions. */
  headerEnd?: ReactNode;
  /** Figure that must stay visible, in centavos. */
  totalCents?: number;
  totalLabel?: string;
  /** Buttons of the footer; the primary one comes last. */
  actions?: ReactNode;
  /** A column beside the body on wide screens, below it on narrow ones. */
  sidePanel?: ReactNode;
  children: ReactNode;
}

/** The whole screen for one record: header, body, and a footer with the total that never scrolls away. */
export function FullScreenModal({ opened, ...rest }: FullScreenModalProps) {
  return opened ? <OpenModal {...rest} /> : null;
}

function OpenModal(props: Omit<FullScreenModalProps, "opened">) {
  const {
    onClose,
    title,
    subtitle,
    headerEnd,
    totalCents,
    totalLabel = "Total",
    actions,
    sidePanel,
    children,
  } = props;
  const titleId = useId();
  const hasFooter = actions != null || totalCents !== undefined;
  return (
    <ModalLayer onClose={onClose} place="full" labelledBy={titleId} className={styles.content}>
      <div className={styles.header}>
        <IconButton label="Fechar" onClick={onClose}>
          <IconX size={20} aria-hidden />
        </IconButton>
        <div className={styles.titles}>
          <h1 id={titleId} className={styles.title}>
            {title}
          </h1>
          {subtitle ? <div className="small muted">{subtitle}</div> : null}
        </div>
        {headerEnd}
      </div>
      <div className={styles.scroll} data-scroll>
        <div className={sidePanel ? styles.columns : styles.single}>
          <div className={styles.main}>{children}</div>
          {sidePanel ? <aside className={styles.sidePanel}>{sidePanel}</aside> : null}
        </div>
      </div>
      {hasFooter ? (
        <div className={styles.footer}>
          <div className={styles.total} aria-live="polite">
            {totalCents === undefined ? null : (
              <>
                <span className="small faint">{totalLabel}</span>
                <MoneyText cents={totalCents} className={styles.figure ?? ""} />
              </>
            )}
          </div>
          <div className={styles.actions}>{actions}</div>
        </div>
      ) : null}
    </ModalLayer>
  );
}

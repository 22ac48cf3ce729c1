import type { ReactNode } from "react";
import { HistorySection, paymentHistoryQuery } from "../history/parts.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { type NamedLook, StatusPill } from "../ui/status-pill.tsx";
import { paymentKeys } from "./keys.ts";
import styles from "./payment-details.module.css";

/** Name, value, and the text that the copy button puts on the clipboard. A line without a value is left out. */
export type DetailLine = [label: string, text: ReactNode, copies?: string | null];

interface PaymentDetailsProps {
  id: string;
  title: string;
  /** Centavos. */
  value: number | null;
  look: NamedLook;
  failReason: string | null;
  lines: readonly DetailLine[];
  onClose: () => void;
  actions?: ReactNode;
  /** Content between the figure and the lines. */
  children?: ReactNode;
}

/** One payment, read-only, with copy buttons for the values that people paste. */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { value, look, failReason } = props;
  const lines = props.lines.filter(([, text]) => text !== null && text !== undefined && text !== "");
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={props.title}
      size="lg"
      actions={
        <>
          <Button onClick={props.onClose} data-autofocus>
            Voltar
          </Button>
          {props.actions}
        </>
      }
    >
      <div className={styles.head}>
        {value === null ? null : <MoneyText cents={value} className={styles.figure ?? ""} />}
        <StatusPill color={look.color} shape={look.shape}>
          {look.name}
        </StatusPill>
      </div>
      {props.children}
      {failReason ? (
        <Notice tone="red" title="Motivo da falha informado pelo banco:">
          {failReason}
        </Notice>
      ) : null}
      <dl className={styles.list}>
        {lines.map(([label, text, copies]) => (
          <div key={label} className={styles.line}>
            <dt className="muted">{label}</dt>
            <dd className="num" style={{ whiteSpace: "normal" }}>
              {text}
            </dd>
            <dd>{copies ? <CopyButton text={copies} label={`Copiar ${label}`} /> : null}</dd>
          </div>
        ))}
      </dl>
      <HistorySection query={paymentHistoryQuery(paymentKeys.one(props.id), props.id)} />
    </Dialog>
  );
}

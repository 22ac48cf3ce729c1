import type { ReactNode } from "react";
import { cutText, unbroken } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { type NamedLook, StatusPill } from "../ui/status-pill.tsx";
import styles from "./payment-list.module.css";

interface PaymentRowProps {
  /** Two or three characters, or an icon. */
  tile: ReactNode;
  title: string;
  titleMax: number;
  under: string;
  where: ReactNode;
  /** Centavos. */
  value: number | null;
  look: NamedLook;
  /** Text that the pill cannot hold. */
  note?: string | undefined;
  noteIsWrong?: boolean;
  /** Mistakes in whole sentences, under the name. */
  problem?: string | undefined;
  /** Explanation of the value. */
  detail?: string | undefined;
  /** Data that does not come from this payment alone. */
  marked?: string | undefined;
  onOpen: () => void;
  end?: ReactNode;
}

/** One payment on one line; on phones, on three. */
export function PaymentRow(props: PaymentRowProps) {
  const { title, value, look, note, noteIsWrong = false } = props;
  return (
    <div className={styles.row}>
      <span className={styles.tile} aria-hidden>
        {props.tile}
      </span>
      <div className={styles.who}>
        <button type="button" className={styles.open} title={title} onClick={props.onOpen}>
          {cutText(title, props.titleMax)}
        </button>
        <span className="small faint">{props.under}</span>
      </div>
      <span className={`${styles.where} small muted`}>{props.where}</span>
      <span className={styles.value}>
        {value === null ? <span className="faint">Sem valor</span> : <MoneyText cents={value} />}
      </span>
      <div className={styles.pill}>
        <StatusPill color={look.color} shape={look.shape}>
          <span className="cut" title={look.name}>
            {look.name}
          </span>
        </StatusPill>
        {note ? (
          <span className={`small ${noteIsWrong ? styles.wrong : "muted"}`}>{unbroken(note)}</span>
        ) : null}
      </div>
      <span className={styles.end}>{props.end}</span>
      {props.problem || props.detail || props.marked ? (
        <div className={styles.said}>
          {props.problem ? <span className={`small ${styles.wrong}`}>{props.problem}</span> : null}
          {props.detail ? <span className="small muted">{unbroken(props.detail)}</span> : null}
          {props.marked ? <span className={`small ${styles.marked}`}>{props.marked}</span> : null}
        </div>
      ) : null}
    </div>
  );
}

import type { ReactNode } from "react";
import { cutText } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { type NamedLook, StatusPill } from "../ui/status-pill.tsx";
import styles from "./payment-list.module.css";

interface PaymentRowProps {
  /** Two or three characters, or a mark. */
  tile: ReactNode;
  title: string;
  titleMax: number;
  under: string;
  where: ReactNode;
  /** Centavos. */
  value: number | null;
  look: NamedLook;
  /** What the pill cannot hold. */
  note?: string | undefined;
  noteIsWrong?: boolean;
  onOpen: () => void;
  end?: ReactNode;
}

/** One payment on one line; on telephones, on three. */
export function PaymentRow(props: PaymentRowProps) {
  const { title, value, look, note, noteIsWrong = false } = props;
  return (
    <div className={styles.row}>
      <span className={styles.tile} aria-hidden>
        {props.tile}
      </span>
      <div className={styles.who}>
        <button type="button" className={`${styles.open} cut`} title={title} onClick={props.onOpen}>
          {cutText(title, props.titleMax)}
        </button>
        <span className="small faint cut num">{props.under}</span>
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
          <span
            className={`small cut ${noteIsWrong ? styles.wrong : "muted"}`}
            style={{ maxWidth: "100%" }}
            title={note}
          >
            {note}
          </span>
        ) : null}
      </div>
      <span className={styles.end}>{props.end}</span>
    </div>
  );
}

import type { Payin } from "@malote/contracts/payins";
import { HistorySection, payinHistoryQuery } from "../history/parts.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { payinQuery } from "./api.ts";
import { payinLines } from "./payin-lines.ts";
import { Blocked, Contested, PaidTwice, Rejection } from "./payin-notices.tsx";
import { PayinRefunds } from "./payin-refunds.tsx";
import styles from "./payins.module.css";
import { PayinPill } from "./payins-table.tsx";

interface DetailsProps {
  payin: Payin;
  obstacle: string | undefined;
  onRefund: (() => void) | undefined;
}

/** Facts of a payin, its history, and its refunds. */
export function PayinDetails({ payin, obstacle, onRefund }: DetailsProps) {
  const { amount, status, block } = payin;
  return (
    <>
      <div className={styles.head}>
        <div className={styles.section}>
          <MoneyText cents={amount} className={styles.amount ?? ""} />
          <span className="muted">{payin.payer.name ?? "Pagador não informado"}</span>
        </div>
        <PayinPill status={status} />
      </div>
      {block ? <Blocked status={status} block={block} /> : null}
      {payin.paid_twice ? <PaidTwice payin={payin} onRefund={onRefund} /> : null}
      <Contested payin={payin} />
      {payin.details.rejection_reason ? <Rejection code={payin.details.rejection_reason} /> : null}
      <dl className={styles.lines}>
        {payinLines(payin).map(({ label, text, shown = text, copy }) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd>
              <span title={shown === text ? undefined : text}>{shown}</span>
              {copy ? <CopyButton text={text} label={copy} /> : null}
            </dd>
          </div>
        ))}
      </dl>
      {obstacle ? (
        <p className="small muted">
          Não pode ser devolvido: {obstacle.charAt(0).toLowerCase() + obstacle.slice(1)}
        </p>
      ) : null}
      <PayinRefunds id={payin.id} name={payin.payer.name} />
      <HistorySection query={payinHistoryQuery(payinQuery(payin.id).queryKey, payin.id)} />
    </>
  );
}

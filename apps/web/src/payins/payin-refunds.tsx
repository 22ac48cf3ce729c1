import type { PayinRefund } from "@malote/contracts/payins";
import { useQuery } from "@tanstack/react-query";
import { FailedNotice } from "../shell/failed-query.tsx";
import { formatDateTime } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { fetchRefundReceipt, payinRefundsQuery } from "./api.ts";
import styles from "./payins.module.css";
import { ReceiptDownload } from "./receipt-download.tsx";

const refundLooks: Record<PayinRefund["status"], Parameters<typeof StatusPill>[0]> = {
  processing: { color: "white", shape: "spinner", children: "Processando" },
  succeeded: { color: "green", shape: "check", children: "Devolvido" },
  failed: { color: "red", shape: "dash", children: "Não devolvido" },
};

/** PAY-033, PAY-034: refunds of a payin, failed ones too. */
export function PayinRefunds({ id, name }: { id: string; name: string | null }) {
  const refunds = useQuery(payinRefundsQuery(id));
  const { data } = refunds;
  const failed = refunds.isError ? (
    <FailedNotice title="Não foi possível carregar as devoluções" query={refunds} />
  ) : null;
  if (!data || data.items.length === 0) return failed;
  return (
    <section className={styles.section} aria-label="Devoluções">
      <h3>Devoluções</h3>
      {failed}
      {data.items.map((refund) => (
        <div key={refund.id} className={styles.refund}>
          <div className={styles.refundHead}>
            <span>
              <MoneyText cents={refund.amount} />{" "}
              <span className="small muted num">{formatDateTime(refund.created_at)}</span>
            </span>
            <span className={styles.refundEnd}>
              {refund.receipt_file_url ? (
                <ReceiptDownload
                  size="sm"
                  label="Comprovante da devolução"
                  name={name}
                  fetch={() => fetchRefundReceipt(id, refund.id)}
                />
              ) : null}
              <StatusPill {...refundLooks[refund.status]} />
            </span>
          </div>
          {refund.error ? (
            <p className="small">
              <strong>Ocorreu um erro nessa tentativa de cobrança</strong>
              <span className="muted"> {refund.error}</span>
            </p>
          ) : null}
        </div>
      ))}
    </section>
  );
}

import type { Payin, PayinRefund } from "@malote/contracts/payins";
import { cardRejections } from "@malote/domain/card-rejections";
import { payinIdShownMax } from "@malote/domain/limits";
import { fineNames, interestNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId, isObfuscatedTaxId } from "@malote/domain/tax-id";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { cutText, formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { payinQuery, payinRefundsQuery } from "./api.ts";
import styles from "./payins.module.css";
import { PayinPill } from "./payins-table.tsx";
import { isRefundable, mayRefund, refundObstacle, refundTip } from "./refund-rules.ts";

interface PayinDialogProps {
  id: string;
  onRefund: (payin: Payin) => void;
  onClose: () => void;
}

/** All there is to say of a payin, and its refunds. */
export default function PayinDialog({ id, onRefund, onClose }: PayinDialogProps) {
  const session = useSession();
  const { data: payin, ...asked } = useQuery(payinQuery(id));
  const canRefund = payin && mayRefund(payin, session);
  // PAY-026.
  const isOff = payin && (!isRefundable(payin) || payin.rejected_at !== null);
  return (
    <Dialog
      opened
      size="lg"
      title="Detalhes do recebimento"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Fechar detalhes</Button>
          {canRefund ? (
            <Button
              icon={<IconArrowBackUp aria-hidden />}
              title={refundTip(payin)}
              disabled={isOff}
              onClick={() => onRefund(payin)}
            >
              Devolver
            </Button>
          ) : null}
        </>
      }
    >
      {payin ? (
        <>
          {asked.isError ? (
            <FailedNotice title="Não foi possível atualizar o recebimento" query={asked} />
          ) : null}
          <Details payin={payin} obstacle={canRefund ? refundObstacle(payin) : undefined} />
        </>
      ) : asked.isError ? (
        <FailedQuery title="Ocorreu um erro ao buscar o recebimento" query={asked} />
      ) : (
        <LoadingState label="Carregando o recebimento">
          <Bone height={320} />
        </LoadingState>
      )}
    </Dialog>
  );
}

function Details({ payin, obstacle }: { payin: Payin; obstacle: string | undefined }) {
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
      {status === "blocked" && block ? (
        // PAY-024.
        <Notice tone="yellow" title="Recebimento com bloqueio cautelar">
          Há suspeita de fraude, e {formatMoney(block.amount)} ficam fora do seu saldo enquanto ela é
          analisada. O bloqueio dura até 72 horas. Depois, o recebimento pode continuar bloqueado, voltar a
          ser recebido ou ser devolvido ao pagador.
        </Notice>
      ) : null}
      {payin.details.rejection_reason ? <Rejection code={payin.details.rejection_reason} /> : null}
      <dl className={styles.lines}>
        {linesOf(payin).map(({ label, text, shown = text, copy }) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd>
              <span title={shown === text ? undefined : text}>{shown}</span>
              {copy ? <CopyButton text={text} label={copy} /> : null}
            </dd>
          </div>
        ))}
      </dl>
      {obstacle ? <p className="small muted">Não pode ser devolvido: {obstacle}.</p> : null}
      <Refunds id={payin.id} />
    </>
  );
}

/** PAY-025: an unknown code stands for itself. */
function Rejection({ code }: { code: string }) {
  const message = cardRejections[code];
  return (
    <Notice tone="red" title={message ? "Venda negada" : `Venda negada: ${code}`}>
      {message ? (
        <>
          {message} <span className="small faint">Código: {code}</span>
        </>
      ) : null}
    </Notice>
  );
}

interface Line {
  label: string;
  text: string;
  /** Where the whole text is too long. */
  shown?: string;
  copy?: string;
}

function linesOf(payin: Payin): Line[] {
  const { payer, details, block, category } = payin;
  const { interest_type: interest, fine_type: fine } = details;
  const lines: (Line | null | false | "" | undefined)[] = [
    payer.tax_id && {
      label: "CPF ou CNPJ",
      text: formatTaxId(payer.tax_id),
      ...(!isObfuscatedTaxId(payer.tax_id) && { copy: "Copiar CPF ou CNPJ" }),
    },
    { label: "Método", text: payinTypeNames[payin.payment_type] },
    category === "settlement" && { label: "Origem", text: "Repasse de recebíveis de cartão" },
    payin.original_amount !== null && { label: "Valor cobrado", text: formatMoney(payin.original_amount) },
    { label: "Valor recebido", text: formatMoney(payin.received_amount) },
    payin.refunded_amount > 0 && { label: "Valor devolvido", text: formatMoney(payin.refunded_amount) },
    { label: "Criado em", text: formatDateTime(payin.created_at) },
    payin.received_at && { label: "Recebido em", text: formatDateTime(payin.received_at) },
    payin.rejected_at && { label: "Rejeitado em", text: formatDateTime(payin.rejected_at) },
    payin.expires_at &&
      payin.status === "pending" && { label: "Pode ser pago até", text: formatDateTime(payin.expires_at) },
    payin.refundable_amount > 0 &&
      payin.refund_expires_at && {
        label: "Pode ser devolvido até",
        text: formatDateTime(payin.refund_expires_at),
      },
    details.due_date && { label: "Vencimento", text: formatDate(details.due_date) },
    details.installments !== null && {
      label: "Parcelas",
      text: details.installments === 1 ? "À vista" : `${details.installments}x`,
    },
    details.authorization_code && {
      label: "Código de autorização",
      text: details.authorization_code,
      copy: "Copiar código de autorização",
    },
    details.pix_key && { label: "Chave Pix", text: details.pix_key, copy: "Copiar chave Pix" },
    details.digitable_line && {
      label: "Linha digitável",
      text: details.digitable_line,
      copy: "Copiar linha digitável",
    },
    interest && {
      label: "Juros",
      text: `${interestNames[interest] ?? interest}${rateOf(details, "interest")}`,
    },
    fine && { label: "Multa", text: `${fineNames[fine] ?? fine}${rateOf(details, "fine")}` },
    block && { label: "Bloqueado em", text: formatDateTime(block.blocked_at) },
    block?.unblocked_at && { label: "Desbloqueado em", text: formatDateTime(block.unblocked_at) },
    payin.end_to_end_id && { label: "ID Pix", text: payin.end_to_end_id, copy: "Copiar ID Pix" },
    {
      label: "ID do recebimento",
      text: payin.id,
      // PAY-010.
      shown: cutText(payin.id, payinIdShownMax),
      copy: "Copiar ID do recebimento",
    },
  ];
  return lines.filter((line): line is Line => Boolean(line));
}

function rateOf(details: Payin["details"], of: "interest" | "fine"): string {
  const [amount, percent] = [details[`${of}_amount`], details[`${of}_percent`]];
  if (amount !== null) return ` · ${formatMoney(amount)}`;
  return percent === null ? "" : ` · ${String(percent).replace(".", ",")}%`;
}

const refundLooks: Record<PayinRefund["status"], Parameters<typeof StatusPill>[0]> = {
  processing: { color: "white", shape: "spinner", children: "Processando" },
  succeeded: { color: "green", shape: "check", children: "Devolvido" },
  failed: { color: "red", shape: "dash", children: "Não devolvido" },
};

/** PAY-033, PAY-034. */
function Refunds({ id }: { id: string }) {
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
            <StatusPill {...refundLooks[refund.status]} />
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

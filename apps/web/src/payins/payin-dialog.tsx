import type { Payin, PayinRefund } from "@malote/contracts/payins";
import { cardRejections } from "@malote/domain/card-rejections";
import { payinIdShownMax } from "@malote/domain/limits";
import { fineNames, interestNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId, isObfuscatedTaxId } from "@malote/domain/tax-id";
import { IconArrowBackUp, IconReceipt } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { HistorySection, payinHistoryQuery } from "../history/parts.ts";
import { ReceiptsFailedDialog, receiptFileName, saveReceipt } from "../receipts/index.ts";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { cutText, formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { fetchPayinReceipt, fetchRefundReceipt, payinQuery, payinRefundsQuery } from "./api.ts";
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
          {payin?.boleto_url ? (
            <a className={buttonClass()} href={payin.boleto_url} target="_blank" rel="noreferrer">
              Abrir segunda via
            </a>
          ) : null}
          {payin?.receipt_file_url ? (
            <ReceiptDownload
              name={payin.payer.name}
              fetch={() => fetchPayinReceipt(payin.id)}
              label="Baixar comprovante"
            />
          ) : null}
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
          <Details
            payin={payin}
            obstacle={canRefund ? refundObstacle(payin) : undefined}
            onRefund={canRefund && !isOff ? () => onRefund(payin) : undefined}
          />
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

interface ReceiptDownloadProps {
  label: string;
  /** Whom its file is named after. */
  name: string | null;
  fetch: () => Promise<Blob>;
  size?: "sm";
}

/** Made at this moment and saved (PAY-020, PAY-033). */
function ReceiptDownload({ label, name, fetch, size }: ReceiptDownloadProps) {
  const download = useMutation({
    mutationFn: fetch,
    onSuccess: (pdf) => saveReceipt(pdf, receiptFileName("comprovante", name ?? "recebimento", "pdf")),
  });
  return (
    <>
      <Button
        {...(size && { size })}
        icon={<IconReceipt aria-hidden />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        {label}
      </Button>
      {download.isError ? <ReceiptsFailedDialog error={download.error} onClose={download.reset} /> : null}
    </>
  );
}

/** A contested Pix: the answer is given on its own page, and giving it back here is one. */
function Contested({ payin: { infraction_ids: ids, refundable_amount: left } }: { payin: Payin }) {
  const path = useNamedPath("InfractionPage");
  if (ids.length === 0) return null;
  return (
    <Notice tone="yellow" title="O pagador contestou este Pix">
      {left > 0 ? "O que for devolvido aqui não precisa ser devolvido de novo pela contestação. " : null}
      {path
        ? ids.map((id, index) => (
            <span key={id}>
              {index > 0 ? " · " : null}
              <Link to={path} params={{ infractionId: id }}>
                {ids.length === 1 ? "Ver a contestação" : `Ver a contestação ${index + 1}`}
              </Link>
            </span>
          ))
        : null}
    </Notice>
  );
}

interface DetailsProps {
  payin: Payin;
  obstacle: string | undefined;
  onRefund: (() => void) | undefined;
}

function Details({ payin, obstacle, onRefund }: DetailsProps) {
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
      {obstacle ? (
        <p className="small muted">
          Não pode ser devolvido: {obstacle.charAt(0).toLowerCase() + obstacle.slice(1)}
        </p>
      ) : null}
      <Refunds id={payin.id} name={payin.payer.name} />
      <HistorySection query={payinHistoryQuery(payinQuery(payin.id).queryKey, payin.id)} />
    </>
  );
}

/** PAY-024: while a precautionary block is analysed, and each of its three ends. */
function Blocked({ status, block }: { status: Payin["status"]; block: NonNullable<Payin["block"]> }) {
  const amount = formatMoney(block.amount);
  if (status === "rejected")
    return (
      <Notice tone="red" title="Bloqueio cautelar encerrado: devolução ao pagador">
        A instituição concluiu que há fraude e está devolvendo {amount} ao pagador.
      </Notice>
    );
  if (status === "blocked" && block.kept_at)
    return (
      <Notice tone="yellow" title="Recebimento continua bloqueado">
        A análise terminou em {formatDateTime(block.kept_at)} e {amount} continuam fora do seu saldo, até que
        a instituição libere o valor ou o devolva ao pagador.
      </Notice>
    );
  if (status === "blocked")
    return (
      <Notice tone="yellow" title="Recebimento com bloqueio cautelar">
        Há suspeita de fraude, e {amount} ficam fora do seu saldo enquanto ela é analisada. O bloqueio dura
        até 72 horas. Depois, o recebimento pode continuar bloqueado, voltar a ser recebido ou ser devolvido
        ao pagador.
      </Notice>
    );
  if (status === "received" && block.unblocked_at)
    return (
      <Notice tone="green" title="Bloqueio cautelar encerrado: valor liberado">
        {amount} voltaram ao seu saldo em {formatDateTime(block.unblocked_at)}.
      </Notice>
    );
  return null;
}

/** Two people paid the same, or one paid twice: the money is the company's until it gives one of them back. */
function PaidTwice({ payin, onRefund }: Pick<DetailsProps, "payin" | "onRefund">) {
  if (payin.status === "refunded" || payin.status === "refunding") return null;
  return (
    <Notice
      tone="yellow"
      title="Pago em dobro"
      action={
        onRefund ? (
          <Button icon={<IconArrowBackUp aria-hidden />} onClick={onRefund}>
            Devolver {formatMoney(payin.refundable_amount)}
          </Button>
        ) : undefined
      }
    >
      Este pagamento chegou quando a cobrança já estava paga.{" "}
      {isRefundable(payin)
        ? "Se o valor não é devido, devolva a quem pagou."
        : "Se o valor não é devido, combine com quem pagou e envie por transferência."}
    </Notice>
  );
}

/** PAY-025: an unknown code is shown as it is. */
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
    payin.payment_link && {
      label: "Link de pagamento",
      text: payin.payment_link.name,
      ...(payin.payment_link_id && { copy: "Copiar nome do link" }),
    },
    payin.payment_link?.description && { label: "Descrição do link", text: payin.payment_link.description },
    payin.message && { label: "Mensagem do pagador", text: payin.message },
    category === "settlement" && { label: "Origem", text: "Repasse de recebíveis de cartão" },
    payin.original_amount !== null && { label: "Valor cobrado", text: formatMoney(payin.original_amount) },
    { label: "Valor recebido", text: formatMoney(payin.received_amount) },
    ...refundedLines(payin),
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
    block?.block_reason && { label: "Motivo do bloqueio", text: block.block_reason },
    block && { label: "Bloqueado em", text: formatDateTime(block.blocked_at) },
    block?.kept_at && { label: "Bloqueio mantido em", text: formatDateTime(block.kept_at) },
    block?.unblocked_at && { label: "Desbloqueado em", text: formatDateTime(block.unblocked_at) },
    payin.txid && { label: "Identificador (txid)", text: payin.txid, copy: "Copiar txid" },
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

/** A card sale is undone whole, whatever of it had come: what left the balance is only what was in it. */
function refundedLines({ payment_type, refunded_amount: refunded, received_amount: came }: Payin): Line[] {
  if (refunded === 0) return [];
  if (payment_type !== "credit_card" || came >= refunded)
    return [{ label: "Valor devolvido", text: formatMoney(refunded) }];
  return [
    { label: "Venda desfeita", text: formatMoney(refunded) },
    { label: "Saiu do seu saldo", text: formatMoney(came) },
    { label: "Parcelas que não chegam mais", text: formatMoney(refunded - came) },
  ];
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
function Refunds({ id, name }: { id: string; name: string | null }) {
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

import { type LinkMethod, linkMethodNames } from "@malote/domain/payment-link";
import { counted, formatDate, formatMoney, readDate } from "../ui/format.ts";
import { installmentsIn, installmentsText, type LinkForm } from "./link-form.ts";
import { methodIcons } from "./method-icons.ts";
import styles from "./payment-links.module.css";

/** Preview of what the payer will see, while it is typed (LNK-011). */
export function LinkSummary({ form }: { form: LinkForm }) {
  const lastDay = readDate(form.expirationDate ?? "");
  const dueDays = Number(form.boletoExpirationDays);
  const words: Record<LinkMethod, string> = {
    // LNK-021: time to pay, by method.
    pix: "O pagador tem até 1 dia depois de gerar o QR Code para pagar por Pix.",
    boleto: dueDays > 0 ? `Vence ${counted(dueDays, "dia útil", "dias úteis")} depois de gerado.` : "",
    credit_card: installmentsText(form.amount ?? 0, installmentsIn(form)),
  };
  return (
    <aside className={`panel ${styles.summary}`} aria-label="Resumo do link">
      <div>
        <h2>Resumo</h2>
        <p className={styles.amount}>{formatMoney(form.amount ?? 0)}</p>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt className="small muted">Nome</dt>
          <dd>{form.name.trim() || "—"}</dd>
        </div>
        {form.description.trim() ? (
          <div>
            <dt className="small muted">Descrição</dt>
            <dd>{form.description.trim()}</dd>
          </div>
        ) : null}
        <div>
          <dt className="small muted">Pode ser pago até</dt>
          <dd>{lastDay ? formatDate(lastDay) : "—"}</dd>
        </div>
      </dl>
      {form.paymentMethods.length > 0 ? (
        <ul className={styles.ways} aria-label="Formas de pagamento">
          {form.paymentMethods.toReversed().map((method) => {
            const Icon = methodIcons[method];
            return (
              <li key={method} className={styles.way}>
                <Icon size={20} stroke={1.6} aria-hidden />
                <span className="strong">{linkMethodNames[method]}</span>
                <span className="small muted">{words[method]}</span>
              </li>
            );
          })}
        </ul>
      ) : null}
    </aside>
  );
}

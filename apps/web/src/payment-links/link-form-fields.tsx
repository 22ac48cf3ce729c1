import type { CompanySettings } from "@malote/contracts/company";
import {
  type LinkMethod,
  linkDescriptionMax,
  linkMethodNames,
  linkMethods,
  linkNameMax,
} from "@malote/domain/payment-link";
import type { ReactNode } from "react";
import { DateField } from "../ui/date-field.tsx";
import { todayIn } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { Select } from "../ui/select.tsx";
import { TextArea, TextField } from "../ui/text-field.tsx";
import {
  fieldIds,
  installmentOptions,
  installmentsIn,
  type LinkForm,
  type LinkProblems,
} from "./link-form.ts";
import { methodIcons } from "./method-icons.ts";
import styles from "./payment-links.module.css";

interface LinkFormFieldsProps {
  form: LinkForm;
  problems: LinkProblems;
  settings: Pick<CompanySettings, "hasBoletoCharge" | "hasCardCharge">;
  onChange: (changed: Partial<LinkForm>) => void;
}

/** Fields of LNK-012 to LNK-020. */
export function LinkFormFields({ form, problems, settings, onChange }: LinkFormFieldsProps) {
  return (
    <>
      <TextField
        id={fieldIds.name}
        label="Nome"
        description="O que está sendo cobrado: quem paga lê isto primeiro."
        maxLength={linkNameMax}
        autoComplete="off"
        value={form.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <MoneyInput
          id={fieldIds.amount}
          label="Valor"
          value={form.amount}
          error={problems.amount}
          onChange={(amount) => onChange({ amount })}
        />
        <DateField
          id={fieldIds.expirationDate}
          label="Data de expiração"
          description="O link pode ser pago até o fim deste dia."
          min={todayIn()}
          value={form.expirationDate}
          error={problems.expirationDate}
          onChange={(expirationDate) => onChange({ expirationDate })}
        />
      </div>
      <TextArea
        id={fieldIds.description}
        label="Descrição (opcional)"
        description={`${form.description.length} de ${linkDescriptionMax} caracteres`}
        maxLength={linkDescriptionMax}
        value={form.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Methods form={form} problems={problems} settings={settings} onChange={onChange} />
    </>
  );
}

/** Each payment method, with its own fields below it. */
function Methods({ form, problems, settings, onChange }: LinkFormFieldsProps) {
  // LNK-018: methods that the company may offer.
  const offered: Record<LinkMethod, boolean> = {
    pix: true,
    boleto: settings.hasBoletoCharge,
    credit_card: settings.hasCardCharge,
  };
  const more: Record<LinkMethod, ReactNode> = {
    pix: null,
    boleto: (
      <>
        <TextField
          id={fieldIds.boletoExpirationDays}
          label="Vencimento do boleto"
          description="Dias úteis depois que o boleto é gerado."
          inputMode="numeric"
          autoComplete="off"
          value={form.boletoExpirationDays}
          error={problems.boletoExpirationDays}
          onChange={(event) =>
            onChange({ boletoExpirationDays: event.currentTarget.value.replace(/\D/g, "").slice(0, 3) })
          }
        />
        <TextField
          id={fieldIds.boletoFine}
          label="Multa por atraso, em % (opcional)"
          description="Cobrada uma vez, depois do vencimento."
          inputMode="decimal"
          autoComplete="off"
          maxLength={9}
          value={form.boletoFine}
          error={problems.boletoFine}
          onChange={(event) => onChange({ boletoFine: event.currentTarget.value })}
        />
        <TextField
          id={fieldIds.boletoInterest}
          label="Juros ao mês, em % (opcional)"
          description="Contados por dia, depois do vencimento."
          inputMode="decimal"
          autoComplete="off"
          maxLength={9}
          value={form.boletoInterest}
          error={problems.boletoInterest}
          onChange={(event) => onChange({ boletoInterest: event.currentTarget.value })}
        />
      </>
    ),
    credit_card: (
      <Select
        id={fieldIds.installments}
        label="Parcelas"
        description={form.amount ? undefined : "Digite o valor para ver as parcelas."}
        data={installmentOptions(form.amount)}
        value={String(installmentsIn(form))}
        onChange={(value) => onChange({ installments: Number(value) })}
      />
    ),
  };
  const choose = (method: LinkMethod, isChosen: boolean) =>
    onChange({
      paymentMethods: linkMethods.filter((one) =>
        one === method ? isChosen : form.paymentMethods.includes(one),
      ),
    });
  const problemId = `${fieldIds.paymentMethods}-error`;
  return (
    <fieldset className={styles.methods} aria-describedby={problems.paymentMethods && problemId}>
      <legend>Métodos de pagamento</legend>
      {linkMethods.toReversed().map((method) => {
        const Icon = methodIcons[method];
        const isChosen = form.paymentMethods.includes(method);
        return (
          <div key={method} className={styles.method}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                {...(method === "pix" && { id: fieldIds.paymentMethods })}
                aria-invalid={problems.paymentMethods ? true : undefined}
                disabled={!offered[method]}
                checked={isChosen}
                onChange={(event) => choose(method, event.currentTarget.checked)}
              />
              <span className={styles.words}>
                <span className="strong">{linkMethodNames[method]}</span>
                {offered[method] ? null : (
                  <span className="small muted">Sua empresa ainda não recebe assim. Fale com o suporte.</span>
                )}
              </span>
              <Icon size={20} stroke={1.6} aria-hidden />
            </label>
            {isChosen && more[method] ? <div className={styles.more}>{more[method]}</div> : null}
          </div>
        );
      })}
      {problems.paymentMethods ? (
        <p id={problemId} className={`small ${styles.problem}`}>
          {problems.paymentMethods}
        </p>
      ) : null}
    </fieldset>
  );
}

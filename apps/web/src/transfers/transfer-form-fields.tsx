import { readDuplicatedIntegrationId } from "@malote/contracts/transfers";
import type { Issue } from "@malote/domain/issues";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormSection } from "../payments/parts.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { call } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import grid from "../ui/form-grid.module.css";
import { RadioPills } from "../ui/radio-pills.tsx";
import { CodeCharge } from "./code-charge.tsx";
import { pixKeyTypeNames } from "./destination-text.ts";
import { KeyHolderNotice, wholeKey } from "./key-holder.tsx";
import { ReceiverSearch } from "./receiver-search.tsx";
import { paymentWayOptions, pixKeyTypeOptions, TransferField, valueLabel } from "./transfer-field.tsx";
import { type FieldName, formOfDestination, type TransferForm } from "./transfer-form.ts";
import styles from "./transfer-wizard.module.css";
import type { TransferFormState } from "./use-transfer-form.ts";

interface FieldsProps {
  state: TransferFormState;
  idPrefix: string;
  transferId: string;
  /** TRF-018: false once it was sent. */
  valueIsFixed: boolean;
  /** TRF-019: false once the bank has it. */
  asksValidation: boolean;
}

/** Form of one payment (TRF-017). */
export function TransferFormFields(props: FieldsProps) {
  const { state, idPrefix, transferId, valueIsFixed, asksValidation } = props;
  const settings = useQuery(companySettingsQuery);
  const { form, change } = state;
  const isPix = form.way === "pix";
  const isCode = form.way === "code";
  // A payment to an account has no description field; an existing description is shown, so that it is not
  // sent unseen.
  const [hadDescription] = useState(form.pix_description !== "");
  const showsDescription = isPix || isCode || hadDescription || form.pix_description !== "";
  const amountIsFixed = isCode && form.charge !== null && form.charge.amount !== null;

  const [askedHolder, setAskedHolder] = useState(() => wholeKey(form));

  /** TRF-022: a duplicate warns and does not block. */
  async function lookForDuplicate() {
    const id = form.integration_id.trim();
    if (!id) return;
    const query = { except: transferId };
    const { isDuplicated } = await call(readDuplicatedIntegrationId, { params: { id }, query }).catch(() => ({
      isDuplicated: false,
    }));
    if (isDuplicated) state.addWarning({ code: "integration_id_duplicated", field: "integration_id" });
  }

  const field = (name: FieldName, extra: { label?: string; disabled?: boolean; className?: string } = {}) => (
    <div className={extra.className ?? ""}>
      <TransferField
        field={name}
        idPrefix={idPrefix}
        form={form}
        change={change}
        error={state.errorOf(name)}
        help={state.warningOf(name)}
        onLeave={(left) => {
          state.leave(left);
          if (asksHolder.includes(left)) setAskedHolder(wholeKey(form));
          if (left === "integration_id") void lookForDuplicate();
        }}
        {...(extra.label ? { label: extra.label } : {})}
        {...(extra.disabled ? { disabled: true } : {})}
      />
      <Suggestion state={state} field={name} />
    </div>
  );

  return (
    <>
      <FormSection title="Para quem?">
        <ReceiverSearch onChoose={(receiver) => change(formOfDestination(receiver))} />
        <RadioPills
          legend="Como pagar"
          options={paymentWayOptions}
          value={form.way}
          onChange={(way) => change({ way })}
        />
        {isCode ? (
          <>
            <div className={grid.grid}>{field("emv")}</div>
            <CodeCharge state={state} />
          </>
        ) : isPix ? (
          <>
            <RadioPills
              legend="Tipo de chave"
              options={pixKeyTypeOptions}
              value={form.pix_key_type}
              onChange={(pix_key_type) => change({ pix_key_type })}
            />
            <div className={grid.grid}>
              {field("pix_key", { label: `Chave Pix (${pixKeyTypeNames[form.pix_key_type]})` })}
              {field("name", { className: grid.half ?? "", label: "Nome ou razão social (opcional)" })}
              {field("cpf_cnpj", { className: grid.half ?? "", label: "CPF ou CNPJ (opcional)" })}
              {asksValidation ? field("pix_key_validation", { className: grid.half ?? "" }) : null}
              {field("email", { className: grid.half ?? "" })}
            </div>
            <KeyHolderNotice asked={askedHolder} form={form} />
          </>
        ) : (
          <div className={grid.grid}>
            {field("bank_id", { className: grid.half ?? "" })}
            {field("account_type", { className: grid.half ?? "" })}
            {field("agency", { className: grid.wide ?? "" })}
            {field("agency_digit", { className: grid.digit ?? "" })}
            {field("account", { className: grid.wide ?? "" })}
            {field("account_digit", { className: grid.digit ?? "" })}
            {field("name", { className: grid.half ?? "" })}
            {field("cpf_cnpj", { className: grid.half ?? "" })}
            {field("email", { className: grid.half ?? "" })}
          </div>
        )}
      </FormSection>
      <FormSection title="O pagamento">
        <div className={grid.grid}>
          {field("value", {
            className: grid.half ?? "",
            label: valueLabel(state.facts.maxCents[state.check.method]),
            disabled: valueIsFixed || amountIsFixed,
          })}
          {field("payment_date", { className: grid.half ?? "", disabled: valueIsFixed })}
          {showsDescription ? field("pix_description") : null}
          {settings.data?.hasIntegrationId ? field("integration_id", { className: grid.half ?? "" }) : null}
        </div>
      </FormSection>
    </>
  );
}

/** Answers about the key's holder are shown after one of these fields was left. */
const asksHolder: readonly FieldName[] = ["pix_key", "cpf_cnpj", "pix_key_validation"];

/** Formats one proposed value for its field. */
function fieldText(field: string, value: string, form: Pick<TransferForm, "pix_key_type">): string {
  if (field === "cpf_cnpj") return formatTaxId(value);
  return field === "pix_key" ? formatPixKey(form.pix_key_type, value) : value;
}

/** Text of a proposal on a button: `529.982.247-25`, or `12345-1` when only the digit was wrong. */
export function suggestedText(suggestion: NonNullable<Issue["suggestion"]>, form: TransferForm): string {
  const whole = (number: "account" | "agency") =>
    `${suggestion[number] ?? form[number]}-${suggestion[`${number}_digit`]}`;
  if (suggestion["account_digit"]) return whole("account");
  if (suggestion["agency_digit"]) return whole("agency");
  return Object.entries(suggestion)
    .map(([name, value]) => fieldText(name, value, form))
    .join(" ");
}

/** Returns the value that a proposal would replace, in the same format. */
export function replacedText(suggestion: NonNullable<Issue["suggestion"]>, form: TransferForm): string {
  const whole = (number: "account" | "agency") => `${form[number]}-${form[`${number}_digit`] || "?"}`;
  if (suggestion["account_digit"]) return whole("account");
  if (suggestion["agency_digit"]) return whole("agency");
  return Object.keys(suggestion)
    .map((name) => form[name as keyof TransferForm] ?? "")
    .join(" ");
}

/** Button that accepts the rules' proposal: `Usar 529.982.247-25`. */
export function Suggestion({ state, field }: { state: TransferFormState; field: FieldName }) {
  const suggestion = state.errorOf(field) ? state.suggestionOf(field) : undefined;
  if (!suggestion) return null;
  return (
    <Button
      size="sm"
      className={styles.suggestion ?? ""}
      style={{ marginTop: 8 }}
      onClick={() => state.change(writtenSuggestion(suggestion, state.form))}
    >
      Usar {suggestedText(suggestion, state.form)}
    </Button>
  );
}

export function writtenSuggestion(
  suggestion: NonNullable<Issue["suggestion"]>,
  form: TransferForm,
): Partial<TransferForm> {
  return Object.fromEntries(
    Object.entries(suggestion).map(([name, value]) => [name, fieldText(name, value, form)]),
  );
}

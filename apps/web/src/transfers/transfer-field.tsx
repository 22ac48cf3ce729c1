import { pixDescriptionMax } from "@malote/domain/limits";
import { pixDescriptionText } from "@malote/domain/pix-description";
import { pixKeyTypes } from "@malote/domain/pix-key";
import type { ReactNode } from "react";
import { DateField } from "../ui/date-field.tsx";
import { formatMoney, todayIn } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { Select, type SelectProps } from "../ui/select.tsx";
import { TaxIdInput } from "../ui/tax-id-input.tsx";
import { TextArea, TextField } from "../ui/text-field.tsx";
import { BankSelect } from "./bank-select.tsx";
import { pixKeyTypeNames } from "./destination-text.ts";
import type { FieldName, TransferForm } from "./transfer-form.ts";
import { useAccountTypeOptions } from "./use-account-types.ts";

export const wayOptions: readonly { value: TransferForm["way"]; label: string }[] = [
  { value: "pix", label: "Chave Pix" },
  { value: "account", label: "Conta bancária" },
];
/** Ways to pay; a receiver is saved by key or account only. */
export const paymentWayOptions = [...wayOptions, { value: "code" as const, label: "Pix copia e cola" }];
export const pixKeyTypeOptions = pixKeyTypes.map((value) => ({ value, label: pixKeyTypeNames[value] }));

export const fieldNames: Readonly<Record<FieldName, string>> = {
  name: "Nome ou razão social",
  cpf_cnpj: "CPF ou CNPJ",
  email: "E-mail (opcional)",
  bank_id: "Banco",
  agency: "Agência",
  agency_digit: "Dígito",
  account_type: "Tipo de conta",
  account: "Conta",
  account_digit: "Dígito",
  pix_key_type: "Tipo de chave",
  pix_key: "Chave Pix",
  pix_key_validation: "CPF/CNPJ para validação (opcional)",
  emv: "Código Pix (copia e cola)",
  value: "Valor",
  payment_date: "Data do pagamento",
  pix_description: "Descrição Pix (opcional)",
  integration_id: "ID de integração (opcional)",
};

/** Name of the field in a summary of mistakes. */
export const nameOfField = (field: string): string =>
  (fieldNames[field as FieldName] ?? field).replace(" (opcional)", "");

/** Read by screen readers, because only sight shows that 'Dígito' is beside its number. */
const spokenNames: Partial<Record<FieldName, string>> = {
  agency_digit: "Dígito da agência",
  account_digit: "Dígito da conta",
};

const keyHelp: Readonly<
  Record<TransferForm["pix_key_type"], { placeholder: string; inputMode?: "email" | "tel" }>
> = {
  CPF: { placeholder: "000.000.000-00" },
  CNPJ: { placeholder: "00.000.000/0000-00" },
  EMAIL: { placeholder: "nome@empresa.com.br", inputMode: "email" },
  TELEFONE: { placeholder: "(11) 98765-4321", inputMode: "tel" },
  CHAVE_ALEATORIA: { placeholder: "123e4567-e89b-12d3-a456-426614174000" },
};

export interface TransferFieldProps {
  field: FieldName;
  /** Prefix of the form, so that two forms on a page have distinct field ids. */
  idPrefix: string;
  form: TransferForm;
  change: (patch: Partial<TransferForm>) => void;
  /** Text under the field. */
  error?: ReactNode;
  /** Warning or hint. */
  help?: ReactNode;
  label?: string;
  onLeave?: (field: FieldName) => void;
  disabled?: boolean;
  autoFocus?: boolean;
}

export const fieldId = (prefix: string, field: FieldName) => `${prefix}-${field}`;

/** One field of a payment, the same in the wizard and beside a bad row. */
export function TransferField(props: TransferFieldProps) {
  const {
    field,
    idPrefix,
    form,
    change,
    error,
    help,
    label = fieldNames[field],
    onLeave,
    disabled,
    autoFocus,
  } = props;
  const shared = {
    id: fieldId(idPrefix, field),
    label,
    error: error ?? false,
    ...(help ? { description: help } : {}),
    ...(disabled ? { disabled } : {}),
    ...(autoFocus ? { "data-autofocus": true } : {}),
    onBlur: () => onLeave?.(field),
  };
  switch (field) {
    case "value":
      return <MoneyInput {...shared} value={form.value} onChange={(value) => change({ value })} />;
    case "payment_date":
      return (
        <DateField
          {...shared}
          placeholder="Hoje"
          description={help ?? (form.payment_date ? undefined : "Sem data, o pagamento é feito hoje.")}
          min={todayIn()}
          value={form.payment_date}
          onChange={(payment_date) => change({ payment_date })}
        />
      );
    case "bank_id":
      return <BankSelect {...shared} value={form.bank_id} onChange={(bank_id) => change({ bank_id })} />;
    case "account_type":
      return (
        <AccountTypeSelect
          {...shared}
          bankId={form.bank_id}
          value={form.account_type}
          onChange={(account_type) => change({ account_type })}
        />
      );
    case "pix_key_type":
      return (
        <Select
          {...shared}
          data={pixKeyTypeOptions}
          value={form.pix_key_type}
          onChange={(value) => value && change({ pix_key_type: value as TransferForm["pix_key_type"] })}
        />
      );
    case "cpf_cnpj":
    case "pix_key_validation":
      return (
        <TaxIdInput
          {...shared}
          placeholder="000.000.000-00 ou 00.000.000/0000-00"
          value={form[field]}
          onChange={(text) => change({ [field]: text })}
        />
      );
    case "emv":
      return (
        <TextArea
          {...shared}
          minRows={3}
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          placeholder="Cole o código do Pix copia e cola ou do QR Code"
          value={form.emv}
          onChange={(event) => change({ emv: event.currentTarget.value, charge: null, value: null })}
        />
      );
    case "pix_description":
      return (
        <TextArea
          {...shared}
          minRows={2}
          description={help ?? <DescriptionCount text={form.pix_description} />}
          value={form.pix_description}
          onChange={(event) => change({ pix_description: event.currentTarget.value })}
        />
      );
    default: {
      const key = field === "pix_key" ? keyHelp[form.pix_key_type] : undefined;
      const isNumber = field === "agency" || field === "account";
      return (
        <TextField
          {...shared}
          {...key}
          {...(isNumber ? { inputMode: "numeric" as const } : {})}
          aria-label={spokenNames[field]}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxOf[field] ?? 255}
          value={form[field]}
          onChange={(event) => change({ [field]: event.currentTarget.value })}
        />
      );
    }
  }
}

const maxOf: Partial<Record<FieldName, number>> = {
  agency: 30,
  agency_digit: 10,
  account: 30,
  account_digit: 10,
};

/** Counts only the text that the receiver will read, without tags. */
function DescriptionCount({ text }: { text: string }) {
  const length = pixDescriptionText(text)?.length ?? text.length;
  return (
    <>
      {length} de {pixDescriptionMax}. Aceita as marcas &lt;b&gt;, &lt;i&gt;, &lt;em&gt; e &lt;strong&gt;.
    </>
  );
}

/** TRF-038: label of the value field. */
export const valueLabel = (maxCents: number) => `Qual o valor? (máximo de ${formatMoney(maxCents)})`;

interface AccountTypeSelectProps extends Omit<SelectProps, "data" | "value" | "onChange"> {
  bankId: string;
  value: string;
  onChange: (type: string) => void;
}

function AccountTypeSelect({ bankId, value, onChange, ...shared }: AccountTypeSelectProps) {
  return (
    <Select
      {...shared}
      data={useAccountTypeOptions(bankId, value)}
      placeholder="Escolha"
      value={value || null}
      onChange={(type) => onChange(type ?? "")}
    />
  );
}

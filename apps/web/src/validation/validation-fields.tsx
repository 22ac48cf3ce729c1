import { accountTypeNames, accountTypes } from "@malote/domain/bank-account";
import { formatPixKey } from "@malote/domain/pix-key";
import { type ValidationField, validationFieldNames } from "@malote/domain/validation-texts";
import type { ValidationType } from "@malote/domain/validation-types";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BankSelectOf } from "../transfers/index.ts";
import grid from "../ui/form-grid.module.css";
import { Select } from "../ui/select.tsx";
import { TaxIdInput } from "../ui/tax-id-input.tsx";
import { TextField, type TextFieldProps } from "../ui/text-field.tsx";
import { validationBanksQuery } from "./api.ts";
import type { ValidationFormState } from "./use-validation-form.ts";
import { holderFieldsOf, type KeyKind } from "./validation-form-data.ts";

export const fieldId = (prefix: string, field: ValidationField) => `${prefix}-${field}`;

const accountTypeOptions = accountTypes.map((value) => ({ value, label: accountTypeNames[value] }));

interface FieldsProps {
  state: ValidationFormState;
  type: ValidationType;
  idPrefix: string;
}

/** Fields of the chosen kind. */
export function ValidationFields(props: FieldsProps) {
  const { kind } = props.state.form;
  return (
    <div className={grid.grid}>{kind === "account" ? accountFields(props) : keyFields(props, kind)}</div>
  );
}

/** Props that each field shares. */
function wordsOf({ state, idPrefix }: FieldsProps, field: ValidationField) {
  return {
    id: fieldId(idPrefix, field),
    label: validationFieldNames[field],
    error: state.errorOf(field) ?? false,
    onBlur: () => state.leave(field),
  };
}

type TextName = "name" | "agency" | "agency_digit" | "account" | "account_digit";
const longest: Readonly<Record<TextName, number>> = {
  name: 255,
  agency: 30,
  agency_digit: 2,
  account: 30,
  account_digit: 2,
};

function textField(props: FieldsProps, field: TextName, more: TextFieldProps = {}): ReactNode {
  const { form, change } = props.state;
  return (
    <TextField
      {...wordsOf(props, field)}
      autoComplete="off"
      spellCheck={false}
      maxLength={longest[field]}
      value={form[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...more}
    />
  );
}

const nameField = (props: FieldsProps) => textField(props, "name", { label: "Nome (opcional)" });

function accountFields(props: FieldsProps): ReactNode {
  const { form, change } = props.state;
  const number = { inputMode: "numeric" } as const;
  // The digit is beside its number; its label names the number for people who cannot see that.
  const digit = (field: "agency_digit" | "account_digit", label: string) =>
    textField(props, field, { label, "aria-label": validationFieldNames[field] });
  return (
    <>
      <div className={grid.half}>
        <Banks {...props} />
      </div>
      <div className={grid.half}>
        <Select
          {...wordsOf(props, "account_type")}
          data={accountTypeOptions}
          placeholder="Escolha"
          value={form.account_type || null}
          onChange={(account_type) => change({ account_type })}
        />
      </div>
      <div className={grid.wide}>{textField(props, "agency", number)}</div>
      <div className={grid.digit}>{digit("agency_digit", "Dígito")}</div>
      <div className={grid.wide}>{textField(props, "account", number)}</div>
      <div className={grid.digit}>{digit("account_digit", "Dígito")}</div>
      <div className={grid.half}>
        <TaxIdInput
          {...wordsOf(props, "cpf_cnpj")}
          placeholder="000.000.000-00 ou 00.000.000/0000-00"
          value={form.cpf_cnpj}
          onChange={(cpf_cnpj) => change({ cpf_cnpj })}
        />
      </div>
      <div className={grid.half}>{nameField(props)}</div>
    </>
  );
}

function Banks(props: FieldsProps) {
  const { state, type } = props;
  return (
    <BankSelectOf
      {...wordsOf(props, "bank")}
      banks={useQuery(validationBanksQuery(type))}
      value={state.form.bank}
      onChange={(bank) => state.change({ bank })}
    />
  );
}

const keyHints: Readonly<
  Record<KeyKind, { label: string; placeholder: string; inputMode?: "email" | "tel" }>
> = {
  taxId: { label: "CPF ou CNPJ", placeholder: "000.000.000-00 ou 00.000.000/0000-00" },
  email: { label: "E-mail", placeholder: "nome@empresa.com.br", inputMode: "email" },
  phone: { label: "Celular", placeholder: "(11) 98765-4321", inputMode: "tel" },
  random: { label: "Chave aleatória", placeholder: "123e4567-e89b-12d3-a456-426614174000" },
};

const holderLabel = "CPF ou CNPJ do titular (opcional)";
const holderHelp: Readonly<Record<ValidationType, string>> = {
  BASIC: "Se informado, a chave só está correta se for deste titular.",
  MICRO_DEPOSIT: "Se informado, o depósito só chega se a chave for deste titular.",
};

function keyFields(props: FieldsProps, kind: KeyKind): ReactNode {
  const { state, type } = props;
  const { form, change, leave, data } = state;
  const key = form.keys[kind];
  const setKey = (text: string) => change({ keys: { ...form.keys, [kind]: text } });
  const { label, ...hint } = keyHints[kind];
  const shared = { ...wordsOf(props, "pix_key"), ...hint, label };
  const holders = holderFieldsOf(form, type);
  return (
    <>
      <div className={holders.length > 0 ? grid.half : ""}>
        {kind === "taxId" ? (
          <TaxIdInput {...shared} value={key} onChange={setKey} />
        ) : (
          <TextField
            {...shared}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            onBlur={() => {
              leave("pix_key");
              if (data.pixKey) setKey(formatPixKey(data.pixKeyType ?? "", data.pixKey));
            }}
          />
        )}
      </div>
      {holders.map((field) => (
        <div key={field} className={grid.half}>
          <TaxIdInput
            {...wordsOf(props, field)}
            label={holders.length > 1 && field === "cpf_cnpj" ? "CPF ou CNPJ (opcional)" : holderLabel}
            description={holderHelp[type]}
            value={form[field]}
            onChange={(text) => change({ [field]: text })}
          />
        </div>
      ))}
      <div>{nameField(props)}</div>
    </>
  );
}

import type { AccountType } from "@malote/domain/bank-account";
import { foldText } from "@malote/domain/fold-text";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { banksQuery } from "../transfers/api.ts";
import { useAccountTypeOptions } from "../transfers/index.ts";
import { Select } from "../ui/select.tsx";
import { TaxIdInput } from "../ui/tax-id-input.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./first-steps.module.css";
import { type AccountProblems, type AccountValues, fieldIdOf } from "./withdrawal-account.ts";

interface WithdrawalAccountFieldsProps {
  values: AccountValues;
  problems: AccountProblems;
  onChange: (changed: Partial<AccountValues>) => void;
  /** The rules of check digits need the bank's code, which is not part of the request. */
  onBankCode: (code: string | null) => void;
}

const banksShownMax = 60;

/** Bank first, because it decides the shape of agency and account. */
export function WithdrawalAccountFields(props: WithdrawalAccountFieldsProps) {
  const { values, problems, onChange, onBankCode } = props;
  const banks = useQuery(banksQuery);
  const typeOptions = useAccountTypeOptions(values.bank_id, values.account_type);
  const bank = banks.data?.data.find(({ id }) => id === values.bank_id);
  const code = bank?.code ?? null;
  useEffect(() => onBankCode(code), [code, onBankCode]);

  const text = (
    field: "agency" | "agency_digit" | "account" | "account_digit" | "name",
    maxLength: number,
  ) => ({
    id: fieldIdOf(field),
    name: field,
    value: values[field],
    error: problems[field],
    maxLength,
    autoComplete: "off",
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <div className={styles.account}>
      <Select
        id={fieldIdOf("bank_id")}
        className={styles.wide ?? ""}
        label="Banco"
        placeholder={banks.isPending ? "Carregando os bancos…" : "Nome ou código"}
        searchable
        limit={banksShownMax}
        nothingFoundMessage="Nenhum banco com este nome ou código"
        error={problems.bank_id ?? (banks.isError ? "Não foi possível carregar os bancos." : undefined)}
        data={(banks.data?.data ?? []).map((one) => ({
          value: one.id,
          label: one.code ? `${one.code} · ${one.name}` : one.name,
        }))}
        filter={({ options, search, limit }) => {
          const wanted = foldText(search.trim());
          return options
            .filter((option) => "label" in option && foldText(option.label).includes(wanted))
            .slice(0, limit);
        }}
        value={values.bank_id || null}
        onChange={(bankId) => onChange({ bank_id: bankId ?? "" })}
      />
      <Select
        id={fieldIdOf("account_type")}
        className={styles.wide ?? ""}
        label="Tipo de conta"
        placeholder="Escolha"
        error={problems.account_type}
        data={typeOptions}
        value={values.account_type || null}
        onChange={(type) => onChange({ account_type: (type ?? "") as AccountType | "" })}
      />
      {/* A digit's column is too narrow for a sentence, so its error shows under the number, and the digit only
          marks it. */}
      <TextField
        {...text("agency", 30)}
        label="Agência"
        inputMode="numeric"
        error={problems.agency ?? problems.agency_digit}
      />
      <TextField
        {...text("agency_digit", 10)}
        label="Dígito"
        description="Se houver"
        error={problems.agency_digit && "Confira"}
      />
      <TextField
        {...text("account", 30)}
        label="Conta"
        inputMode="numeric"
        error={problems.account ?? problems.account_digit}
      />
      <TextField {...text("account_digit", 10)} label="Dígito" error={problems.account_digit && "Confira"} />
      <TextField
        {...text("name", 255)}
        className={styles.wide ?? ""}
        label="Nome ou razão social do titular"
      />
      <TaxIdInput
        id={fieldIdOf("cpfCnpj")}
        className={styles.wide ?? ""}
        label="CPF ou CNPJ do titular"
        value={values.cpfCnpj}
        error={problems.cpfCnpj}
        onChange={(cpfCnpj) => onChange({ cpfCnpj })}
      />
    </div>
  );
}

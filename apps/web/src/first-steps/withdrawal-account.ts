import { type AccountType, checkBankAccount } from "@malote/domain/bank-account";
import { issueFormText, severityOf } from "@malote/domain/issues";
import { formatTaxId, isTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import type { Session } from "../shell/session.ts";
import type { WithdrawalAccount } from "./api.ts";

export interface AccountValues {
  bank_id: string;
  agency: string;
  agency_digit: string;
  account_type: AccountType | "";
  account: string;
  account_digit: string;
  name: string;
  cpfCnpj: string;
}

export type AccountField = keyof AccountValues;
export type AccountProblems = Partial<Record<AccountField, string>>;

const fields: readonly AccountField[] = [
  "bank_id",
  "account_type",
  "agency",
  "agency_digit",
  "account",
  "account_digit",
  "name",
  "cpfCnpj",
];

/** Most companies withdraw to their own account, so name and document are prefilled. */
export function emptyAccount(company: Session["company"]): AccountValues {
  return {
    bank_id: "",
    agency: "",
    agency_digit: "",
    account_type: "",
    account: "",
    account_digit: "",
    name: company.name,
    cpfCnpj: formatTaxId(company.cpfCnpj),
  };
}

export const fieldIdOf = (field: string) => `saque-${field}`;

const ownTexts: Record<"bank_id" | "name" | "cpfCnpj", string> = {
  bank_id: "Informe o banco",
  name: "O nome deve ter no mínimo 3 letras",
  cpfCnpj: "O CPF/CNPJ deve ser válido",
};

/** Returns the problems of the account. Until the company's settings have arrived, only the server applies them. */
export function useAccountProblems(values: AccountValues, bankCode: string | null): AccountProblems {
  const settings = useQuery(companySettingsQuery);
  return checkAccount(values, bankCode, settings.data?.publicEntityNeedsCaixa ?? true);
}

/** SET-011, by the rules of every bank account (TRF-028). The sentence contains a suggested digit. */
export function checkAccount(
  values: AccountValues,
  bankCode: string | null,
  publicEntityNeedsCaixa: boolean,
): AccountProblems {
  const problems: AccountProblems = {};
  if (!values.bank_id) problems.bank_id = ownTexts.bank_id;
  const issues = checkBankAccount(
    {
      bankCode,
      agency: values.agency,
      agencyDigit: values.agency_digit,
      account: values.account,
      accountDigit: values.account_digit,
      accountType: values.account_type || null,
      taxId: normaliseTaxId(values.cpfCnpj),
    },
    publicEntityNeedsCaixa,
  );
  for (const issue of issues) {
    if (severityOf(issue) !== "error" || !isField(issue.field)) continue;
    const right = issue.suggestion?.[issue.field];
    const text = issueFormText(issue);
    problems[issue.field] ??= right === undefined ? text : `${text}. O certo parece ser ${right}.`;
  }
  if (values.name.trim().length < 3) problems.name = ownTexts.name;
  if (!isTaxId(values.cpfCnpj)) problems.cpfCnpj = ownTexts.cpfCnpj;
  return inOrder(problems);
}

/** The summary lists the fields in the order of the page. */
function inOrder(problems: AccountProblems): AccountProblems {
  return Object.fromEntries(
    fields.flatMap((field) => (problems[field] ? [[field, problems[field]]] : [])),
  ) as AccountProblems;
}

function isField(text: string): text is AccountField {
  return (fields as readonly string[]).includes(text);
}

/** Returns our texts for the fields that a refusal names. */
export function readRefusedFields(data: Record<string, unknown> | null): AccountProblems {
  const named = Array.isArray(data?.["fields"]) ? data["fields"].map(String) : [];
  const texts: Readonly<Record<string, string>> = ownTexts;
  return Object.fromEntries(
    named.filter(isField).map((field) => [field, texts[field] ?? "Confira este campo"]),
  ) as AccountProblems;
}

/** Converts values without problems into the request. */
export function toWithdrawalAccount(values: AccountValues): WithdrawalAccount {
  return {
    ...values,
    account_type: values.account_type as AccountType,
    agency_digit: values.agency_digit.trim() || null,
    name: values.name.trim(),
    cpfCnpj: normaliseTaxId(values.cpfCnpj),
  };
}

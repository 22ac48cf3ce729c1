import { checkDigitRules } from "./account-digits.ts";
import { foldText } from "./fold-text.ts";
import type { Issue, IssueCode } from "./issues.ts";
import { isCnpj } from "./tax-id.ts";

/** Account types a person may choose. CONTA_SALARIO exists and is shown, but never offered. */
export const accountTypes = [
  "CONTA_CORRENTE",
  "CONTA_POUPANCA",
  "CONTA_FACIL",
  "CONTA_PAGAMENTO",
  "ENTIDADES_PUBLICAS",
] as const;
export type AccountType = (typeof accountTypes)[number];

const known: ReadonlySet<string> = new Set(accountTypes);
export const isAccountType = (text: string): text is AccountType => known.has(text);

export const accountTypeNames: Readonly<Record<AccountType | "CONTA_SALARIO", string>> = {
  CONTA_CORRENTE: "Conta corrente",
  CONTA_POUPANCA: "Conta poupança",
  CONTA_FACIL: "Conta fácil",
  CONTA_PAGAMENTO: "Conta de pagamento",
  ENTIDADES_PUBLICAS: "Entidades públicas",
  CONTA_SALARIO: "Conta salário",
};

const typeWords: readonly (readonly [string, AccountType])[] = [
  ["corrente", "CONTA_CORRENTE"],
  ["poupanca", "CONTA_POUPANCA"],
  ["facil", "CONTA_FACIL"],
  ["pagamento", "CONTA_PAGAMENTO"],
  ["entidade", "ENTIDADES_PUBLICAS"],
  ["publica", "ENTIDADES_PUBLICAS"],
];

/**
 * Abbreviations in statements and in Malote itself: `CC 12345-7`; a single letter where the column has nothing else.
 */
const typeLetters: ReadonlyMap<string, AccountType> = new Map([
  ["cc", "CONTA_CORRENTE"],
  ["cp", "CONTA_POUPANCA"],
  ["c", "CONTA_CORRENTE"],
  ["p", "CONTA_POUPANCA"],
]);
const betweenLetters = /[\s./-]/g;

/**
 * Reads an account type from its usual abbreviations, or from a word anywhere in the text, without regard to accents
 * and case.
 */
export function readAccountType(text: string): AccountType | undefined {
  if (isAccountType(text)) return text;
  const folded = foldText(text);
  const letters = typeLetters.get(folded.replace(betweenLetters, ""));
  return letters ?? typeWords.find(([word]) => folded.includes(word))?.[1];
}

export type BankAccount = {
  /** Null for an institution that has only an ISPB. */
  bankCode: string | null;
  agency: string;
  agencyDigit: string;
  account: string;
  accountDigit: string;
};

const digitsOnly = /^\d+$/;
const blanksAndDots = /[\s.]/g;
const numberAndDigit = /^(\d+)-([0-9A-Z]{1,2})$/;

/** Separates `12345-6` into number and digit when the digit has no field of its own. */
export function splitDigit(number: string, digit: string): { number: string; digit: string } {
  if (digitsOnly.test(number) && (digit === "" || digitsOnly.test(digit))) return { number, digit };
  const plain = number.toUpperCase().replace(blanksAndDots, "");
  const ownDigit = digit.toUpperCase().replace(blanksAndDots, "");
  const parts = ownDigit === "" ? numberAndDigit.exec(plain) : null;
  return parts
    ? { number: parts[1] as string, digit: parts[2] as string }
    : { number: plain, digit: ownDigit };
}

/**
 * Returns the account trimmed and in upper case (`x` of Banco do Brasil, `p` of Bradesco), with digits in their own
 * fields.
 */
export function normaliseBankAccount(bankAccount: BankAccount): BankAccount {
  const agency = splitDigit(bankAccount.agency, bankAccount.agencyDigit);
  const account = splitDigit(bankAccount.account, bankAccount.accountDigit);
  return {
    bankCode: bankAccount.bankCode,
    agency: agency.number,
    agencyDigit: agency.digit,
    account: account.number,
    accountDigit: account.digit,
  };
}

const digitPattern = /^[0-9A-Z]{0,2}$/;
const leadingZeros = /^0+(?=\d)/;

const issue = (code: IssueCode, field: string, suggestion?: Record<string, string>): Issue =>
  suggestion ? { code, field, suggestion } : { code, field };

/**
 * Checks agency, account and their digits by the bank's own rule. Only banks with a certain rule produce errors, which
 * name the right digit; for the others unusual lengths produce warnings.
 */
export function checkAgencyAndAccount(bankAccount: BankAccount): Issue[] {
  const issues: Issue[] = [];
  const rule = bankAccount.bankCode === null ? undefined : checkDigitRules[bankAccount.bankCode];
  const agency = bankAccount.agency.replace(leadingZeros, "");
  const account = bankAccount.account.replace(leadingZeros, "");
  const agencyIsNumber = digitsOnly.test(agency);
  const accountIsNumber = digitsOnly.test(account) && account !== "0";

  if (!agencyIsNumber) issues.push(issue("agency_invalid", "agency"));
  if (!accountIsNumber) issues.push(issue("account_invalid", "account"));
  if (!digitPattern.test(bankAccount.agencyDigit)) {
    issues.push(issue("agency_digit_invalid", "agency_digit"));
  }
  if (!digitPattern.test(bankAccount.accountDigit)) {
    issues.push(issue("account_digit_invalid", "account_digit"));
  }
  if (issues.length > 0) return issues;

  if (rule?.certain) return rule.check(agency, bankAccount.agencyDigit, account, bankAccount.accountDigit);
  const usual = rule ?? anyBank;
  if (usual.agency ? agency.padStart(4, "0") !== usual.agency : agency.length > 5) {
    issues.push(issue("agency_unusual", "agency", usual.agency ? { agency: usual.agency } : undefined));
  }
  if (account.length > usual.accountMax) issues.push(issue("account_unusual", "account"));
  if (bankAccount.accountDigit === "") issues.push(issue("account_digit_unusual", "account_digit"));
  return issues;
}

/** Returns whether the bank's own rule determines the check digit of this number. */
export function hasCertainDigits({
  bankCode,
  agency,
  account,
}: Pick<BankAccount, "bankCode" | "agency" | "account">): boolean {
  const rule = bankCode === null ? undefined : checkDigitRules[bankCode];
  if (!rule?.certain) return false;
  // No rule accepts characters other than digits; a number that contains one has no known check digit.
  const plain = (number: string) => number.replace(leadingZeros, "");
  return rule.check(plain(agency), "", plain(account), "?").some(({ field }) => field === "account_digit");
}

const anyBank = { agency: undefined, accountMax: 13 };

/**
 * Returns the account types that a payment to this bank may use (SET-028). `publicEntityNeedsCaixa` is a setting of the
 * company.
 */
export const accountTypesAt = (bankCode: string | null, publicEntityNeedsCaixa = true): AccountType[] =>
  accountTypes.filter(
    (type) => type !== "ENTIDADES_PUBLICAS" || !publicEntityNeedsCaixa || bankCode === "104",
  );

export type AccountToCheck = BankAccount & { accountType: string | null; taxId: string };

/** Checks a whole destination account. `publicEntityNeedsCaixa` is a setting of the company. */
export function checkBankAccount(account: AccountToCheck, publicEntityNeedsCaixa = true): Issue[] {
  const issues = checkAgencyAndAccount(normaliseBankAccount(account));
  if (account.accountType === null || !isAccountType(account.accountType)) {
    issues.push(issue("account_type_invalid", "account_type"));
  } else if (account.accountType === "ENTIDADES_PUBLICAS") {
    const isTaken = accountTypesAt(account.bankCode, publicEntityNeedsCaixa).includes(account.accountType);
    if (!isTaken || !isCnpj(account.taxId)) issues.push(issue("public_entity_invalid", "account_type"));
  }
  return issues;
}

export { verhoeff } from "./verhoeff.ts";

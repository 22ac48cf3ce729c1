import type { Issue, IssueCode } from "./issues.ts";
import { verhoeff } from "./verhoeff.ts";

/** Rule of one bank: either certain, or only the usual shape of its numbers. */
type CheckDigitRule =
  | {
      certain: true;
      check: (agency: string, agencyDigit: string, account: string, accountDigit: string) => Issue[];
    }
  | { certain: false; agency: string | undefined; accountMax: number };

function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) {
    sum += (digits.charCodeAt(index) - 48) * (weights[index] as number);
  }
  return sum;
}

/** Returns 11 minus the remainder; 11 counts as 0, and each bank has its own character for 10. */
function mod11(sum: number, ten: string): string {
  const digit = 11 - (sum % 11);
  return digit === 11 ? "0" : digit === 10 ? ten : String(digit);
}

function mod10(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    // From the right the weights are 2, 1, 2, 1 …; a product of two digits counts as their sum.
    const product = (digits.charCodeAt(digits.length - 1 - index) - 48) * (index % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return String((10 - (sum % 10)) % 10);
}

function santanderDigit(agency: string, account: string): string {
  const weights = [9, 7, 3, 1, 0, 0, 9, 7, 1, 3, 1, 9, 7, 3];
  const digits = `${agency}00${account}`;
  let sum = 0;
  for (let index = 0; index < weights.length; index++) {
    sum += ((digits.charCodeAt(index) - 48) * (weights[index] as number)) % 10;
  }
  return String((10 - (sum % 10)) % 10);
}

const caixaWeights = [8, 7, 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const caixaDigit = (agency: string, account: string) =>
  String(((weightedSum(agency + account, caixaWeights) * 10) % 11) % 10);

/** Banrisul uses 6 for a remainder of 1, where other banks use a letter. */
const banrisulDigit = (account: string) => mod11(weightedSum(account, [3, 2, 4, 7, 6, 5, 4, 3, 2]), "6");

const agencyDigitWith = (ten: string) => (agency: string) => mod11(weightedSum(agency, [5, 4, 3, 2]), ten);

type CertainRule = {
  agencyLength: number;
  accountLength: number;
  agencyDigit?: (agency: string) => string;
  accountDigit: (agency: string, account: string) => string;
  /** Returns whether the typed digit stands for the right one. */
  means?: (typed: string, right: string) => boolean;
};

const issue = (code: IssueCode, field: string, suggestion?: Record<string, string>): Issue =>
  suggestion ? { code, field, suggestion } : { code, field };

/** Builds a certain rule. It accepts numbers without leading zeros, because sheets and people drop them. */
function certain(rule: CertainRule): CheckDigitRule {
  const isRight = (typed: string, right: string) => typed === right || (rule.means?.(typed, right) ?? false);

  function check(
    agencyText: string,
    agencyDigit: string,
    accountText: string,
    accountDigit: string,
  ): Issue[] {
    const issues: Issue[] = [];
    const agency = agencyText.padStart(rule.agencyLength, "0");
    const account = accountText.padStart(rule.accountLength, "0");
    const agencyFits = agency.length === rule.agencyLength;
    const accountFits = account.length === rule.accountLength;
    if (!agencyFits) issues.push(issue("agency_length_invalid", "agency"));
    if (!accountFits) issues.push(issue("account_length_invalid", "account"));

    if (agencyFits && rule.agencyDigit && agencyDigit !== "") {
      const right = rule.agencyDigit(agency);
      if (!isRight(agencyDigit, right)) {
        issues.push(issue("agency_digit_invalid", "agency_digit", { agency_digit: right }));
      }
    }
    if (agencyFits && accountFits) {
      const right = rule.accountDigit(agency, account);
      if (accountDigit === "") {
        issues.push(issue("account_digit_missing", "account_digit", { account_digit: right }));
      } else if (!isRight(accountDigit, right)) {
        issues.push(issue("account_digit_invalid", "account_digit", { account_digit: right }));
      }
    }
    return issues;
  }
  return { certain: true, check };
}

/** Operations of Caixa's numbering before 2023, the only numbering with a public digit rule. */
const caixaOperations = new Set(["001", "002", "003", "006", "013", "022", "023", "043"]);

const caixaOld = certain({ agencyLength: 4, accountLength: 11, accountDigit: caixaDigit });

/**
 * Caixa renumbered its accounts in 2023 (4-digit product, 9-digit account) without a public digit rule, so only the old
 * form with operation and 8 digits is certain.
 */
const caixa: CheckDigitRule = {
  certain: true,
  check(agency, agencyDigit, account, accountDigit) {
    const old = account.padStart(11, "0");
    // Numbers of up to 8 digits lack their operation; those of 9 and 10 have lost its zeros or are new without product.
    if (caixaOld.certain && old.length === 11 && caixaOperations.has(old.slice(0, 3))) {
      return caixaOld.check(agency, agencyDigit, account, accountDigit);
    }
    const issues: Issue[] = [];
    if (agency.length > 4) issues.push(issue("agency_length_invalid", "agency"));
    if (account.length < 12 || account.length > 13) issues.push(issue("account_unusual", "account"));
    if (accountDigit === "") issues.push(issue("account_digit_unusual", "account_digit"));
    return issues;
  },
};

const nubank: CheckDigitRule = {
  certain: true,
  check(agency, _agencyDigit, account, accountDigit) {
    const issues: Issue[] = [];
    if (agency !== "1") issues.push(issue("agency_unusual", "agency", { agency: "0001" }));
    if (account.length > 13) return [...issues, issue("account_length_invalid", "account")];
    const right = verhoeff(account);
    if (accountDigit === "") {
      issues.push(issue("account_digit_missing", "account_digit", { account_digit: right }));
    } else if (accountDigit !== right) {
      issues.push(issue("account_digit_invalid", "account_digit", { account_digit: right }));
    }
    return issues;
  },
};

const santander = certain({ agencyLength: 4, accountLength: 8, accountDigit: santanderDigit });

const banrisul4 = certain({
  agencyLength: 4,
  accountLength: 9,
  accountDigit: (_agency, account) => banrisulDigit(account),
});

/** People write the agency with its two own digits too, which do not enter the account's digit. */
const banrisul: CheckDigitRule = {
  certain: true,
  check: (agency, agencyDigit, account, accountDigit) =>
    banrisul4.certain
      ? banrisul4.check(agency.length === 6 ? agency.slice(0, 4) : agency, agencyDigit, account, accountDigit)
      : [],
};

const usual = (agency: string | undefined, accountMax: number): CheckDigitRule => ({
  certain: false,
  agency,
  accountMax,
});

/** Rules by bank code. Banks without an entry have no rule of their own. */
export const checkDigitRules: Readonly<Partial<Record<string, CheckDigitRule>>> = {
  "001": certain({
    agencyLength: 4,
    accountLength: 8,
    agencyDigit: agencyDigitWith("X"),
    accountDigit: (_agency, account) => mod11(weightedSum(account, [9, 8, 7, 6, 5, 4, 3, 2]), "X"),
  }),
  "033": santander,
  "041": banrisul,
  "104": caixa,
  "237": certain({
    agencyLength: 4,
    accountLength: 7,
    agencyDigit: agencyDigitWith("P"),
    accountDigit: (_agency, account) => mod11(weightedSum(account, [2, 7, 6, 5, 4, 3, 2]), "P"),
    // Bradesco's own systems accept 0 where the card shows P.
    means: (typed, right) => typed === "0" && right === "P",
  }),
  "260": nubank,
  "341": certain({
    agencyLength: 4,
    accountLength: 5,
    accountDigit: (agency, account) => mod10(agency + account),
  }),
  "077": usual("0001", 9),
  "197": usual("0001", 13),
  "290": usual("0001", 8),
  "323": usual("0001", 11),
  "336": usual("0001", 8),
  "399": usual(undefined, 6),
  "745": usual(undefined, 10),
  "748": usual(undefined, 5),
  "756": usual(undefined, 9),
};

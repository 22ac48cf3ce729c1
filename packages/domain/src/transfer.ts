import { checkBankAccount, normaliseBankAccount, readAccountType } from "./bank-account.ts";
import { findBankByIspb } from "./banks.ts";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  formatDate,
  isBusinessDay,
  lastScheduleDay,
  nextBusinessDay,
  parseDate,
  readDate,
  startOfDay,
  tedCutOff,
} from "./calendar.ts";
import { isEmail, normaliseEmail } from "./email.ts";
import { type Issue, type IssueCode, severityOf } from "./issues.ts";
import { draftValueMax, integrationIdMax } from "./limits.ts";
import { textOrNull } from "./line-of-text.ts";
import type { Cents } from "./money.ts";
import { ownInstitution } from "./own-institution.ts";
import { chargeOfStaticCode, checkPixCode, keyOfCharge, type PixCharge } from "./pix-charge.ts";
import { pixDescriptionProblem } from "./pix-description.ts";
import { normalisePixKey, pixKeyProblem, readPixKeyType } from "./pix-key.ts";
import { isObfuscatedTaxId, isTaxId, normaliseTaxId, suggestTaxId } from "./tax-id.ts";
import { type Destination, type TransferDraft, transferFieldOf } from "./transfer-fields.ts";

export type { Destination, TransferDraft } from "./transfer-fields.ts";

export const transferMethods = ["TED", "PIX", "TEV"] as const;
export type TransferMethod = (typeof transferMethods)[number];

/** A transfer that may come from a Pix code, which defines the payee and, often, the amount. */
export type CodedDraft = TransferDraft & {
  /** The code as pasted. Undefined and null mean the same. */
  emv?: string | null;
  /** The charge of a dynamic code, after the lookup. A static code contains its own. */
  charge?: PixCharge | null;
};

/**
 * Returns whether a destination is a Pix: a row with an empty key cell has a type and no account, and still means a
 * Pix.
 */
function isByPixKey(draft: Destination): boolean {
  if (draft.pixKey) return true;
  return Boolean(draft.pixKeyType) && !draft.bankIspb && !draft.agency && !draft.account;
}

/**
 * Returns the stored form of a destination: trimmed, documents without mask, key in its own form and type, digits in
 * their own fields, empty as null. It drops an obfuscated CPF from a Pix, because it identifies no person and must not
 * be sent back.
 */
export function normaliseDestination(draft: Destination): Destination {
  const account = normaliseBankAccount({
    bankCode: null,
    agency: draft.agency ?? "",
    agencyDigit: draft.agencyDigit ?? "",
    account: draft.account ?? "",
    accountDigit: draft.accountDigit ?? "",
  });
  const keyType = draft.pixKeyType ? readPixKeyType(draft.pixKeyType) : undefined;
  const typedKey = textOrNull(draft.pixKey);
  const pixKey = keyType && typedKey ? normalisePixKey({ type: keyType, key: typedKey }) : undefined;
  const accountType = textOrNull(draft.accountType);
  const normalised: Destination = {
    name: textOrNull(draft.name),
    taxId: normaliseTaxId(draft.taxId ?? "") || null,
    email: normaliseEmail(draft.email ?? "") || null,
    bankIspb: textOrNull(draft.bankIspb),
    agency: account.agency || null,
    agencyDigit: account.agencyDigit || null,
    account: account.account || null,
    accountDigit: account.accountDigit || null,
    accountType: accountType && (readAccountType(accountType) ?? accountType),
    pixKeyType: pixKey?.type ?? keyType ?? textOrNull(draft.pixKeyType),
    pixKey: pixKey?.key ?? typedKey,
  };
  // The check uses the stored form: blanks in a field do not make an account, and a second pass gives the same result.
  const isHidden = isByPixKey(normalised) && isObfuscatedTaxId(normalised.taxId ?? "");
  return isHidden ? { ...normalised, taxId: null } : normalised;
}

/**
 * Returns the destination of a code, which alone decides the payee: fields entered beside it must not redirect the
 * money.
 */
function destinationOfCode(draft: CodedDraft, charge: PixCharge | null): Destination {
  const to = charge && keyOfCharge(charge);
  return {
    name: charge?.receiver.name ?? null,
    taxId: charge?.receiver.taxId ?? null,
    email: draft.email,
    bankIspb: null,
    agency: null,
    agencyDigit: null,
    account: null,
    accountDigit: null,
    accountType: null,
    pixKeyType: to?.type ?? "CHAVE_ALEATORIA",
    pixKey: to?.key ?? null,
  };
}

/** Returns the stored form of a draft. */
export function normaliseTransfer(draft: CodedDraft): CodedDraft {
  const date = textOrNull(draft.paymentDate);
  const validation = normaliseTaxId(draft.pixKeyValidation ?? "") || null;
  const emv = textOrNull(draft.emv ?? null);
  const charge = emv === null ? null : (chargeOfStaticCode(emv) ?? draft.charge ?? null);
  return {
    ...normaliseDestination(emv === null ? draft : destinationOfCode(draft, charge)),
    ...(emv !== null && { emv, charge }),
    pixKeyValidation: validation && isObfuscatedTaxId(validation) ? null : validation,
    value: draft.value ?? charge?.amount ?? null,
    paymentDate: date && (readDate(date) ?? date),
    pixDescription: textOrNull(draft.pixDescription),
    integrationId: textOrNull(draft.integrationId),
  };
}

/**
 * Returns the values that the database columns can hold: it omits an impossible amount and text that is not a date.
 * Their errors are stored, so a missing value is never read as "no amount" or "today".
 */
export function storableTransfer(draft: CodedDraft): CodedDraft {
  const { value, paymentDate } = draft;
  const fits = value !== null && Number.isSafeInteger(value) && value >= 0 && value <= draftValueMax;
  return {
    ...draft,
    value: fits ? value : null,
    paymentDate: paymentDate === null ? null : (parseDate(paymentDate) ?? null),
  };
}

/** Returns the method for an account at this bank without a Pix key. */
export function defaultTransferMethod(bankIspb: string | null): TransferMethod {
  return bankIspb === ownInstitution().ispb ? "TEV" : "TED";
}

/** Returns PIX whenever there is a key: the directory knows its account, whatever bank was entered beside it. */
export function transferMethodOf(draft: Destination): TransferMethod {
  return isByPixKey(draft) ? "PIX" : defaultTransferMethod(draft.bankIspb);
}

export type DestinationFacts = {
  blocked: (taxId: string) => boolean;
  publicEntityNeedsCaixa: boolean;
};

export type TransferFacts = DestinationFacts & {
  today: CalendarDate;
  /** `HH:MM:SS` in São Paulo. */
  now: string;
  maxCents: Readonly<Record<TransferMethod, Cents>>;
};

export type TransferCheck = { errors: Issue[]; warnings: Issue[] };

// The classes exclude each other, so the pattern runs once over the name.
const threeLetters = /\p{L}\P{L}*\p{L}\P{L}*\p{L}/u;
const hasThreeLetters = (name: string) => threeLetters.test(name);

/** Returns every error of a normalised draft's destination, for a payment and for a saved receiver (RCV-011). */
export function checkDestination(draft: Destination, facts: DestinationFacts): TransferCheck {
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  const report = (issue: Issue) => (severityOf(issue) === "error" ? errors : warnings).push(issue);
  const complain = (code: IssueCode, field: string) => report({ code, field });

  if (transferMethodOf(draft) === "PIX") checkPixDestination(draft, report);
  else checkAccountDestination(draft, facts.publicEntityNeedsCaixa, report);

  if (draft.email && !isEmail(draft.email)) complain("email_invalid", "email");
  errors.push(...blockedDocuments(draft, facts));
  return { errors, warnings };
}

function blockedDocuments(draft: Destination, facts: DestinationFacts): Issue[] {
  const blocked = (field: string): Issue => ({ code: "tax_id_blocked", field });
  return [
    ...(draft.taxId && facts.blocked(draft.taxId) ? [blocked("cpf_cnpj")] : []),
    ...(isBlockedKey(draft, facts) ? [blocked("pix_key")] : []),
  ];
}

function instantOf({ today, now }: Pick<TransferFacts, "today" | "now">): Date {
  const [hours = 0, minutes = 0, seconds = 0] = now.split(":").map(Number);
  return new Date(startOfDay(today).getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000);
}

/** Returns every error of a normalised draft at once, so that a person corrects a row in one pass. */
export function checkTransfer(draft: CodedDraft, facts: TransferFacts): TransferCheck {
  // An error of the code is more exact than one of the unreadable key. A blocked document is reported too, because
  // another code would not make the payment payable.
  const badCode = draft.emv
    ? checkPixCode({ ...draft, emv: draft.emv, charge: draft.charge ?? null }, instantOf(facts))
    : undefined;
  const { errors, warnings } = badCode
    ? { errors: [badCode, ...blockedDocuments(draft, facts)], warnings: [] as Issue[] }
    : checkDestination(draft, facts);
  const report = (issue: Issue) => (severityOf(issue) === "error" ? errors : warnings).push(issue);
  const complain = (code: IssueCode, field: string) => report({ code, field });
  const method = transferMethodOf(draft);

  if (method === "PIX" && draft.pixKeyValidation && !isTaxId(draft.pixKeyValidation)) {
    complain("pix_key_validation_invalid", "pix_key_validation");
  }
  const { value } = draft;
  const max = facts.maxCents[method];
  if (value === null || !Number.isSafeInteger(value) || value <= 0) complain("value_invalid", "value");
  else if (value > max) report({ code: "value_above_max", field: "value", data: { max } });

  const late = checkPaymentDate(draft.paymentDate, method, facts);
  if (late) report(late);

  const badDescription = draft.pixDescription && pixDescriptionProblem(draft.pixDescription);
  if (badDescription) complain(badDescription, "pix_description");
  if (draft.integrationId && draft.integrationId.length > integrationIdMax) {
    report({ code: "integration_id_too_long", field: "integration_id", data: { max: integrationIdMax } });
  }
  return { errors, warnings };
}

/** Errors with a single correction: the bank's own rule determines the digit. */
const knownErrors: ReadonlySet<IssueCode> = new Set([
  "agency_digit_invalid",
  "account_digit_invalid",
  "account_digit_missing",
]);

export type Correction = { field: string; before: string | null; after: string };

/**
 * Automatic correction (SET-012): replaces check digits that contradict the bank's rule. It changes nothing else, and
 * nothing at all while the account has another error, because the digit depends on the number. `errors` are those of
 * the normalised draft; without a correction the draft is returned unchanged.
 */
export function correctKnownErrors(
  draft: TransferDraft,
  errors: readonly Issue[],
): { draft: TransferDraft; corrections: Correction[] } {
  const ofAccount = errors.filter(({ field }) => accountFields.has(field));
  if (
    ofAccount.length === 0 ||
    !ofAccount.every(({ code, suggestion }) => knownErrors.has(code) && suggestion)
  )
    return { draft, corrections: [] };
  const corrected = { ...draft };
  const corrections = ofAccount.flatMap(({ suggestion = {} }) =>
    Object.entries(suggestion).map(([field, after]) => {
      const name = transferFieldOf[field];
      if (name !== "agencyDigit" && name !== "accountDigit") throw new Error(`a digit's rule named ${field}`);
      const before = corrected[name];
      corrected[name] = after;
      return { field, before, after };
    }),
  );
  return { draft: corrected, corrections };
}

const accountFields: ReadonlySet<string> = new Set([
  "bank_id",
  "agency",
  "agency_digit",
  "account",
  "account_digit",
  "account_type",
]);

type Report = (issue: Issue) => void;

function isBlockedKey(draft: Destination, facts: DestinationFacts): boolean {
  const isDocument = draft.pixKeyType === "CPF" || draft.pixKeyType === "CNPJ";
  return isDocument && draft.pixKey !== null && draft.pixKey !== draft.taxId && facts.blocked(draft.pixKey);
}

/** Checks a Pix, where only the key counts. Name and document are optional, but must be valid when present. */
function checkPixDestination(draft: Destination, report: Report): void {
  const badKey = pixKeyProblem(draft.pixKeyType ?? "", draft.pixKey ?? "");
  if (badKey) {
    const isDocument = draft.pixKeyType === "CPF" || draft.pixKeyType === "CNPJ";
    const whole = isDocument ? suggestTaxId(draft.pixKey ?? "") : undefined;
    report({ code: badKey, field: "pix_key", ...(whole && { suggestion: { pix_key: whole } }) });
  }
  if (draft.name && !hasThreeLetters(draft.name)) report({ code: "name_invalid", field: "name" });
  if (draft.taxId) checkTaxId(draft.taxId, report);
}

function checkTaxId(taxId: string, report: Report): void {
  if (isTaxId(taxId)) return;
  const whole = suggestTaxId(taxId);
  report({ code: "tax_id_invalid", field: "cpf_cnpj", ...(whole && { suggestion: { cpf_cnpj: whole } }) });
}

function checkAccountDestination(draft: Destination, publicEntityNeedsCaixa: boolean, report: Report): void {
  const bank = draft.bankIspb === null ? undefined : findBankByIspb(draft.bankIspb);
  if (!hasThreeLetters(draft.name ?? "")) report({ code: "name_invalid", field: "name" });
  checkTaxId(draft.taxId ?? "", report);
  if (!bank) report({ code: "bank_missing", field: "bank_id" });
  const account = {
    bankCode: bank?.code ?? null,
    agency: draft.agency ?? "",
    agencyDigit: draft.agencyDigit ?? "",
    account: draft.account ?? "",
    accountDigit: draft.accountDigit ?? "",
    accountType: draft.accountType,
    taxId: draft.taxId ?? "",
  };
  for (const issue of checkBankAccount(account, publicEntityNeedsCaixa)) report(issue);
}

/**
 * Checks the date; no date means as soon as possible. A past day, or today for a TED after the cut-off, can no longer
 * be met, so a person has to decide again; a TED without date runs later, with a warning.
 */
function checkPaymentDate(
  written: string | null,
  method: TransferMethod,
  facts: TransferFacts,
): Issue | undefined {
  const date = written === null ? facts.today : parseDate(written);
  if (!date) return { code: "payment_date_invalid", field: "payment_date" };
  if (date < facts.today) return { code: "payment_date_expired", field: "payment_date" };
  if (date > lastScheduleDay(facts.today)) return { code: "payment_date_too_far", field: "payment_date" };
  if (method !== "TED") return undefined;

  const isTooLateToday = date === facts.today && isBusinessDay(date) && facts.now > tedCutOff;
  if (isTooLateToday && written !== null) return { code: "payment_time_expired", field: "payment_date" };
  const runsOn = isTooLateToday ? nextBusinessDay(date) : businessDayOnOrAfter(date);
  if (runsOn === date) return undefined;
  return { code: "ted_next_business_day", field: "payment_date", data: { date: formatDate(runsOn) } };
}

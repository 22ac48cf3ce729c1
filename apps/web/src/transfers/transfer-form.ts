import type { CompanySettings } from "@malote/contracts/company";
import type { PixCode } from "@malote/contracts/pix-code";
import type { Transfer, TransferInput } from "@malote/contracts/transfers";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import { maxCentsFor } from "@malote/domain/limits";
import type { Cents } from "@malote/domain/money";
import type { PixCharge } from "@malote/domain/pix-charge";
import { formatPixKey, type PixKeyType } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import {
  type CodedDraft,
  checkDestination,
  checkTransfer,
  normaliseTransfer,
  type TransferFacts,
  type TransferMethod,
  transferMethodOf,
} from "@malote/domain/transfer";
import { systemNow } from "../ui/system-time.ts";

/** Fields of the form under their wire names, which errors use too. Text as typed, empty for nothing. */
export interface TransferForm {
  /** Destination. Fields of the other method are kept while typing and omitted when sending. */
  way: "pix" | "account" | "code";
  name: string;
  cpf_cnpj: string;
  email: string;
  bank_id: string;
  agency: string;
  agency_digit: string;
  account_type: string;
  account: string;
  account_digit: string;
  pix_key_type: PixKeyType;
  pix_key: string;
  pix_key_validation: string;
  /** Text of a Pix QR code. */
  emv: string;
  /** Charge of the code, once it was read. */
  charge: PixCharge | null;
  value: number | null;
  /** Null means 'Hoje'; otherwise a day, or text typed for one. */
  payment_date: string | null;
  pix_description: string;
  integration_id: string;
}
export type FieldName = Exclude<keyof TransferForm, "way" | "charge">;

export const emptyForm: TransferForm = {
  way: "pix",
  name: "",
  cpf_cnpj: "",
  email: "",
  bank_id: "",
  agency: "",
  agency_digit: "",
  account_type: "CONTA_CORRENTE",
  account: "",
  account_digit: "",
  // TRF-005: type of an empty key.
  pix_key_type: "CNPJ",
  pix_key: "",
  pix_key_validation: "",
  emv: "",
  charge: null,
  value: null,
  payment_date: null,
  pix_description: "",
  integration_id: "",
};

type Destination = Transfer["destination_bank_account"];

/** Fields that a saved receiver or a payment's destination fills. */
export function formOfDestination(to: Destination): Partial<TransferForm> {
  const type = to.pix_key_type ?? emptyForm.pix_key_type;
  const isPix = Boolean(to.pix_key) || Boolean(to.pix_key_type && !to.bank_id && !to.account);
  return {
    way: isPix ? "pix" : "account",
    name: to.name ?? "",
    cpf_cnpj: formatTaxId(to.cpf_cnpj ?? ""),
    email: to.email ?? "",
    bank_id: to.bank_id ?? "",
    agency: to.agency ?? "",
    agency_digit: to.agency_digit ?? "",
    account_type: to.account_type ?? (isPix ? emptyForm.account_type : ""),
    account: to.account ?? "",
    account_digit: to.account_digit ?? "",
    pix_key_type: type,
    pix_key: formatPixKey(type, to.pix_key ?? ""),
  };
}

export function formOfTransfer(transfer: Transfer): TransferForm {
  return {
    ...emptyForm,
    ...formOfDestination(transfer.destination_bank_account),
    pix_key_validation: formatTaxId(transfer.pix_key_validation?.cpf_cnpj ?? ""),
    value: transfer.value,
    payment_date: transfer.payment_date,
    pix_description: transfer.pix_description ?? "",
    integration_id: transfer.integration_id ?? "",
    ...(transfer.emv !== null && { way: "code", emv: transfer.emv, charge: chargeOfTransfer(transfer) }),
  };
}

/** The charge as far as the payment stores it; the form reads the code again. */
function chargeOfTransfer({ emv_data: data, destination_bank_account: to }: Transfer): PixCharge | null {
  if (!data || !to.pix_key) return null;
  return chargeOfCode({
    ...data,
    status: "ACTIVE",
    pix_key_type: to.pix_key_type ?? "CHAVE_ALEATORIA",
    pix_key: to.pix_key,
    name: to.name,
    cpf_cnpj: to.cpf_cnpj,
    until: null,
  });
}

/** Converts the request into the input of the domain's rules. */
export const chargeOfCode = (charge: NonNullable<PixCode["charge"]>): PixCharge => ({
  type: charge.type,
  status: charge.status,
  key: charge.pix_key,
  receiver: { name: charge.name, taxId: null },
  amount: charge.amount as Cents | null,
  dueDate: charge.due_date as PixCharge["dueDate"],
  fine: charge.fine_amount as Cents | null,
  interest: charge.interest_amount as Cents | null,
  discount: charge.discount_amount as Cents | null,
  abatement: charge.abatment_amount as Cents | null,
  txid: charge.txid,
  until: charge.until,
});

/** Only the chosen method counts: a key typed before a change of mind must not decide where the money goes. */
export function draftOfForm(form: TransferForm): CodedDraft {
  if (form.way === "code") return draftOfCode(form);
  const isPix = form.way === "pix";
  const account = (text: string) => (isPix ? null : text);
  return normaliseTransfer({
    name: form.name,
    taxId: form.cpf_cnpj,
    email: form.email,
    bankIspb: account(form.bank_id),
    agency: account(form.agency),
    agencyDigit: account(form.agency_digit),
    account: account(form.account),
    accountDigit: account(form.account_digit),
    accountType: account(form.account_type),
    pixKeyType: isPix ? form.pix_key_type : null,
    pixKey: isPix ? form.pix_key : null,
    pixKeyValidation: isPix ? form.pix_key_validation : null,
    value: form.value,
    paymentDate: form.payment_date,
    // Sheets allow a description for payments to accounts too, so saving a correction keeps it.
    pixDescription: form.pix_description,
    integrationId: form.integration_id,
  });
}

/** A code names its payee, so fields typed for another method are left out. */
const draftOfCode = (form: TransferForm): CodedDraft =>
  normaliseTransfer({
    ...nobody,
    email: form.email,
    emv: form.emv,
    charge: form.charge,
    value: form.value,
    paymentDate: form.payment_date,
    pixKeyValidation: null,
    pixDescription: form.pix_description,
    integrationId: form.integration_id,
  });

const nobody = {
  name: null,
  taxId: null,
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: null,
  pixKey: null,
};

/** TRF-002, TRF-027: builds the request. */
export function inputOfDraft(draft: CodedDraft): TransferInput {
  return {
    ...(draft.emv && { emv: draft.emv }),
    value: draft.value,
    integration_id: draft.integrationId,
    destination_bank_account: {
      name: draft.name,
      cpf_cnpj: draft.taxId,
      email: draft.email,
      bank_id: draft.bankIspb,
      agency: draft.agency,
      agency_digit: draft.agencyDigit,
      account_type: draft.accountType as Destination["account_type"] as never,
      account: draft.account,
      account_digit: draft.accountDigit,
      pix_key: draft.pixKey,
      pix_key_type: draft.pixKeyType as PixKeyType | null,
    },
    payment_date: draft.paymentDate,
    pix_key_validation: draft.pixKeyValidation ? { cpf_cnpj: draft.pixKeyValidation } : null,
    pix_description: draft.pixDescription,
  };
}

export type FormFacts = Omit<TransferFacts, "today" | "now">;

export function factsOf(
  settings: CompanySettings | undefined,
  blacklist: ReadonlySet<string> | undefined,
): FormFacts {
  const limits = (settings?.accountLimits ?? {}) as Partial<Record<TransferMethod, Cents>>;
  return {
    maxCents: {
      PIX: maxCentsFor("PIX", limits),
      TED: maxCentsFor("TED", limits),
      TEV: maxCentsFor("TEV", limits),
    },
    // Until the list has arrived no receiver is blocked here; the server checks in any case.
    blocked: (taxId) => blacklist?.has(taxId) ?? false,
    publicEntityNeedsCaixa: settings?.publicEntityNeedsCaixa ?? true,
  };
}

export interface FormCheck {
  draft: CodedDraft;
  method: TransferMethod;
  errors: Issue[];
  warnings: Issue[];
}

/** Applies the domain's rules, as the server does. */
export function checkForm(form: TransferForm, facts: FormFacts, now: Date = systemNow()): FormCheck {
  const draft = draftOfForm(form);
  const method = transferMethodOf(draft);
  const moment = { today: saoPauloDate(now), now: saoPauloTime(now) };
  const { errors, warnings } = checkTransfer(draft, { ...facts, ...moment });
  if (form.way === "code" && !draft.emv)
    return { draft, method, errors: [{ code: "qr_invalid", field: "emv" }, ...ofPayment(errors)], warnings };
  return { draft, method, errors, warnings };
}

/** Without a code, only errors of the payment's own fields count. */
const ofPayment = (errors: Issue[]) =>
  errors.filter(({ field }) =>
    ["value", "payment_date", "pix_description", "integration_id"].includes(field),
  );

/** For a receiver who is saved without a payment, only the destination counts (RCV-011). */
export function checkDestinationOfForm(form: TransferForm, facts: FormFacts): FormCheck {
  const draft = draftOfForm(form);
  return { draft, method: transferMethodOf(draft), ...checkDestination(draft, facts) };
}

import type { BoletoRegister } from "@malote/contracts/boleto-register";
import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import {
  type BoletoDraft,
  type BoletoFacts,
  checkBoleto,
  normaliseBoleto,
  priceOf,
  type Register,
} from "@malote/domain/boleto";
import { type BoletoCode, formatBoletoLine, readBoletoCode } from "@malote/domain/boleto-code";
import { type CalendarDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import type { Cents } from "@malote/domain/money";
import { systemNow } from "../ui/system-time.ts";

/** Fields of the form under their wire names, which validation issues use too. Text as typed, empty for nothing. */
export interface BoletoForm {
  barcode: string;
  value: number | null;
  /** Null means 'Hoje'; otherwise a day, or text typed for one. */
  payment_date: string | null;
  description: string;
  integration_id: string;
}
export type FieldName = keyof BoletoForm;

export const emptyForm: BoletoForm = {
  barcode: "",
  value: null,
  payment_date: null,
  description: "",
  integration_id: "",
};

export const formOfBoleto = (boleto: Boleto): BoletoForm => ({
  barcode: formatBoletoLine(boleto.barcode ?? ""),
  value: boleto.value,
  payment_date: boleto.payment_date,
  description: boleto.description ?? "",
  integration_id: boleto.integration_id ?? "",
});

const digitsOf = (typed: string) => typed.replace(/\D/g, "");

/** State of a digitable line: complete, right or wrong. */
export const isWholeLine = (typed: string): boolean =>
  digitsOf(typed).length === (digitsOf(typed).startsWith("8") ? 48 : 47);

/**
 * Returns the code of a complete line. Forty-four digits may be the beginning of a line whose check digits fit by
 * chance, so they count as a barcode only once the person leaves the field.
 */
export const readWholeLine = (typed: string, today: CalendarDate): BoletoCode | undefined =>
  isWholeLine(typed) ? readBoletoCode(typed, today) : undefined;

/** Returns the line of a barcode that was typed or scanned digit by digit; any other text unchanged. */
export function lineOfTyped(typed: string, today: CalendarDate): string {
  const code = readBoletoCode(typed, today);
  return code ? formatBoletoLine(code.barcode) : typed;
}

/** BIL-016, BIL-017: another code sets its own value; without a code, the typed value stays. */
export function withCode(form: BoletoForm, typed: string, today: CalendarDate): Partial<BoletoForm> {
  const before = readWholeLine(form.barcode, today);
  const after = readWholeLine(typed, today);
  if (before?.barcode === after?.barcode) return { barcode: typed };
  const ownValue = typeof before?.value === "number" ? null : form.value;
  return { barcode: typed, value: after ? (after.value ?? (before ? null : ownValue)) : ownValue };
}

/** BIL-002: converts the form into the request. */
export const inputOfDraft = (draft: BoletoDraft): BoletoInput => ({
  value: draft.value,
  payment_date: draft.paymentDate,
  barcode: draft.barcode ?? "",
  description: draft.description,
  integration_id: draft.integrationId,
});

/** Converts the request into the input of the domain's rules. */
export function registerOf(register: BoletoRegister): Register {
  const { beneficiary, status } = register;
  return {
    outcome: status === "unavailable" ? "silent" : status,
    boleto: beneficiary && {
      beneficiary: { name: beneficiary.name, taxId: beneficiary.cpf_cnpj },
      value: (register.value ?? 0) as Cents,
      dueDate: register.due_date as CalendarDate | null,
      limitDate: register.limit_date as CalendarDate | null,
      fineBasisPoints: register.fine_basis_points,
      interestBasisPoints: register.interest_basis_points,
      discount: register.discount && {
        amount: register.discount.amount as Cents,
        until: register.discount.until as CalendarDate,
      },
      abatement: register.abatement as Cents,
    },
  };
}

export interface FormCheck {
  draft: BoletoDraft;
  /** True when the register asks for an amount on the day of payment, which replaces any other. */
  isPriced: boolean;
  errors: Issue[];
  warnings: Issue[];
}

/** Applies the domain's rules, as the server does. */
export function checkForm(
  form: BoletoForm,
  facts: Pick<BoletoFacts, "maxCents" | "isDuplicated" | "register">,
  now: Date = systemNow(),
): FormCheck {
  const moment = { today: saoPauloDate(now), now: saoPauloTime(now) };
  const draft = normaliseBoleto(
    {
      barcode: form.barcode,
      value: form.value,
      paymentDate: form.payment_date,
      description: form.description,
      integrationId: form.integration_id,
    },
    moment.today,
    { ...moment, register: facts.register },
  );
  const isPriced = priceOf(draft, moment, facts.register) !== undefined;
  return { draft, isPriced, ...checkBoleto(draft, { ...facts, ...moment }) };
}

import type { BilletRegister } from "@malote/contracts/billet-register";
import type { Billet, BilletInput } from "@malote/contracts/billets";
import {
  type BilletDraft,
  type BilletFacts,
  checkBillet,
  normaliseBillet,
  type Register,
} from "@malote/domain/billet";
import { type BilletCode, formatBilletLine, readBilletCode } from "@malote/domain/billet-code";
import { type CalendarDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import type { Cents } from "@malote/domain/money";
import { systemNow } from "../ui/system-time.ts";

/** The form's fields under their wire names, which is how complaints name them too. Text as typed, empty for nothing. */
export interface BilletForm {
  barcode: string;
  value: number | null;
  /** Null is 'Hoje'; otherwise a day, or what was typed for one. */
  payment_date: string | null;
  description: string;
  integration_id: string;
}
export type FieldName = keyof BilletForm;

export const emptyForm: BilletForm = {
  barcode: "",
  value: null,
  payment_date: null,
  description: "",
  integration_id: "",
};

export const formOfBillet = (billet: Billet): BilletForm => ({
  barcode: formatBilletLine(billet.barcode ?? ""),
  value: billet.value,
  payment_date: billet.payment_date,
  description: billet.description ?? "",
  integration_id: billet.integration_id ?? "",
});

const digitsOf = (typed: string) => typed.replace(/\D/g, "");

/** Whether a line stands there from its first digit to its last, right or wrong. */
export const isWholeLine = (typed: string): boolean =>
  digitsOf(typed).length === (digitsOf(typed).startsWith("8") ? 48 : 47);

/**
 * The code of a whole line. Forty-four digits may be the beginning of one, whose check digits fit by chance: they are
 * taken for a barcode only once the person leaves the field.
 */
export const readWholeLine = (typed: string, today: CalendarDate): BilletCode | undefined =>
  isWholeLine(typed) ? readBilletCode(typed, today) : undefined;

/** A barcode that was typed or scanned digit by digit, as its line; any other text as it is. */
export function lineOfTyped(typed: string, today: CalendarDate): string {
  const code = readBilletCode(typed, today);
  return code ? formatBilletLine(code.barcode) : typed;
}

/** BIL-016, BIL-017: another code brings its own value; while there is none, what a person typed stays. */
export function withCode(form: BilletForm, typed: string, today: CalendarDate): Partial<BilletForm> {
  const before = readWholeLine(form.barcode, today);
  const after = readWholeLine(typed, today);
  if (before?.barcode === after?.barcode) return { barcode: typed };
  const ownValue = typeof before?.value === "number" ? null : form.value;
  return { barcode: typed, value: after ? (after.value ?? (before ? null : ownValue)) : ownValue };
}

/** BIL-002: what goes on the wire. */
export const inputOfDraft = (draft: BilletDraft): BilletInput => ({
  value: draft.value,
  payment_date: draft.paymentDate,
  barcode: draft.barcode ?? "",
  description: draft.description,
  integration_id: draft.integrationId,
});

/** Wire into the form of the rules. */
export function registerOf(told: BilletRegister): Register {
  const { beneficiary, status } = told;
  return {
    outcome: status === "unavailable" ? "silent" : status,
    billet: beneficiary && {
      beneficiary: { name: beneficiary.name, taxId: beneficiary.cpf_cnpj },
      value: (told.value ?? 0) as Cents,
      dueDate: told.due_date as CalendarDate | null,
      limitDate: told.limit_date as CalendarDate | null,
      fineBasisPoints: told.fine_basis_points,
      interestBasisPoints: told.interest_basis_points,
      discount: told.discount && {
        amount: told.discount.amount as Cents,
        until: told.discount.until as CalendarDate,
      },
      abatement: told.abatement as Cents,
    },
  };
}

export interface FormCheck {
  draft: BilletDraft;
  errors: Issue[];
  warnings: Issue[];
}

/** The rules of the domain, the same the server applies. */
export function checkForm(
  form: BilletForm,
  facts: Pick<BilletFacts, "maxCents" | "isDuplicated" | "register">,
  now: Date = systemNow(),
): FormCheck {
  const moment = { today: saoPauloDate(now), now: saoPauloTime(now) };
  const draft = normaliseBillet(
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
  return { draft, ...checkBillet(draft, { ...facts, ...moment }) };
}

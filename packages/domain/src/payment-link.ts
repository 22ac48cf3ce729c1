/** Terms of a payment link: the amount, the last day and the methods (LNK). */
import { addDays, type CalendarDate, startOfDay } from "./calendar.ts";
import type { LateTerms } from "./late-charges.ts";
import { type Cents, cents, splitEqually } from "./money.ts";

export const linkMethods = ["credit_card", "boleto", "pix"] as const;
export type LinkMethod = (typeof linkMethods)[number];

/** Names of the methods on the screens (LNK-018). */
export const linkMethodNames: Readonly<Record<LinkMethod, string>> = {
  credit_card: "Cartão de crédito",
  boleto: "Boleto",
  pix: "Pix",
};

export const linkNameMax = 50;
export const linkDescriptionMax = 100;
/** The maximum that the code of a boleto can hold, far above any link in practice. */
export const linkAmountMax = cents(99_999_999_99);
export const instalmentsMax = 24;
/** Three digits. A boleto due on the day of its creation might no longer be payable that day, so the minimum is 1. */
export const boletoDueDays = { min: 1, max: 999 } as const;

export const linkStatuses = ["active", "paid", "expired"] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** Returns the status of a link (LNK-007); the last day still counts. */
export function linkStatus(
  { isPaid, expiresOn }: { isPaid: boolean; expiresOn: CalendarDate },
  today: CalendarDate,
): LinkStatus {
  if (isPaid) return "paid";
  return expiresOn < today ? "expired" : "active";
}

/** Returns the last millisecond of a link's day in São Paulo (LNK-022). */
export const endOfLink = (expiresOn: CalendarDate): Date =>
  new Date(startOfDay(addDays(expiresOn, 1)).getTime() - 1);

/** Returns the maximum number of instalments: none is below one centavo (LNK-020). */
export const instalmentsMaxFor = (amount: Cents): number => Math.min(instalmentsMax, Math.max(amount, 1));

/** Returns the monthly amounts: the first ones get the odd centavos, so that all add up to the amount. */
export function instalmentsOf(
  amount: Cents,
  count: number,
): { first: Cents; firstCount: number; others: Cents } {
  const shares = splitEqually(amount, count);
  const [first] = shares;
  const others = shares.at(-1);
  if (first === undefined || others === undefined) throw new Error("an amount has at least one instalment");
  return { first, firstCount: shares.filter((share) => share === first).length, others };
}

export interface LinkTerms {
  amount: Cents;
  expiresOn: CalendarDate;
  methods: readonly LinkMethod[];
  /** Null without boleto. */
  boletoDueDays: number | null;
  /** Charges of a boleto that is paid late; null where there are none. */
  late: LateTerms | null;
  /** Null without credit card. */
  maxInstallments: number | null;
}

export interface LinkFacts {
  today: CalendarDate;
  hasCardCharge: boolean;
  hasBoletoCharge: boolean;
}

export type LinkRefusal =
  | "payment_link_date_past"
  | "payment_link_boleto_off"
  | "payment_link_card_off"
  | "payment_link_due_days_missing"
  | "payment_link_installments_over";

/** Returns the reason why a link cannot be created; undefined when it can. */
export function refusalOfLink(terms: LinkTerms, facts: LinkFacts): LinkRefusal | undefined {
  if (terms.expiresOn < facts.today) return "payment_link_date_past";
  // A link may use only methods that the company may offer (LNK-018).
  if (terms.methods.includes("boleto") && !facts.hasBoletoCharge) return "payment_link_boleto_off";
  if (terms.methods.includes("credit_card") && !facts.hasCardCharge) return "payment_link_card_off";
  if (terms.methods.includes("boleto") && terms.boletoDueDays === null)
    return "payment_link_due_days_missing";
  if ((terms.maxInstallments ?? 1) > instalmentsMaxFor(terms.amount)) return "payment_link_installments_over";
  return undefined;
}

/**
 * Cards that are refused on purpose, one for each reason for which a sale can be refused (PAY-025), and amounts whose
 * refund fails. Every other card with a correct check digit is authorised, and every other refund succeeds.
 */
import { saoPauloDate } from "@malote/domain/calendar";
import { isCardInTime } from "@malote/domain/card";
import { cardRejections } from "@malote/domain/card-rejections";
import { hourMs } from "@malote/domain/durations";
import { cents, formatBrl } from "@malote/domain/money";

/** Computes Luhn's check digit of the given digits. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const product = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10;
}
const withCheckDigit = (digits: string) => digits + checkDigit(digits);

const refusedCards = new Map(
  Object.keys(cardRejections).map((code, index) => [
    withCheckDigit(`4000000001${String(index + 1).padStart(2, "0")}000`),
    code,
  ]),
);

/** Valid card number for trial payments. */
export const goodCard = withCheckDigit("400000000000001");

/** Returns the code of the refusal; undefined when the sale is authorised. */
export function refusalOfCard(
  card: { number: string; expiry: { month: number; year: number } },
  now: Date,
): string | undefined {
  const { number, expiry } = card;
  if (!/^\d{13,19}$/.test(number) || checkDigit(number.slice(0, -1)) !== Number(number.at(-1))) {
    return "card_invalid";
  }
  const known = refusedCards.get(number);
  if (known) return known;
  return isCardInTime(expiry, saoPauloDate(now)) ? undefined : "card_expired";
}

/** Refund amounts in centavos that fail. */
const failingRefunds = new Map([
  [66_01, "A conta do pagador foi encerrada."],
  [66_02, "O banco do pagador não respondeu às tentativas de devolução."],
]);
/** Refund amount in centavos whose result comes late, so that a pending refund can be shown. */
const slowRefund = 66_03;
export const slowRefundMs = hourMs;

export const failureOfRefund = (amount: number): string | undefined => failingRefunds.get(amount);
export const isSlowRefund = (amount: number): boolean => amount === slowRefund;

const spaced = (number: string) => number.replace(/(\d{4})(?=\d)/g, "$1 ");

/** Rows of the simulator's table of magic values. */
export const chargeMagicValues: readonly { value: string; kind: string; outcome: string }[] = [
  {
    value: spaced(goodCard),
    kind: "Cartão",
    outcome: "Venda autorizada, com qualquer código e validade futura",
  },
  ...[...refusedCards].map(([number, code]) => ({
    value: spaced(number),
    kind: "Cartão",
    outcome: `Venda negada: ${cardRejections[code]}`,
  })),
  ...[...failingRefunds].map(([amount, reason]) => ({
    value: formatBrl(cents(amount)),
    kind: "Devolução de recebimento",
    outcome: reason,
  })),
  {
    value: formatBrl(cents(slowRefund)),
    kind: "Devolução de recebimento",
    outcome: "Só é concluída depois de 1 hora",
  },
];

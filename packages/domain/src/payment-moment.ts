/** Moments at which payments leave: each method has hours of its own. */
import { boletoMoment } from "./boleto.ts";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  isBusinessDay,
  nextBusinessDay,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
  tedCutOff,
  tedOpens,
} from "./calendar.ts";
import type { PaymentMethod } from "./limits.ts";

/** Returns the instant from which a TED for this day may be sent; a null day means as soon as possible. */
export function tedMoment(day: string | null, now: Date): Date {
  const today = saoPauloDate(now);
  const wanted = day === null || day < today ? today : (day as CalendarDate);
  const tooLate = wanted === today && isBusinessDay(today) && saoPauloTime(now) > tedCutOff;
  const runsOn = tooLate ? nextBusinessDay(wanted) : businessDayOnOrAfter(wanted);
  const opens = tedOpens(runsOn);
  return opens > now ? opens : now;
}

/** Payments that leave together: their method, and the requested day; null means as soon as possible. */
export interface PaymentDay {
  method: PaymentMethod;
  day: string | null;
  /** True for boletos that close early. */
  isEarly: boolean;
}

/** Returns the moment at which the payments leave. */
export function paymentMoment({ method, day, isEarly }: PaymentDay, now: Date): Date {
  if (method === "TED") return tedMoment(day, now);
  if (method === "BILLET") return boletoMoment(day as CalendarDate | null, isEarly, now);
  const begins = day === null ? now : startOfDay(day as CalendarDate);
  return begins > now ? begins : now;
}

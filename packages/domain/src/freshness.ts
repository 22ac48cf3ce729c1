/** Validity of an outside answer, in milliseconds. Afterwards it is requested again before money leaves. */
import { dayMs, hourMs, minuteMs } from "./durations.ts";

/** By outcome: a key changes hands within days, and an unregistered key may be registered within the hour. */
export const keyFreshMs = { found: dayMs, not_found: hourMs, silent: 0 } as const;

/** For a holder that differs from the payment's document. */
export const doubtedKeyFreshMs = 10 * minuteMs;

/** For the registration of a boleto: another payer may pay it, or its issuer may change it, at any hour. */
export const boletoFreshMs = hourMs;

import { Secret, TOTP } from "otpauth";

const periodSeconds = 30;
/** Accepts one step on either side, because phone clocks differ by some seconds. */
const stepsOff = 1;

const totpOf = (secret: string, who = { brand: "Malote", email: "" }) =>
  new TOTP({
    issuer: who.brand,
    label: who.email,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
  });

export const newCodeSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the address for the QR code. */
export const otpauthAddress = (secret: string, who: { brand: string; email: string }): string =>
  totpOf(secret, who).toString();

/** Returns the 30-second step of the code; undefined when the code is not a current one. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const off = totpOf(secret).validate({ token: code, timestamp, window: stepsOff });
  return off === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + off;
}

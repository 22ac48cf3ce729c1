/** MED-006: signed address of an attachment, which opens without a token for a short while. */

import { timingSafeEqual } from "node:crypto";
import { downloadInfractionFile } from "@malote/contracts/contestations";
import { bases } from "@malote/contracts/contract";
import { minuteMs } from "@malote/domain/durations";
import { signedFileMinutes } from "@malote/domain/limits";
import type { Secrets } from "../platform/auth/secrets.ts";

/** Content of the signature: this attachment of this company, until the expiry. */
interface Signed {
  companyId: string;
  infractionId: string;
  /** Milliseconds since 1970. */
  expires: number;
}

const signatureOf = ({ seal }: Pick<Secrets, "seal">, { companyId, infractionId, expires }: Signed) =>
  seal(`infraction-file ${companyId} ${infractionId} ${expires}`);

export function signedUrl(
  secrets: Pick<Secrets, "seal">,
  of: Omit<Signed, "expires"> & { now: Date },
): string {
  const expires = of.now.getTime() + signedFileMinutes * minuteMs;
  const query = new URLSearchParams({
    company: of.companyId,
    expires: String(expires),
    signature: signatureOf(secrets, { ...of, expires }),
  });
  return `${bases.payments}${downloadInfractionFile.path.replace(":id", of.infractionId)}?${query}`;
}

/** Compares in constant time; otherwise an attacker could find the signature character by character. */
export const isSigned = (secrets: Pick<Secrets, "seal">, signed: Signed, signature: string): boolean =>
  timingSafeEqual(Buffer.from(signatureOf(secrets, signed)), Buffer.from(signature));

import { createHash } from "node:crypto";
import { uuidFrom } from "../platform/uuid.ts";
import type { OpenLink } from "./open.ts";

/**
 * Returns the id of a payer's charge, here and at the network. Payers choose ids and could choose the same one for the
 * links of two companies, or so that two boletos look alike. Their id therefore only distinguishes their own charges,
 * and this one, a UUIDv8, identifies the charge.
 */
export function chargeIdOf({ companyId, id: linkId }: OpenLink, payersId: string): string {
  const text = `${companyId}|${linkId}|${payersId.toLowerCase()}`;
  return uuidFrom(createHash("sha256").update(text).digest(), 8);
}

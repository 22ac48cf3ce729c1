import { createHash } from "node:crypto";
import { uuidFrom } from "../platform/uuid.ts";
import type { OpenLink } from "./open.ts";

/**
 * The id of a payer's charge with us and at the network. Payers choose ids and could choose one twice: for the links
 * of two companies, or so that two boletos look alike. So theirs only distinguishes their own charges, and this one,
 * a UUIDv8, identifies it.
 */
export function chargeIdOf({ companyId, id: linkId }: OpenLink, payersId: string): string {
  const text = `${companyId}|${linkId}|${payersId.toLowerCase()}`;
  return uuidFrom(createHash("sha256").update(text).digest(), 8);
}

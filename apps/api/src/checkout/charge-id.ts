import { createHash } from "node:crypto";
import type { OpenLink } from "./open.ts";

/**
 * The id of a payer's charge with us and at the network. Payers choose ids and could choose one twice: for the links of two
 * companies, or so that two boletos look alike. So theirs only tells their own charges apart, and this one, a UUIDv8, names it.
 */
export function chargeIdOf({ companyId, id: linkId }: OpenLink, payersId: string): string {
  const bytes = createHash("sha256").update(`${companyId}|${linkId}|${payersId.toLowerCase()}`).digest();
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

import { randomBytes } from "node:crypto";

/** Returns an id that increases with time, so that indexes grow at their end. */
export function uuidv7(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  return uuidFrom(bytes, 7);
}

/** Builds a UUID from the first sixteen bytes, with version and variant set. */
export function uuidFrom(bytes: Buffer, version: 7 | 8): string {
  const id = Buffer.from(bytes.subarray(0, 16));
  id[6] = (id.readUInt8(6) & 0x0f) | (version << 4);
  id[8] = (id.readUInt8(8) & 0x3f) | 0x80;
  const hex = id.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const isUuid = (text: string | undefined): boolean =>
  text !== undefined && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text);

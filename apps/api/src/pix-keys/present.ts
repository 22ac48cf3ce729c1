/** Converts a key to the wire format, with its payment code as text and as an image. */

import { errorText } from "@malote/contracts/errors";
import type { PixKeyOnWire } from "@malote/contracts/pix-keys";
import { instantOrNull } from "@malote/contracts/wire";
import { writeBrCode } from "@malote/domain/br-code";
import type { Cents } from "@malote/domain/money";
import { countsAsRegistered } from "@malote/domain/own-pix-key";
import { generate } from "lean-qr";
import { toPngBuffer } from "lean-qr/extras/node_export";
import type { PixKeyRow } from "./store.ts";

/** Fallback for the town that Brazilian QR codes require: the provider's, when the company has no address. */
const townOtherwise = "SAO PAULO";

/** Payee of a code, as payers see it. */
export interface Merchant {
  name: string;
  city: string | null;
}

/** Cache of images: drawing takes milliseconds, and the same few keys are read all day. */
const drawn = new Map<string, string>();
const drawnMax = 2_000;

function pictureOf(code: string): string {
  const before = drawn.get(code);
  if (before) return before;
  const picture = Buffer.from(toPngBuffer(generate(code), { scale: 6 })).toString("base64");
  if (drawn.size >= drawnMax) drawn.clear();
  drawn.set(code, picture);
  return picture;
}

/**
 * Returns the code that pays into a key, with a fixed value if one is given (centavos). Returns null for a key that is
 * not registered for the company.
 */
export function codeToPay({ key, status }: PixKeyRow, merchant: Merchant, value?: Cents): string | null {
  if (key === null || !countsAsRegistered(status)) return null;
  return writeBrCode({
    key,
    merchantName: merchant.name,
    merchantCity: merchant.city ?? townOtherwise,
    ...(value !== undefined && { amountCents: value }),
  });
}

export function pixKeyOnWire(row: PixKeyRow, merchant: Merchant): PixKeyOnWire {
  const code = codeToPay(row, merchant);
  return {
    id: row.id,
    key_type: row.key_type,
    key: row.key,
    status: row.status,
    ownership_date: instantOrNull(row.ownership_date),
    pix_qrcode_image: code && pictureOf(code),
    pix_qrcode_emv_payload: code,
    updated_at: row.updated_at.toISOString(),
    error: row.error_code && { code: row.error_code, message: errorText(row.error_code) },
  };
}

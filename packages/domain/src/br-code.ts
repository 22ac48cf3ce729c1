import { removeAccents } from "./fold-text.ts";
import { type Cents, parseBrl } from "./money.ts";

/** The maximum length of a Pix QR code that the rails accept. */
export const brCodeMax = 512;

/** Content of a Pix QR code. A dynamic code has a location instead of a key, and its amount comes from there. */
export type BrCode = {
  key: string | null;
  location: string | null;
  description: string | null;
  amountCents: Cents | null;
  merchantName: string;
  merchantCity: string;
  postalCode: string | null;
  merchantCategory: string;
  txid: string | null;
  isSingleUse: boolean;
};

export type StaticBrCode = {
  key: string;
  merchantName: string;
  merchantCity: string;
  amountCents?: Cents;
  description?: string;
  postalCode?: string;
  txid?: string;
};

const staticTxid = /^[a-zA-Z0-9]{1,25}$/;
const pixDomain = "br.gov.bcb.pix";
const fieldMax = 99;

/** Returns CRC16-CCITT-FALSE: polynomial 0x1021, start 0xFFFF, four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= (text.charCodeAt(index) & 0xff) << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

function field(id: string, value: string): string {
  if (value.length > fieldMax) throw new Error(`field ${id} is over ${fieldMax} characters`);
  return `${id}${String(value.length).padStart(2, "0")}${value}`;
}

const notPrintableAscii = /[^ -~]/g;
/** Removes accents, because readers count either bytes or characters and both agree only in ASCII. */
const ascii = (text: string) => removeAccents(text).replace(notPrintableAscii, " ").trim();
const reais = (amount: Cents) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;

/** Returns the text of a static QR code. Names and free text are cut to the format's lengths. */
export function writeBrCode(code: StaticBrCode): string {
  if (code.txid !== undefined && !staticTxid.test(code.txid)) throw new Error(`not a txid: ${code.txid}`);
  if (code.amountCents !== undefined && code.amountCents <= 0) throw new Error("the amount must be positive");
  const account = field("00", pixDomain) + field("01", code.key);
  const room = fieldMax - account.length - 4;
  const description = ascii(code.description ?? "")
    .slice(0, Math.max(room, 0))
    .trimEnd();
  const payload = [
    field("00", "01"),
    field("26", account + (description === "" ? "" : field("02", description))),
    field("52", "0000"),
    field("53", "986"),
    code.amountCents === undefined ? "" : field("54", reais(code.amountCents)),
    field("58", "BR"),
    field("59", ascii(code.merchantName).slice(0, 25).trimEnd()),
    field("60", ascii(code.merchantCity).slice(0, 15).trimEnd()),
    code.postalCode === undefined ? "" : field("61", code.postalCode),
    field("62", field("05", code.txid ?? "***")),
    "6304",
  ].join("");
  return payload + crc16(payload);
}

/** Returns the text of a QR code for one charge; the payer's bank reads the amount from its location. */
export function writeDynamicBrCode(code: {
  location: string;
  merchantName: string;
  merchantCity: string;
}): string {
  const payload = [
    field("00", "01"),
    field("01", "12"),
    field("26", field("00", pixDomain) + field("25", code.location)),
    field("52", "0000"),
    field("53", "986"),
    field("58", "BR"),
    field("59", ascii(code.merchantName).slice(0, 25).trimEnd()),
    field("60", ascii(code.merchantCity).slice(0, 15).trimEnd()),
    field("62", field("05", "***")),
    "6304",
  ].join("");
  return payload + crc16(payload);
}

const lengthPattern = /^\d{2}$/;

/** Returns the fields of one level; undefined when the lengths do not add up. */
function readFields(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const id = text.slice(at, at + 2);
    const lengthText = text.slice(at + 2, at + 4);
    if (!lengthPattern.test(id) || !lengthPattern.test(lengthText)) return undefined;
    const end = at + 4 + Number(lengthText);
    if (end > text.length || fields.has(id)) return undefined;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

const amountPattern = /^\d{1,10}(?:\.\d{1,2})?$/;

/** Reasons why a text is not a payable Pix code. */
export type BrCodeProblem = "not_a_code" | "check_sum" | "currency" | "country" | "not_pix";

/** Reads a Pix QR code, static or dynamic. Returns undefined for any other text or a wrong checksum. */
export function readBrCode(written: string): BrCode | undefined {
  const read = readBrCodeOrProblem(written);
  return "code" in read ? read.code : undefined;
}

/** Reads a code like `readBrCode`, but returns the problem of an invalid text. */
export function readBrCodeOrProblem(written: string): { code: BrCode } | { problem: BrCodeProblem } {
  const text = written.trim();
  if (!text.startsWith("0002") || text.length > brCodeMax) return { problem: "not_a_code" };
  // A truncated or changed code fails the checksum, so none of its fields can be trusted.
  if (text.slice(-8, -4) !== "6304" || crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase())
    return { problem: "check_sum" };
  const fields = readFields(text);
  if (fields?.get("00") !== "01") return { problem: "not_a_code" };
  if (fields.get("53") !== "986") return { problem: "currency" };
  if (fields.get("58") !== "BR") return { problem: "country" };
  const account = pixAccount(fields);
  if (!account) return { problem: "not_pix" };
  const code = codeOf(fields, account);
  return code ? { code } : { problem: "not_a_code" };
}

function codeOf(fields: Map<string, string>, account: Map<string, string>): BrCode | undefined {
  const additional = readFields(fields.get("62") ?? "");
  const amount = fields.get("54");
  const merchantName = fields.get("59");
  const merchantCity = fields.get("60");
  const merchantCategory = fields.get("52");
  if (!additional || !merchantName || !merchantCity || !merchantCategory) return undefined;
  if (amount !== undefined && !amountPattern.test(amount)) return undefined;

  const key = account.get("01") ?? null;
  const location = account.get("25") ?? null;
  if ((key === null) === (location === null)) return undefined;
  const txid = additional.get("05");
  return {
    key,
    location,
    description: account.get("02") ?? null,
    amountCents: amount === undefined ? null : (parseBrl(amount) ?? null),
    merchantName,
    merchantCity,
    postalCode: fields.get("61") ?? null,
    merchantCategory,
    txid: txid === undefined || txid === "***" ? null : txid,
    isSingleUse: fields.get("01") === "12",
  };
}

/** Returns the Pix account: fields 26 to 51 hold accounts of any scheme, and one of them identifies itself as Pix. */
function pixAccount(fields: Map<string, string>): Map<string, string> | undefined {
  for (const [id, value] of fields) {
    const isAccount = id >= "26" && id <= "51";
    const account = isAccount ? readFields(value) : undefined;
    if (account?.get("00")?.toLowerCase() === pixDomain) return account;
  }
  return undefined;
}

/** Requirements of a company's logo (COM-010), checked on its bytes; neither its name nor its declared type counts. */

/** 1 MiB. */
export const logoBytesMax = 1_048_576;
export const logoHeightMin = 48;
/** A small file may claim a billion pixels, which would fill the memory of every browser that draws it. */
export const logoSideMax = 4_000;

export type LogoType = "image/png" | "image/jpeg";
export interface Logo {
  type: LogoType;
  width: number;
  height: number;
}
type LogoRefusal = "logo_wrong_kind" | "logo_too_large" | "logo_too_low" | "logo_too_many_pixels";

/** Reads only the structure of the file; the browser decodes the pixels. */
export function checkLogo(bytes: Uint8Array): { logo: Logo } | { refused: LogoRefusal } {
  if (bytes.length > logoBytesMax) return { refused: "logo_too_large" };
  const logo = readPng(bytes) ?? readJpeg(bytes);
  if (!logo || logo.width === 0) return { refused: "logo_wrong_kind" };
  if (logo.width > logoSideMax || logo.height > logoSideMax) return { refused: "logo_too_many_pixels" };
  if (logo.height < logoHeightMin) return { refused: "logo_too_low" };
  return { logo };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const chunkNamed = (name: string) => [...name].reduce((word, sign) => word * 256 + sign.charCodeAt(0), 0);
const [header, end] = [chunkNamed("IHDR"), chunkNamed("IEND")];

/** Reads the chunks from the header to the end chunk, which must be the end of the file: no data may follow. */
function readPng(bytes: Uint8Array): Logo | undefined {
  if (!pngSignature.every((byte, at) => bytes[at] === byte)) return undefined;
  const view = viewOf(bytes);
  let logo: Logo | undefined;
  // Each chunk: length, name, content, checksum.
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = view.getUint32(at + 4);
    const next = at + 12 + length;
    if (next > bytes.length) return undefined;
    if (at === 8) {
      if (name !== header || length !== 13) return undefined;
      logo = { type: "image/png", width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (name === end) return next === bytes.length ? logo : undefined;
    at = next;
  }
  return undefined;
}

/**
 * Returns whether a marker is a frame of any compression method (SOF0 to SOF15); 0xC4, 0xC8 and 0xCC in between are
 * other markers.
 */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Reads the segments up to the frame with the size; the file must end where the picture does. */
function readJpeg(bytes: Uint8Array): Logo | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  if (bytes.at(-2) !== 0xff || bytes.at(-1) !== endOfImage) return undefined;
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of 0xFF may come before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === startOfScan) return undefined;
    if (isFrame(marker))
      return { type: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Pix keys of any kind have at most 77 characters, so receivers' addresses keep to it as well. */
export const emailMax = 77;

// The pattern of the Pix directory (DICT), which lets the name of a single machine pass (`a@b`): no code could be sent there,
// so we want a domain. It has no nested repeats that could run long on hostile text, and the length is checked first.
const pattern =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Trimmed and in lower case, as the directory keeps it. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** By the Pix pattern, in any letter case. */
export function isEmail(text: string): boolean {
  return text.length <= emailMax && pattern.test(text.toLowerCase());
}

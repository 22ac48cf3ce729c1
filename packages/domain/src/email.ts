/** The maximum length of a Pix key of any kind; receivers' addresses have the same limit. */
export const emailMax = 77;

// The pattern of the Pix directory (DICT), which accepts a bare host name (`a@b`); a code could not be sent there, so
// this one requires a domain. It has no nested repeats that could run long on hostile text, and the length is checked
// first.
const pattern =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Returns the address trimmed and in lower case, as the directory stores it. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Checks the Pix pattern, in any case. */
export function isEmail(text: string): boolean {
  return text.length <= emailMax && pattern.test(text.toLowerCase());
}

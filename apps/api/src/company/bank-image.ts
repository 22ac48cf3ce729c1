/**
 * SET-024: draws an image for each bank. The logos belong to the banks; a colour and a code are enough to recognise a
 * bank in a list.
 */
import type { Bank } from "@malote/domain/banks";
import { ownInstitution } from "@malote/domain/own-institution";

/** Brand colours of the largest banks; the others get a colour from their number. */
const knownColours: Readonly<Record<string, string>> = {
  "001": "#0b3d91",
  "033": "#c8102e",
  "077": "#b85600",
  "104": "#005ca9",
  "237": "#b3093c",
  "260": "#7a1fa2",
  "336": "#1f1f1f",
  "341": "#a84e00",
  "422": "#17365d",
  "748": "#2f6b1f",
  "756": "#003641",
};

const ownColour = "#0f5c4d";

/** Returns a colour that is dark enough for white text. */
const colourOf = ({ code, ispb }: Bank): string =>
  (ispb === ownInstitution().ispb && ownColour) ||
  (code && knownColours[code]) ||
  `hsl(${Number(ispb) % 360} 45% 30%)`;

/** Returns the bank's code, or else the initials of two words of its name. */
function signOf({ code, name }: Bank): string {
  if (code) return code;
  const words = name.match(/[\p{L}\d]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
}

export const bankImage = (bank: Bank): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48"><rect width="48" height="48" rx="10" fill="${colourOf(bank)}"/><text x="24" y="30" font-family="system-ui, sans-serif" font-size="17" font-weight="600" text-anchor="middle" fill="#fff">${signOf(bank)}</text></svg>`;

import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";

/** Letters of Portuguese that web pages and old systems write as entities, and common signs. */
const htmlEntities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ordm: "º",
  ordf: "ª",
  ndash: "–",
  mdash: "—",
  middot: "·",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  deg: "°",
  aacute: "á",
  agrave: "à",
  acirc: "â",
  atilde: "ã",
  auml: "ä",
  eacute: "é",
  egrave: "è",
  ecirc: "ê",
  euml: "ë",
  iacute: "í",
  igrave: "ì",
  icirc: "î",
  iuml: "ï",
  oacute: "ó",
  ograve: "ò",
  ocirc: "ô",
  otilde: "õ",
  ouml: "ö",
  uacute: "ú",
  ugrave: "ù",
  ucirc: "û",
  uuml: "ü",
  ccedil: "ç",
  ntilde: "ñ",
  Aacute: "Á",
  Agrave: "À",
  Acirc: "Â",
  Atilde: "Ã",
  Auml: "Ä",
  Eacute: "É",
  Egrave: "È",
  Ecirc: "Ê",
  Euml: "Ë",
  Iacute: "Í",
  Igrave: "Ì",
  Icirc: "Î",
  Iuml: "Ï",
  Oacute: "Ó",
  Ograve: "Ò",
  Ocirc: "Ô",
  Otilde: "Õ",
  Ouml: "Ö",
  Uacute: "Ú",
  Ugrave: "Ù",
  Ucirc: "Û",
  Uuml: "Ü",
  Ccedil: "Ç",
  Ntilde: "Ñ",
};

const entity = /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});/g;
/** Real tags only: `a < b` and `<3` stay. */
const tag = /<\/?[a-z][^<>]*>|<!--[^<>]*-->/gi;
// Invisible characters make equal documents differ, and some reverse the reading order.
const invisible = /[\p{Cc}\p{Cf}]/gu;
const blanks = /\s+/g;
/**
 * Returns true for a cell that needs no cleaning, which holds for nearly every cell. Compares character codes, because
 * this runs more than a million times per sheet and a regular expression costs three times as much.
 */
function isPlain(text: string): boolean {
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) {
      if (code !== 0x20 || at === 0 || at === length - 1 || text.charCodeAt(at - 1) === 0x20) return false;
    } else if (code === ampersand || code === less || code === apostrophe) {
      return false;
    } else if (code >= 0x7f && (code <= 0xa0 || code === 0xad || code > lastPlainLetter)) {
      return false;
    }
  }
  return true;
}

const ampersand = 0x26;
const apostrophe = 0x27;
const less = 0x3c;
/** End of the Latin letters; invisible characters follow behind it. */
const lastPlainLetter = 0x24f;

/**
 * Returns a cell as it is stored: entities decoded, tags removed (IMP-017), invisible characters removed, whitespace
 * collapsed.
 */
export function cleanText(text: string): string {
  if (isPlain(text)) return text;
  const plain = removeFormulaGuard(text).replace(entity, readEntity).replace(tag, "");
  return removeInvisible(plain);
}

/** Removes only invisible characters from a Pix description, which may hold markup on purpose (IMP-017). */
export function cleanDescription(text: string): string {
  if (isPlain(text)) return text;
  return removeInvisible(removeFormulaGuard(text));
}

function removeInvisible(text: string): string {
  return text.replace(blanks, " ").replace(invisible, "").trim();
}

function readEntity(whole: string, name: string): string {
  if (!name.startsWith("#"))
    return Object.hasOwn(htmlEntities, name) ? (htmlEntities[name] as string) : whole;
  const isHex = name[1] === "x" || name[1] === "X";
  const codePoint = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isCharacter ? String.fromCodePoint(codePoint) : "";
}

/** Cuts a text without splitting a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

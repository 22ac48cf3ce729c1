import type { IssueCode } from "./issues.ts";
import { pixDescriptionMax } from "./limits.ts";

/** The only marks a payer may use. The rest of the tree is text, so nothing is ever rendered as HTML. */
export const pixDescriptionTags = ["b", "i", "em", "strong"] as const;
export type PixDescriptionTag = (typeof pixDescriptionTags)[number];
export type PixDescriptionNode = string | { tag: PixDescriptionTag; children: PixDescriptionNode[] };

export type PixDescriptionProblem = Extract<
  IssueCode,
  "pix_description_too_long" | "pix_description_unsafe" | "pix_description_characters"
>;
export type PixDescription =
  | { kind: "parsed"; tree: PixDescriptionNode[]; text: string }
  | { kind: "refused"; code: PixDescriptionProblem };

const refused = (code: PixDescriptionProblem): PixDescription => ({ kind: "refused", code });

// Marks do not count as text, but thousands of them around one letter are not a description.
const writtenMax = 2_000;
// Deeper nesting has no effect on screen and would let a hostile text exhaust a recursive renderer.
const depthMax = 8;

const allowedTag = /^<(\/?)(b|i|em|strong)\s*>/i;
// Anything a browser would read as a tag, comment or instruction. `a < b` and `<3` are plain text to browsers and to
// this parser.
const tagLike = /^<[a-z/!?]/i;
const entity = /^&(?:amp|lt|gt|quot|apos|nbsp|#(\d{1,6})|#x([0-9a-f]{1,5}));/i;
const namedEntities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&nbsp;": " ",
};

/** True for Latin-1 without control characters, which every receiving bank shows. */
function isPlainCharacter(code: number): boolean {
  return code <= 255 && (code > 31 || code === 10 || code === 13 || code === 9) && (code < 127 || code > 159);
}

/**
 * Parses a description. Like a browser it closes open marks at the end and ignores a closing mark without an opening
 * one.
 */
export function parsePixDescription(written: string): PixDescription {
  if (written.length > writtenMax) return refused("pix_description_too_long");
  const root: PixDescriptionNode[] = [];
  const open: { tag: PixDescriptionTag; children: PixDescriptionNode[] }[] = [];
  let text = "";

  const add = (piece: string) => {
    const siblings = open.at(-1)?.children ?? root;
    const last = siblings.at(-1);
    if (typeof last === "string") siblings[siblings.length - 1] = last + piece;
    else siblings.push(piece);
    text += piece;
  };

  for (let at = 0; at < written.length; ) {
    const rest = written.slice(at);
    const tag = rest[0] === "<" ? allowedTag.exec(rest) : null;
    if (tag) {
      const name = (tag[2] as string).toLowerCase() as PixDescriptionTag;
      if (tag[1] === "") {
        if (open.length >= depthMax) return refused("pix_description_unsafe");
        const node = { tag: name, children: [] };
        (open.at(-1)?.children ?? root).push(node);
        open.push(node);
      } else {
        const opened = open.findLastIndex((node) => node.tag === name);
        if (opened >= 0) open.length = opened;
      }
      at += tag[0].length;
      continue;
    }
    if (rest[0] === "<" && tagLike.test(rest)) return refused("pix_description_unsafe");
    const found = rest[0] === "&" ? entity.exec(rest) : null;
    const piece = found ? entityText(found) : (rest[0] as string);
    for (let index = 0; index < piece.length; index++) {
      if (!isPlainCharacter(piece.charCodeAt(index))) return refused("pix_description_characters");
    }
    add(piece);
    at += found ? found[0].length : 1;
  }

  return text.length > pixDescriptionMax
    ? refused("pix_description_too_long")
    : { kind: "parsed", tree: root, text };
}

function entityText(found: RegExpExecArray): string {
  const [whole, decimal, hexadecimal] = found;
  if (decimal === undefined && hexadecimal === undefined) return namedEntities[whole.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal);
  // Codes beyond Unicode have no character; any code above 255 is refused in any case.
  return String.fromCharCode(Math.min(code, 0xffff));
}

const needsReading = /[<&]|[^\t\n\r -~\u00a0-ÿ]/;

/**
 * Returns the problem of a description, or undefined. It does not parse plain short texts, which are nearly all of
 * them.
 */
export function pixDescriptionProblem(written: string): PixDescriptionProblem | undefined {
  if (!needsReading.test(written)) {
    return written.length > pixDescriptionMax ? "pix_description_too_long" : undefined;
  }
  const description = parsePixDescription(written);
  return description.kind === "refused" ? description.code : undefined;
}

/** Returns the text without marks, for the rails and for files; undefined for a refused description. */
export function pixDescriptionText(written: string): string | undefined {
  const description = parsePixDescription(written);
  return description.kind === "parsed" ? description.text : undefined;
}

import { wrongFormat } from "./sheet-file-error.ts";
import { decodeEntities } from "./xml-text.ts";

export interface XmlTag {
  /** The name without the namespace prefix, which every program chooses differently. */
  name: string;
  attributes: Map<string, string>;
  closes: boolean;
}

/**
 * Yields the tags of a small part (workbook, relations, styles) in order. Throws for a document type, which can hold
 * entity bombs and outside references, and which no spreadsheet program writes.
 */
export function* readTags(part: Buffer): Generator<XmlTag> {
  const xml = decodePart(part);
  let at = xml.indexOf("<");
  while (at >= 0) {
    if (xml.startsWith("<!--", at)) {
      at = after(xml, "-->", at);
    } else if (xml.startsWith("<![CDATA[", at)) {
      at = after(xml, "]]>", at);
    } else if (xml.startsWith("<?", at)) {
      at = after(xml, "?>", at);
    } else if (xml.startsWith("<!", at)) {
      throw wrongFormat();
    } else {
      const end = tagEnd(xml, at);
      yield readTag(xml.slice(at + 1, end));
      at = end;
    }
    at = xml.indexOf("<", at);
  }
}

function decodePart(part: Buffer): string {
  const marksUtf16 = part.length > 1 && (part.readUInt16BE(0) === 0xfeff || part.readUInt16BE(0) === 0xfffe);
  if (marksUtf16) throw wrongFormat();
  return part.toString("utf8");
}

function after(xml: string, ending: string, from: number): number {
  const at = xml.indexOf(ending, from);
  if (at < 0) throw wrongFormat();
  return at + ending.length;
}

/** Returns the position of the `>` that closes the tag, skipping quoted attributes. */
function tagEnd(xml: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < xml.length; at++) {
    const character = xml[at] as string;
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === ">") {
      return at;
    }
  }
  throw wrongFormat();
}

function readTag(inside: string): XmlTag {
  const closes = inside.startsWith("/");
  const body = closes ? inside.slice(1) : inside;
  const nameEnd = body.search(/[\s/]|$/);
  return {
    name: withoutPrefix(body.slice(0, nameEnd)),
    attributes: readAttributes(body.slice(nameEnd)),
    closes,
  };
}

/** Reads the attributes in one pass without a pattern, which would restart from every character of a hostile tag. */
function readAttributes(body: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  for (let equalsAt = body.indexOf("="); equalsAt >= 0; equalsAt = body.indexOf("=", at)) {
    let quoteAt = equalsAt + 1;
    while (body[quoteAt] === " ") quoteAt++;
    const quote = body[quoteAt];
    if (quote !== '"' && quote !== "'") break;
    const end = body.indexOf(quote, quoteAt + 1);
    if (end < 0) break;
    attributes.set(
      withoutPrefix(body.slice(at, equalsAt).trim()),
      decodeEntities(body.slice(quoteAt + 1, end)),
    );
    at = end + 1;
  }
  return attributes;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

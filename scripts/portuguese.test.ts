/** Texts that no journey opens are read in the source: of screens, rules, refusals, e-mails and receipts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { expect, it } from "vitest";
import { englishWords } from "./steps/english-words.mjs";
import { sourcePaths } from "./steps/source-paths.mjs";

const root = join(import.meta.dirname, "..");
const withTexts = /^(apps\/web\/src|packages\/(domain|contracts)\/src|apps\/api\/src\/(emails|receipts))\//;
/** Tests, and the reasons for which a folder reads another's tables. */
const ofProgrammers = /\.test\.tsx?$|\/testing\/|\/tables\.ts$/;

/** Names of the browser's languages, and reasons that no screen shows. */
const notForPeople = [
  "if free",
  "description code due value status receipt",
  "batch code pays value status receipt",
  "receiver bank account value status receipt",
  "batch agency account value date receipt",
  "asked by a page of another application",
  "of no page",
  "the network did not return a bank receipt",
];
const isSelector = (text: string) => text.includes("button:not([disabled])");

interface Found {
  texts: string[];
}

/**
 * Returns texts between tags, and strings of several words or with a capital, except those that only programmers read.
 */
function collect(node: unknown, found: Found): Found {
  if (Array.isArray(node)) for (const one of node) collect(one, found);
  else if (node && typeof node === "object") {
    const { type, value, cooked, callee } = node as Record<string, unknown>;
    const isOfCode = ["ImportDeclaration", "TaggedTemplateExpression", "TsLiteralType"].includes(
      String(type),
    );
    const thrown = type === "NewExpression" && /Error$/.test((callee as { value?: string }).value ?? "");
    if (isOfCode || thrown) return found;
    if (type === "JSXText") found.texts.push(String(value));
    if (type === "StringLiteral" || type === "TemplateElement") {
      const text = String(value ?? cooked);
      const isText =
        type === "StringLiteral" ? /\p{L}.*\s.*\p{L}|^\p{Lu}\p{Ll}/u : /\p{L}\s|\s\p{L}|^\p{Lu}\p{Ll}/u;
      if (isText.test(text)) found.texts.push(text);
    }
    for (const one of Object.values(node)) if (one && typeof one === "object") collect(one, found);
  }
  return found;
}

const textsOf = (source: string, tsx: boolean): string[] =>
  collect(parseSync(source, { syntax: "typescript", tsx, target: "esnext" }).body, { texts: [] }).texts;

/** A placeholder has a programmer's name, and a field has the name of the call's contract. */
const read = (text: string) => text.replace(/\{\w+\}|Idempotency-Key|multipart: file e fileName/g, "").trim();
const english = (texts: readonly string[]) =>
  texts
    .map(read)
    .filter((text) => !notForPeople.includes(text) && !isSelector(text) && englishWords(text).length > 0);

it("finds English between tags, in an attribute, in a sentence with a value and in a single word", () => {
  const source = `<Button title="Approve this batch" look="end">
    Please wait
    {toast.bad(\`Your \${name} failed\`)}
    {label === "Paid" ? "Pago" : "Missing"}
  </Button>`;
  expect(english(textsOf(source, true))).toEqual([
    "Approve this batch",
    "Please wait",
    "Your",
    "failed",
    "Paid",
    "Missing",
  ]);
});

it("SES-001 has only Portuguese texts in the source of screens, rules, refusals, e-mails and receipts", () => {
  const paths = sourcePaths(root).filter((path) => withTexts.test(path) && !ofProgrammers.test(path));
  const found = paths.map((path) => ({
    path,
    texts: textsOf(readFileSync(join(root, path), "utf8"), path.endsWith("x")),
  }));
  expect(found.reduce((sum, { texts }) => sum + texts.length, 0)).toBeGreaterThan(5_000);
  expect(found.flatMap(({ path, texts }) => english(texts).map((text) => `${path}: ${text}`))).toEqual([]);
}, 60_000);

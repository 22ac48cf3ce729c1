/**
 * Words that prose must not contain, because they hide who acts or belong to no language but ours; docs/glossary.md
 * lists their replacements. The check reads comments of the code and of SQL, test titles, messages of errors and logs,
 * and the pages of docs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** These words have no subject: write the caller, the approver, the payer, the worker or the adapter. */
const withoutSubject = "whoever|whomever|nobody|somebody|everybody|anybody";

const refused = new RegExp(
  `\\b(?:${[
    withoutSubject,
    ...["told", "tells?", "telling", "hear[sd]?", "hearing", "ears?", "put aside", "teeth", "lone", "news"],
    ...["brought", "mend(?:s|ed|ing)?", "doors?", "letters?", "by hand", "in a circle", "stands? in line"],
    ...[
      "(?:this|that|the outside) world",
      "in miniature",
      "(?:in|within|of) the house",
      "a yes",
      "says? (?:yes|no)(?! more)",
    ],
  ].join("|")})\\b`,
  "gi",
);

/** The established term for an event that is stored separately after failures. */
const deadLetter = /\bdead\s+letters?\b/gi;
/** Another step checks names of code and files. */
const names = /`[^`]*`|https?:\S+|\]\([^)]*\)/g;

/** Files about the letters of the alphabet. */
const alphabetFiles = [
  /^packages\/(domain|sheet-reader)\//,
  /^apps\/api\/src\/payouts\/import\/sheet\//,
  /^apps\/api\/src\/receipts\/printable\.ts$/,
  /^apps\/web\/src\/(transfers\/(bank-select|receiver-search)|ui\/tax-id-input)\.tsx$/,
  /^e2e\/words\.ts$/,
  /^scripts\/steps\/words/,
  /^docs\/operations\.md$/,
];

/** The part of a page that quotes the refused words. */
const quoted = new Map([["docs/glossary.md", /^## Words that are no longer accepted$[\s\S]*/m]]);

/**
 * @param {string} root
 * @param {readonly string[]} codeFiles paths below the root
 * @returns {Promise<string[]>} one line per refused word, with its place
 */
export async function refusedInProse(root, codeFiles) {
  const { parseSync } = await import("vite");
  const text = (path) => readFileSync(join(root, path), "utf8");
  const inCode = codeFiles.flatMap((path) => {
    const source = text(path);
    const { comments, program } = parseSync(path, source);
    const inComments = comments.flatMap((comment) =>
      refusedWordsOf(path, comment.value.replace(/\n\s*\*?/g, " ")).map(
        (word) => `${path}:${lineAt(source, comment.start)}: a comment says ${word}`,
      ),
    );
    return [
      ...inComments,
      ...refusedInSqlComments(path, source),
      ...refusedInTitles(path, source, program),
      ...refusedInMessages(path, source, program),
    ];
  });
  const inMigrations = listed(root, "apps/api/migrations", ".sql").flatMap((path) =>
    refusedInSqlComments(path, text(path)),
  );
  const inPages = [
    ...listed(root, "docs", ".md"),
    ...listed(root, "docs/decisions", ".md"),
    ...["README.md", "CONTRIBUTING.md"].filter((page) => existsSync(join(root, page))),
  ].flatMap((path) => refusedInPage(path, text(path)));
  return [...inCode, ...inMigrations, ...inPages];
}

/**
 * @returns {string[]} one line per refused word of a comment in SQL, also inside a template of the code, with its place
 */
function refusedInSqlComments(path, source) {
  return source.split("\n").flatMap((line, index) => {
    return refusedWordsOf(path, sqlCommentOf(line)).map(
      (word) => `${path}:${index + 1}: a comment says ${word}`,
    );
  });
}

/** A double-quoted text that is still open, or an npm command, whose options follow two dashes. */
const notSql = /^[^"]*"(?:[^"]*"[^"]*")*[^"]*$|npm run [\w-]+\s*$/;

/** @returns {string} the SQL comment of a line, also behind a statement; empty where the line has none */
function sqlCommentOf(line) {
  const [, before = "", comment = ""] = /^(.*?)(?<!\S)--\s(.*)$/.exec(line) ?? [];
  return notSql.test(before) ? "" : comment;
}

const testFiles = /\.(test|spec)\.tsx?$|-contract\.ts$/;
const titleCalls = new Set(["it", "test", "describe", "proof"]);

/** @returns {string[]} one line per refused word of a title, with its place; a title may count the letters of a text */
function refusedInTitles(path, source, program) {
  if (!testFiles.test(path)) return [];
  return titlesIn(program).flatMap(({ title, start }) =>
    refusedWordsOf(path, title)
      .filter((word) => !/^letters?$|^says no$/.test(word))
      .map((word) => `${path}:${lineAt(source, start)}: a title says ${word}`),
  );
}

const logLevels = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);

/** @returns {string[]} one line per refused word of an error's or a log line's message, with its place */
export function refusedInMessages(path, source, program) {
  return messagesIn(program).flatMap(({ text, start }) =>
    refusedWordsOf(path, text).map(
      (word) => `${path}:${lineAt(source, start)}: a message for engineers says ${word}`,
    ),
  );
}

/** Returns the texts of errors and of calls of a logger. */
function messagesIn(node, messages = []) {
  if (Array.isArray(node)) for (const one of node) messagesIn(one, messages);
  else if (node && typeof node === "object") {
    const isError = node.type === "NewExpression" && /Error$|^Cannot/.test(node.callee.name ?? "");
    const isLog =
      node.type === "CallExpression" &&
      node.callee.type === "MemberExpression" &&
      logLevels.has(node.callee.property.name) &&
      /^(log|logger|console)$/.test(node.callee.object.property?.name ?? node.callee.object.name ?? "");
    if (isError || isLog)
      for (const given of node.arguments) {
        const text =
          given.type === "TemplateLiteral"
            ? given.quasis.map(({ value }) => value.cooked).join(" … ")
            : given.value;
        if (typeof text === "string") messages.push({ text, start: given.start });
      }
    for (const one of Object.values(node)) if (one && typeof one === "object") messagesIn(one, messages);
  }
  return messages;
}

/** Returns the texts of `it`, `describe` and similar calls, also after `.each(…)`. */
function titlesIn(node, titles = []) {
  if (Array.isArray(node)) for (const one of node) titlesIn(one, titles);
  else if (node && typeof node === "object") {
    if (node.type === "CallExpression" && titleCalls.has(rootName(node.callee)))
      for (const given of node.arguments)
        if (given.type === "Literal" && typeof given.value === "string")
          titles.push({ title: given.value, start: given.start });
    for (const one of Object.values(node)) if (one && typeof one === "object") titlesIn(one, titles);
  }
  return titles;
}

function rootName(callee) {
  if (callee.type === "MemberExpression") return rootName(callee.object);
  return callee.type === "CallExpression" ? rootName(callee.callee) : callee.name;
}

/** @returns {string[]} one line per refused word of a page, with its place */
export function refusedInPage(path, page) {
  const blanked = page.replace(quoted.get(path) ?? /$^/, (part) => part.replace(/[^\n]/g, " "));
  return blanked
    .split("\n")
    .flatMap((line, index) =>
      refusedWordsOf(path, line).map((word) => `${path}:${index + 1}: the page says ${word}`),
    );
}

/** @returns {string[]} the refused words of a comment or a line, each once */
export function refusedWordsOf(path, prose) {
  const found = [...prose.replace(names, " ").replace(deadLetter, " ").matchAll(refused)].map(([word]) =>
    word.toLowerCase(),
  );
  const isOfAlphabet = (word) => /^letters?$/.test(word) && alphabetFiles.some((one) => one.test(path));
  return [...new Set(found.filter((word) => !isOfAlphabet(word)))];
}

const lineAt = (source, position) => source.slice(0, position).split("\n").length;

const listed = (root, folder, ending) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith(ending))
        .map((name) => `${folder}/${name}`)
    : [];

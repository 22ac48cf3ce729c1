/**
 * Small changes of a rule, each of which some test should notice: another comparison, another bound, an omitted step.
 */
import { parseAst } from "vite";

export interface Mutant {
  start: number;
  end: number;
  was: string;
  becomes: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

const others: Record<string, readonly string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
};

/**
 * Returns a source file without one of its steps: the innermost statement or condition that names `step`, found by the
 * parser. Throws unless there is exactly one.
 */
export function withoutStep(code: string, step: string): string {
  const word = new RegExp(`\\b${step}\\b`);
  const naming = mutantsOf(code, 0, code.length, "ts").filter(
    ({ was, becomes }) => (becomes === ";" || becomes === "false") && word.test(was),
  );
  const innermost = naming.filter(
    (one) => !naming.some((other) => other !== one && other.start >= one.start && other.end <= one.end),
  );
  const [only] = innermost;
  if (!only || innermost.length > 1) throw new Error(`${innermost.length} steps name ${step}`);
  return code.slice(0, only.start) + only.becomes + code.slice(only.end);
}

/** Returns every mutant of the part of a script between two positions. */
export function mutantsOf(code: string, from: number, until: number, lang: "js" | "ts" = "js"): Mutant[] {
  const found: Mutant[] = [];
  const text = (node: Node) => code.slice(node.start, node.end);
  const change = (node: Node, ...texts: string[]) => {
    for (const becomes of texts) found.push({ start: node.start, end: node.end, was: text(node), becomes });
  };

  function visit(node: Node): void {
    if (node.end <= from || node.start >= until || isUndefined(node) || isType(node)) return;
    if (node.start >= from && node.end <= until) mutate(node);
    for (const [name, part] of Object.entries(node)) {
      // A property name is not a value, even when it is written like one.
      if (name === "key" && !node["computed"]) continue;
      for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child);
    }
  }

  function mutate(node: Node): void {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression": {
        const [left, right] = [node["left"], node["right"]] as [Node, Node];
        if (node["operator"] === "+" && [left, right].some(isText)) return;
        // Brackets, because this operator may not be mixed with the others without them.
        if (node["operator"] === "??") change(node, `((${text(left)}) && (${text(right)}))`);
        const between = code.slice(left.end, right.start);
        for (const operator of others[node["operator"] as string] ?? []) {
          const changed = between.replace(node["operator"] as string, operator);
          // Includes the brackets, which belong to neither side.
          change(node, code.slice(node.start, left.end) + changed + code.slice(right.start, node.end));
        }
        return;
      }
      case "IfStatement":
      case "ConditionalExpression":
        change(node["test"] as Node, "true", "false");
        return;
      case "WhileStatement":
        change(node["test"] as Node, "false");
        return;
      case "UnaryExpression":
        if (node["operator"] === "!" || node["operator"] === "-")
          change(node, text(node["argument"] as Node));
        return;
      case "ReturnStatement":
        if (isNode(node["argument"]) && !isUndefined(node["argument"])) change(node, "return undefined;");
        return;
      case "ArrowFunctionExpression":
        if ((node["body"] as Node).type !== "BlockStatement") change(node["body"] as Node, "undefined");
        return;
      case "ThrowStatement":
        change(node, ";");
        return;
      case "ExpressionStatement":
        change(node, ";");
        return;
      case "Literal":
        change(node, ...otherValues(node["value"]));
        return;
    }
  }

  visit(parseAst(code, { lang }) as unknown as Node);
  return found;
}

const isUndefined = (node: Node) => node.type === "Identifier" && node["name"] === "undefined";

/** True for types, which are removed before the code runs. An expression with a type assertion is not a type. */
const isType = (node: Node) =>
  node.type.startsWith("TS") &&
  !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type);

const isText = (node: Node) =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string");

function otherValues(value: unknown): string[] {
  if (typeof value === "boolean") return [String(!value)];
  if (typeof value === "number") return [String(value + 1)];
  if (typeof value === "string") return [value === "" ? '"?"' : '""'];
  return [];
}

const sqlChanges: readonly (readonly [RegExp, string])[] = [
  [/ <> /g, " = "],
  [/ > /g, " >= "],
  [/ < /g, " <= "],
  [/ >= /g, " > "],
  [/ <= /g, " < "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ AND /g, " OR "],
  [/ FOR UPDATE/g, ""],
  [/ IS NULL/g, " IS NOT NULL"],
  [/ NOT EXISTS/g, " EXISTS"],
  [/ NOT /g, " "],
  [/ ON CONFLICT[^\n]*DO NOTHING/g, ""],
  [/\bgreatest\(/g, "least("],
  [/\bcount\(\*\)/g, "1"],
  [/-f\.amount/g, "f.amount"],
  [/, 0\)/g, ", 1)"],
];

/** Returns the mutants of SQL, word by word; the text after two dashes is a comment. */
export function mutantsOfSql(code: string, from: number, until: number): Mutant[] {
  const found: Mutant[] = [];
  for (const [pattern, becomes] of sqlChanges) {
    for (const match of code.slice(from, until).matchAll(pattern)) {
      const start = from + match.index;
      const isComment = code.slice(code.lastIndexOf("\n", start) + 1, start).includes("--");
      if (!isComment) found.push({ start, end: start + match[0].length, was: match[0], becomes });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

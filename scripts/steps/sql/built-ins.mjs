/** Evaluation of Kysely's `sql` and of built-in lists and objects, as far as they build statements. */
import { SyntaxKind } from "typescript/unstable/ast";
import { runFunction } from "./functions.mjs";
import { literalsOf } from "./program.mjs";
import { none, Unread } from "./values.mjs";

export const isSqlTag = (node) => node.kind === SyntaxKind.Identifier && node.text === "sql";

/** @typedef {import("./values.mjs").Value} Value */

/** A text that becomes part of a statement. A type that names several texts opens one path for each. */
export function textOf(evaluator, node, env) {
  return asText(evaluator, evaluator.evaluate(node, env), node, env);
}

function asText(evaluator, value, node, env) {
  if (value.kind === "text") return value.text;
  const type = evaluator.source.typeOf(value.kind === "given" ? value.node : node);
  const texts = type && literalsOf(type);
  if (!texts?.length) throw new Unread(node, "is a text that only the running product knows");
  return String(texts[evaluator.choices.choose(`text ${node.getText()} ${env.id}`, texts.length)]);
}

const sql = (text, node) => ({ kind: /** @type {const} */ ("sql"), parts: [{ text, node }] });
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** @type {Record<string, (evaluator: any, node: any, env: any) => Value>} */
const ofSql = {
  raw: (evaluator, node, env) => sql(textOf(evaluator, node.arguments[0], env), node),
  ref: (evaluator, node, env) => sql(namesOf(textOf(evaluator, node.arguments[0], env)), node),
  id: (evaluator, node, env) =>
    sql(node.arguments.map((one) => quoted(textOf(evaluator, one, env))).join("."), node),
  table: (evaluator, node, env) => sql(namesOf(textOf(evaluator, node.arguments[0], env)), node),
  lit: literal,
  join,
};

const namesOf = (text) => text.split(".").map(quoted).join(".");

function literal(evaluator, node, env) {
  const [given] = node.arguments;
  const type = evaluator.source.typeOf(given);
  const value = evaluator.evaluate(given, env);
  const isNumber = value.kind === "text" ? value.node.kind === SyntaxKind.NumericLiteral : type?.flags & 8;
  if (isNumber || typeof literalsOf(type)?.[0] === "number")
    return sql(value.kind === "text" ? value.text : "1", node);
  return sql(`'${asText(evaluator, value, given, env).replaceAll("'", "''")}'`, node);
}

/**
 * A list that the product computes from the texts of a type contains all of them.
 * @returns {Value}
 */
function listOf(evaluator, node, env) {
  const value = evaluator.evaluate(node, env);
  if (value.kind === "list" && !value.items.some(({ kind }) => kind === "given")) return value;
  const type = evaluator.source.typeOf(value.kind === "given" ? value.node : node);
  const item =
    type && evaluator.source.checker.isArrayType(type) && evaluator.source.checker.getTypeArguments(type)[0];
  const texts = item && literalsOf(item)?.filter((one) => typeof one === "string");
  if (!texts?.length) return value;
  return { kind: "list", items: texts.map((text) => ({ kind: "text", text, node })) };
}

/** @returns {Value} */
function join(evaluator, node, env) {
  const [list, between] = node.arguments;
  const given = listOf(evaluator, list, env);
  if (given.kind !== "list") throw new Unread(node, "joins a list that only the running product knows");
  const separator = between ? evaluator.sqlOf(between, env).parts : [{ text: ", ", node }];
  const parts = given.items.flatMap((item, index) => [
    ...(index === 0 ? [] : separator),
    ...(item.kind === "sql" ? item.parts : [{ value: node }]),
  ]);
  return { kind: /** @type {const} */ ("sql"), parts };
}

/** @returns {Value | undefined} undefined for a call of our own */
export function callBuiltIn(evaluator, node, env) {
  const { expression: called } = node;
  if (called.kind !== SyntaxKind.PropertyAccessExpression) return undefined;
  const name = called.name.text;
  if (isSqlTag(called.expression)) return ofSql[name]?.(evaluator, node, env);
  if (called.expression.text === "Object") return ofObject(evaluator, name, node, env);
  if (!listMethods.has(name)) return undefined;
  const list = listOf(evaluator, called.expression, env);
  const isAbsent = called.questionDotToken && list.kind === "given" && evaluator.choose(node, env, 2) === 1;
  if (list.kind === "none" || isAbsent) return none;
  if (name === "map" || name === "flatMap") return mapped(evaluator, list, node, env);
  return list.kind === "list" ? ofList(evaluator, name, list, node, env) : undefined;
}

const listMethods = new Set(["map", "flatMap", "join", "filter", "flat"]);

/** @returns {Value | undefined} */
function ofObject(evaluator, name, node, env) {
  const given = evaluator.evaluate(node.arguments[0], env);
  const type = evaluator.source.typeOf(node.arguments[0]);
  const names =
    given.kind === "object"
      ? given.names
      : evaluator.source.checker.getPropertiesOfType(type).map((one) => one.name);
  const givenFor = (one) => (given.kind === "object" ? given.get(one) : { kind: "given", node });
  const textNamed = (one) => ({ kind: "text", text: one, node });
  if (name === "keys") return { kind: "list", items: names.map(textNamed) };
  if (name === "values") return { kind: "list", items: names.map(givenFor) };
  if (name !== "entries") return undefined;
  return {
    kind: "list",
    items: names.map((one) => ({ kind: "list", items: [textNamed(one), givenFor(one)] })),
  };
}

/**
 * One item represents a list that is known only at run time.
 * @returns {Value | undefined}
 */
function mapped(evaluator, list, node, env) {
  const work = evaluator.evaluate(node.arguments[0], env);
  if (work.kind !== "function") return undefined;
  const items = list.kind === "list" ? list.items : [{ kind: "given", node }];
  const made = items.map((item, index) =>
    runFunction(
      evaluator,
      work,
      [() => item, () => ({ kind: "given", node })],
      `${env.id}>${node.pos}#${index}`,
    ),
  );
  return { kind: /** @type {const} */ ("list"), items: made.map((one) => one ?? none) };
}

function ofList(evaluator, name, list, node, env) {
  if (name === "join") {
    const between = node.arguments[0] ? textOf(evaluator, node.arguments[0], env) : ",";
    const text = list.items.map((item) => asText(evaluator, item, node, env)).join(between);
    return { kind: /** @type {const} */ ("text"), text, node };
  }
  if (name === "flat") {
    const items = list.items.flatMap((item) => (item.kind === "list" ? item.items : [item]));
    return { kind: /** @type {const} */ ("list"), items };
  }
  // The remaining texts are unknown, so all together stand for the list: they name everything that it may name.
  return { ...list, mayBeEmpty: true };
}

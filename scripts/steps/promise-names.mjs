/**
 * Names of functions that return a promise. `xOf(y)` derives from its arguments and asks nothing (docs/architecture.md),
 * so a reader may call it in a loop; a function that waits for the database or the outside begins with a verb.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourcePaths } from "./source-paths.mjs";

const folders = /^(apps\/api\/src|packages)\//;
const named = /[a-z0-9]Of$/;

/** Types whose value comes later. */
const promiseTypes = new Set(["Promise", "AsyncGenerator", "AsyncIterable"]);
/** Methods that return a promise on whatever they are called. */
const promiseMethods = new Set([
  ...["execute", "then", "catch", "withCompany", "readCompany", "withSystem", "withSandbox"],
]);
/** Functions that ask the database begin so. */
const asks = /^(find|get|list|read|count|sum|lock|fetch)[A-Z]/;

/** @returns {Promise<string[]>} one line per function that is named as if it derived from its arguments */
export async function promisesNamedOf(root) {
  const { parseSync } = await import("@swc/core");
  return sourcePaths(root)
    .filter((path) => folders.test(path) && path.endsWith(".ts"))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), "utf8");
      if (!/Of\b/.test(source)) return [];
      const names = namesIn(parseSync(source, { syntax: "typescript", target: "esnext" }));
      return [...names].map((name) => `${path}: ${name} returns a promise, so its name begins with a verb`);
    });
}

function namesIn(node, names = new Set()) {
  if (Array.isArray(node)) for (const one of node) namesIn(one, names);
  else if (node && typeof node === "object") {
    const { name, definition } = declarationIn(node);
    if (named.test(name) && definition && returnsPromise(definition)) names.add(name);
    for (const one of Object.values(node)) if (one && typeof one === "object") namesIn(one, names);
  }
  return names;
}

/** The name that a node declares and the function behind it; a type of a function counts as one. */
function declarationIn(node) {
  switch (node.type) {
    case "FunctionDeclaration":
      return { name: node.identifier.value, definition: node };
    case "VariableDeclarator":
      return { name: node.id.value, definition: functionIn(node.init) };
    case "KeyValueProperty":
      return { name: node.key.value, definition: functionIn(node.value) };
    case "MethodProperty":
    case "TsMethodSignature":
      return { name: node.key.value, definition: node };
    case "ClassMethod":
      return { name: node.key.value, definition: node.function };
    case "TsPropertySignature":
      return { name: node.key.value, definition: functionIn(node.typeAnnotation?.typeAnnotation) };
    default:
      return {};
  }
}

const functionTypes = new Set(["ArrowFunctionExpression", "FunctionExpression", "TsFunctionType"]);
const functionIn = (node) => (functionTypes.has(node?.type) ? node : undefined);

function returnsPromise({ async, returnType, typeAnnotation, typeAnn, body }) {
  const annotation = returnType ?? typeAnnotation ?? typeAnn;
  return async === true || isPromiseType(annotation?.typeAnnotation) || answersIn(body).some(isPromise);
}

const isPromiseType = (type) => type?.type === "TsTypeReference" && promiseTypes.has(type.typeName.value);

/** The expressions that a body returns, without those of the functions inside it. */
function answersIn(body) {
  if (!body) return [];
  if (!body.stmts) return [body.type === "ParenthesisExpression" ? body.expression : body];
  const answers = [];
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!node || typeof node !== "object" || functionIn(node) || node.type === "FunctionDeclaration") return;
    if (node.type === "ReturnStatement" && node.argument) answers.push(node.argument);
    Object.values(node).forEach(walk);
  };
  walk(body.stmts);
  return answers;
}

function isPromise({ type, callee }) {
  if (type === "NewExpression") return callee.value === "Promise";
  if (type !== "CallExpression") return false;
  if (callee.type === "Identifier") return asks.test(callee.value);
  if (callee.type !== "MemberExpression") return false;
  return callee.object.value === "Promise" || promiseMethods.has(callee.property.value);
}

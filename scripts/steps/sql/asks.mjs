/** Calls that reach the database, and the SQL texts of the source. */
import { SyntaxKind } from "typescript/unstable/ast";
import { isSqlTag } from "./built-ins.mjs";
import { isSql, partsOf } from "./program.mjs";

/**
 * Recognises the calls of Kysely, of node-postgres and of the bearer's query: the statement, as SQL or as text, and its
 * row.
 * @returns {{ call: any, text?: any, sql?: any, row?: any } | undefined}
 */
export function askedBy(source, call, name) {
  const { expression: called } = call;
  const [row] = call.typeArguments ?? [];
  if (call.arguments[1] && source.typeOf(called)?.getAliasSymbol()?.name === "RunQuery")
    return { call, text: call.arguments[1], row };
  if (called.kind !== SyntaxKind.PropertyAccessExpression || !ways.has(name)) return undefined;
  const type = source.typeOf(called.expression);
  if (!type) return undefined;
  if (name === "execute") return isSql(type) ? { call, sql: called.expression } : undefined;
  return name !== "query" || isClient(type) ? { call, text: textGiven(call.arguments[0]), row } : undefined;
}

const ways = new Set(["execute", "executeQuery", "stream", "query"]);
const clients = new Set(["Client", "ClientBase", "PoolClient", "Pool"]);
const isClient = (type) => partsOf(type).some((one) => clients.has(one.getSymbol()?.name ?? ""));

/** COPY is passed on as a stream. */
function textGiven(node) {
  const isCopy =
    node.kind === SyntaxKind.CallExpression && /^copy(From|To)$/.test(node.expression.text ?? "");
  return isCopy ? node.arguments[0] : node;
}

const beginsAsSql = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|TRUNCATE|ALTER TABLE|COPY|MERGE INTO)\s/;
const texts = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
]);

/** Recognises a template of Kysely, or a text that looks like a statement. */
export function isPiece(node) {
  if (node.kind === SyntaxKind.TaggedTemplateExpression) return isSqlTag(node.tag);
  if (!texts.has(node.kind) || node.parent.kind === SyntaxKind.TaggedTemplateExpression) return false;
  return beginsAsSql.test(node.text ?? node.head.text);
}

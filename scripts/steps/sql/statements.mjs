/** Every statement of the product, as the texts it may have. */
import { SyntaxKind } from "typescript/unstable/ast";
import { isSqlTag } from "./built-ins.mjs";
import { Choices } from "./choices.mjs";
import { Evaluator } from "./evaluate.mjs";
import { isSql } from "./program.mjs";
import { NoStatement, Unread } from "./values.mjs";

/**
 * @typedef {{ node: any, text: string, origins: { start: number, node: any }[], row: any }} Statement
 * @typedef {{ node: any, why: string }} Problem
 */

/** @param {import("./program.mjs").Source} source */
export function readStatements(source) {
  const { asked, templates, callsByName } = lookThrough(source);
  const callsOf = callIndex(source, callsByName);
  const evaluator = new Evaluator(source, callsOf);
  /** @type {Statement[]} */
  const statements = [];
  /** @type {Problem[]} */
  const problems = [];
  for (const call of asked) {
    try {
      statements.push(...textsOf(evaluator, call));
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      problems.push({ node: error.node, why: error.message });
    }
  }
  for (const template of templates)
    if (!evaluator.templates.has(template))
      problems.push({ node: template, why: "is part of no statement that was read" });
  return { statements, problems, asked: asked.length, templates: templates.length };
}

function lookThrough(source) {
  const asked = [];
  const templates = [];
  const callsByName = new Map();
  const look = (node) => {
    if (node.kind === SyntaxKind.TaggedTemplateExpression && isSqlTag(node.tag)) templates.push(node);
    if (node.kind === SyntaxKind.CallExpression) {
      const names = calledBy(node).map(({ text }) => text);
      for (const name of names) callsByName.set(name, [...(callsByName.get(name) ?? []), node]);
      if (names[0] === "execute" && isSql(source.typeOf(node.expression.expression))) asked.push(node);
    }
    node.forEachChild(look);
  };
  for (const file of source.files) look(file);
  return { asked, templates, callsByName };
}

/** The names a call may go to: `f(x)`, `store.f(x)`, `(wants ? f : g)(x)`. */
function calledBy({ expression }) {
  const called = expression.kind === SyntaxKind.ParenthesizedExpression ? expression.expression : expression;
  const ways =
    called.kind === SyntaxKind.ConditionalExpression ? [called.whenTrue, called.whenFalse] : [called];
  return ways.map((way) => way.name ?? way).filter(({ kind }) => kind === SyntaxKind.Identifier);
}

/** Where a function is called. */
function callIndex(source, callsByName) {
  const known = new Map();
  return (owner) => {
    const found = known.get(owner);
    if (found) return found;
    const name = owner.name?.text ?? owner.parent.name?.text;
    const declaration = owner.name ? owner : owner.parent;
    const calls = (callsByName.get(name) ?? []).filter((call) =>
      calledBy(call).some((one) => source.declarationOf(one) === declaration),
    );
    known.set(owner, calls);
    return calls;
  };
}

/** @returns {Statement[]} */
function textsOf(evaluator, call) {
  const found = new Map();
  const choices = new Choices();
  evaluator.choices = choices;
  for (const _ of choices.runs()) {
    try {
      const { parts } = evaluator.sqlOf(call.expression.expression, evaluator.top);
      const statement = written(parts);
      const row = rowOf(evaluator, call);
      found.set(`${statement.text} ${row?.id}`, { node: call, ...statement, row });
    } catch (error) {
      if (!(error instanceof NoStatement)) throw error;
    }
  }
  if (found.size === 0) throw new Unread(call, "is asked on no way the check found");
  return [...found.values()];
}

/** The row that is declared; where a caller says it, the caller's on the present way. */
function rowOf(evaluator, call) {
  const { source } = evaluator;
  let [row] = source.checker.getTypeArguments(source.typeOf(call.expression.expression));
  while (row?.isTypeParameter()) {
    const declaration = row.getSymbol()?.declarations[0]?.resolve();
    const owner = declaration?.parent;
    const calls = owner ? evaluator.callsOf(owner) : [];
    if (calls.length === 0) throw new Unread(call, "has a row that nobody declares");
    const given = calls[evaluator.callerOf(owner)].typeArguments?.[owner.typeParameters.indexOf(declaration)];
    if (!given) throw new Unread(calls[evaluator.callerOf(owner)], "has to say its row, between < and >");
    row = source.checker.getTypeFromTypeNode(given);
  }
  return row;
}

function written(parts) {
  let text = "";
  let values = 0;
  const origins = [];
  for (const part of parts) {
    if ("value" in part) text += `$${++values}`;
    else {
      origins.push({ start: text.length, node: part.node });
      text += part.text;
    }
  }
  return { text, origins };
}

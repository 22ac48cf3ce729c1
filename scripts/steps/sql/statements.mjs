/** Every statement of the product, with the texts that it may have. */
import { SyntaxKind } from "typescript/unstable/ast";
import { askedBy, isPiece } from "./asks.mjs";
import { textOf } from "./built-ins.mjs";
import { Choices } from "./choices.mjs";
import { Evaluator } from "./evaluate.mjs";
import { exceptionAt } from "./unread.mjs";
import { NoStatement, Unread } from "./values.mjs";

/**
 * @typedef {{ node: any, text: string, origins: { start: number, node: any }[], row: any }} Statement
 * @typedef {{ node: any, why: string }} Problem
 */

/** @param {import("./program.mjs").Source} source */
export function readStatements(source) {
  const { asked, pieces, callsByName } = lookThrough(source);
  const callsOf = callIndex(source, callsByName);
  const evaluator = new Evaluator(source, callsOf);
  /** @type {Statement[]} */
  const statements = [];
  /** @type {Problem[]} */
  const problems = [];
  const used = new Set();
  const refuse = (node, at, why) => {
    const exception = exceptionAt(source, at);
    if (exception) used.add(exception);
    else problems.push({ node, why });
  };
  for (const ask of asked) {
    try {
      statements.push(...textsOf(evaluator, ask));
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      refuse(error.node, ask.call, error.message);
    }
  }
  for (const piece of pieces)
    if (!evaluator.read.has(piece)) refuse(piece, piece, "is part of no statement that was read");
  const places = asked.map(({ call }) => source.placeOf(call));
  return { statements, problems, used, places, asked: asked.length, pieces: pieces.length };
}

function lookThrough(source) {
  const asked = [];
  const pieces = [];
  const callsByName = new Map();
  const look = (node) => {
    if (isPiece(node)) pieces.push(node);
    if (node.kind === SyntaxKind.CallExpression) {
      const names = calledBy(node).map(({ text }) => text);
      for (const name of names) callsByName.set(name, [...(callsByName.get(name) ?? []), node]);
      const ask = askedBy(source, node, names[0]);
      if (ask) asked.push(ask);
    }
    node.forEachChild(look);
  };
  for (const file of source.files) look(file);
  return { asked, pieces, callsByName };
}

/** Returns the functions that a call may reach: `f(x)`, `store.f(x)`, `(wants ? f : g)(x)`. */
function calledBy({ expression }) {
  const called = expression.kind === SyntaxKind.ParenthesizedExpression ? expression.expression : expression;
  const ways =
    called.kind === SyntaxKind.ConditionalExpression ? [called.whenTrue, called.whenFalse] : [called];
  return ways.map((way) => way.name ?? way).filter(({ kind }) => kind === SyntaxKind.Identifier);
}

/** Returns the calls of a function. */
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
function textsOf(evaluator, { call, text, sql, row: declared }) {
  const found = new Map();
  const choices = new Choices();
  evaluator.choices = choices;
  for (const _ of choices.runs()) {
    try {
      const parts = sql
        ? evaluator.sqlOf(sql, evaluator.top).parts
        : [{ text: textOf(evaluator, text, evaluator.top), node: text }];
      const statement = written(parts);
      const row = sql
        ? rowOf(evaluator, call)
        : declared && evaluator.source.checker.getTypeFromTypeNode(declared);
      found.set(`${statement.text} ${row?.id}`, { node: call, ...statement, row });
    } catch (error) {
      if (!(error instanceof NoStatement)) throw error;
    }
  }
  if (found.size === 0) throw new Unread(call, "is asked on no way the check found");
  return [...found.values()];
}

/** Returns the declared row; where a caller declares it, that of the caller on the present path. */
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

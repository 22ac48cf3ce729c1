/** Return value of a function, on the path that its conditions leave open. */
import { SyntaxKind } from "typescript/unstable/ast";
import { NoStatement, none } from "./values.mjs";

/**
 * @typedef {import("./values.mjs").Value} Value
 * @typedef {import("./evaluate.mjs").Evaluator} Evaluator
 */

export const functions = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
]);

/**
 * @param {Evaluator} evaluator
 * @param {Extract<Value, { kind: "function" }>} called
 * @param {(() => Value)[]} given
 * @param {string} id of this very call
 * @returns {Value | undefined}
 */
export function runFunction(evaluator, called, given, id) {
  const { node } = called;
  // A declaration without a body belongs to another package.
  if (!node.body) return undefined;
  const env = { id, bound: new Map(), parent: called.env };
  for (const [index, parameter] of node.parameters.entries())
    env.bound.set(parameter, () => evaluator.fallback(parameter, env, given[index]?.() ?? none));
  if (node.body.kind !== SyntaxKind.Block) return evaluator.evaluate(node.body, env);
  return runBlock(evaluator, node.body.statements, env) ?? none;
}

/** @returns {Value | undefined} the return value of the statements; undefined where they continue */
function runBlock(evaluator, statements, env) {
  for (const statement of statements) {
    const value = runStatement(evaluator, statement, env);
    if (value) return value;
  }
  return undefined;
}

/** @returns {Value | undefined} */
function runStatement(evaluator, statement, env) {
  switch (statement.kind) {
    case SyntaxKind.ReturnStatement:
      return statement.expression ? evaluator.evaluate(statement.expression, env) : none;
    case SyntaxKind.ThrowStatement:
      throw new NoStatement();
    case SyntaxKind.Block:
      return runBlock(evaluator, statement.statements, env);
    case SyntaxKind.IfStatement:
      return runIf(evaluator, statement, env);
    case SyntaxKind.SwitchStatement:
      return runSwitch(evaluator, statement, env);
    default:
      return undefined;
  }
}

/** A condition matters only where it decides the return value; a refusal runs no statement. */
function runIf(evaluator, { expression, thenStatement, elseStatement }, env) {
  if (endsInThrow(thenStatement)) return elseStatement && runStatement(evaluator, elseStatement, env);
  if (!hasReturn(thenStatement) && !(elseStatement && hasReturn(elseStatement))) return undefined;
  const taken = evaluator.holds(expression, env) ? thenStatement : elseStatement;
  return taken && runStatement(evaluator, taken, env);
}

function runSwitch(evaluator, statement, env) {
  const { clauses } = statement.caseBlock;
  const on = evaluator.evaluate(statement.expression, env);
  const isTaken = (clause) => {
    if (!clause.expression) return true;
    const value = evaluator.evaluate(clause.expression, env);
    return value.kind === on.kind && (value.kind !== "text" || value.text === on.text);
  };
  const isKnown = on.kind === "text" || on.kind === "none";
  const from = isKnown ? clauses.findIndex(isTaken) : evaluator.choose(statement, env, clauses.length);
  if (from < 0) return undefined;
  const statements = clauses.slice(from).flatMap((clause) => [...clause.statements]);
  return runBlock(evaluator, statements, env);
}

function endsInThrow(statement) {
  if (statement.kind === SyntaxKind.Block) return statement.statements.some(endsInThrow);
  return statement.kind === SyntaxKind.ThrowStatement;
}

function hasReturn(node) {
  if (node.kind === SyntaxKind.ReturnStatement) return true;
  if (functions.has(node.kind)) return false;
  let found = false;
  node.forEachChild((child) => {
    found ||= hasReturn(child);
  });
  return found;
}

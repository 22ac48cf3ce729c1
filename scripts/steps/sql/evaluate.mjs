/**
 * Evaluates the code that builds a statement without running it: follows names to their values, calls into their
 * functions, and parameters to the callers. A value that is known only at run time is a parameter of the statement;
 * otherwise the check reports that it cannot read it.
 */
import { SyntaxKind } from "typescript/unstable/ast";
import { callBuiltIn, isSqlTag, textOf } from "./built-ins.mjs";
import { functions, runFunction } from "./functions.mjs";
import { isSql, literalsOf } from "./program.mjs";
import { NoStatement, none, Unread } from "./values.mjs";

/**
 * @typedef {import("./values.mjs").Value} Value
 * @typedef {import("./values.mjs").Env} Env
 * @typedef {import("./values.mjs").Part} Part
 */

const depthMax = 60;

const wrappers = new Set([
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.AwaitExpression,
]);

const comparisons = new Set([SyntaxKind.GreaterThanToken, SyntaxKind.EqualsEqualsEqualsToken]);

export const keyOf = (node) => `${node.getSourceFile().fileName}:${node.pos}:${node.end}`;

export class Evaluator {
  #depth = 0;

  /**
   * @param {import("./program.mjs").Source} source
   * @param {(declaration: any) => any[]} callsOf
   */
  constructor(source, callsOf) {
    this.source = source;
    this.callsOf = callsOf;
    /** @type {import("./choices.mjs").Choices} */
    this.choices = /** @type {any} */ (undefined);
    /** Nodes whose text is a part of a statement. */
    this.read = new Set();
    /** @type {Env} */
    this.top = { id: "", bound: new Map() };
  }

  choose(node, env, count, ways = "") {
    return this.choices.choose(`${keyOf(node)} ${env.id} ${ways}`, count);
  }

  /** @returns {Value} */
  evaluate(node, env) {
    if (++this.#depth > depthMax) throw new Unread(node, "goes round in a circle");
    try {
      return this.#evaluate(node, env);
    } finally {
      this.#depth--;
    }
  }

  /** @returns {Value} */
  #evaluate(node, env) {
    if (wrappers.has(node.kind)) return this.evaluate(node.expression, env);
    if (functions.has(node.kind)) return { kind: "function", node, env };
    switch (node.kind) {
      case SyntaxKind.TaggedTemplateExpression:
        return isSqlTag(node.tag) ? this.#template(node, env) : { kind: "given", node };
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral:
      case SyntaxKind.NumericLiteral:
        this.read.add(node);
        return { kind: "text", text: node.text, node };
      case SyntaxKind.TemplateExpression:
        return this.#text(node, env);
      case SyntaxKind.Identifier:
        return node.text === "undefined" ? none : this.#name(node, env);
      case SyntaxKind.ArrayLiteralExpression:
        return { kind: "list", items: this.listItems(node.elements, env) };
      case SyntaxKind.ObjectLiteralExpression:
        return this.#object(node, env);
      case SyntaxKind.ConditionalExpression:
        return this.evaluate(this.holds(node.condition, env) ? node.whenTrue : node.whenFalse, env);
      case SyntaxKind.BinaryExpression:
        return this.#binary(node, env);
      case SyntaxKind.PropertyAccessExpression:
        return (
          this.#ofModule(node, env) ??
          this.#property(node, this.evaluate(node.expression, env), node.name.text)
        );
      case SyntaxKind.ElementAccessExpression:
        return this.#element(node, env);
      case SyntaxKind.CallExpression:
        return this.#call(node, env);
      default:
        return { kind: "given", node };
    }
  }

  /** @returns {Value} */
  #template(node, env) {
    this.read.add(node);
    const { template } = node;
    if (template.kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      return { kind: "sql", parts: [{ text: template.text, node: template }] };
    /** @type {Part[]} */
    const parts = [{ text: template.head.text, node: template.head }];
    for (const { expression, literal } of template.templateSpans) {
      const type = this.source.typeOf(expression);
      if (type && isSql(type)) parts.push(...this.sqlOf(expression, env).parts);
      else parts.push({ value: expression });
      parts.push({ text: literal.text, node: literal });
    }
    return { kind: "sql", parts };
  }

  /** @returns {Extract<Value, { kind: "sql" }>} */
  sqlOf(node, env) {
    const value = this.evaluate(node, env);
    if (value.kind !== "sql") throw new Unread(node, "is SQL that only the running product knows");
    return value;
  }

  #text(node, env) {
    this.read.add(node);
    let text = node.head.text;
    for (const { expression, literal } of node.templateSpans)
      text += textOf(this, expression, env) + literal.text;
    return { kind: /** @type {const} */ ("text"), text, node };
  }

  #binary(node, env) {
    const operator = node.operatorToken.kind;
    if (operator === SyntaxKind.PlusToken) {
      const text = textOf(this, node.left, env) + textOf(this, node.right, env);
      return { kind: /** @type {const} */ ("text"), text, node };
    }
    if (operator === SyntaxKind.QuestionQuestionToken || operator === SyntaxKind.BarBarToken) {
      const left = this.evaluate(node.left, env);
      if (left.kind === "none") return this.evaluate(node.right, env);
      if (left.kind !== "given") return left;
      return this.choose(node, env, 2) === 0 ? left : this.evaluate(node.right, env);
    }
    if (operator === SyntaxKind.AmpersandAmpersandToken)
      return this.holds(node.left, env) ? this.evaluate(node.right, env) : none;
    return { kind: /** @type {const} */ ("given"), node };
  }

  /**
   * Returns whether a condition holds on the present path. A condition on given SQL is decided by whether it is given.
   */
  holds(node, env) {
    if (node.kind === SyntaxKind.ParenthesizedExpression) return this.holds(node.expression, env);
    if (node.kind === SyntaxKind.PrefixUnaryExpression && node.operator === SyntaxKind.ExclamationToken)
      return !this.holds(node.operand, env);
    if (node.kind === SyntaxKind.BinaryExpression) {
      if (node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken)
        return this.holds(node.left, env) && this.holds(node.right, env);
      if (node.operatorToken.kind === SyntaxKind.BarBarToken)
        return this.holds(node.left, env) || this.holds(node.right, env);
    }
    const isEmpty = this.#isEmpty(node, env);
    if (isEmpty !== undefined) return isEmpty === (node.operatorToken.kind !== SyntaxKind.GreaterThanToken);
    if (node.kind === SyntaxKind.Identifier || node.kind === SyntaxKind.PropertyAccessExpression) {
      const value = this.evaluate(node, env);
      if (value.kind !== "given")
        return value.kind !== "none" && !(value.kind === "text" && value.text === "");
    }
    return this.choices.choose(`if ${node.getText()} ${env.id} ${this.#functionAround(node)}`, 2) === 0;
  }

  /** Returns whether the list of `list.length > 0` or `list.length === 0` is empty, where that is known. */
  #isEmpty(node, env) {
    if (node.kind !== SyntaxKind.BinaryExpression || node.right.text !== "0") return undefined;
    if (node.left.name?.text !== "length" || !comparisons.has(node.operatorToken.kind)) return undefined;
    const list = this.evaluate(node.left.expression, env);
    return list.kind === "list" && !list.mayBeEmpty ? list.items.length === 0 : undefined;
  }

  #functionAround(node) {
    let around = node.parent;
    while (around && !functions.has(around.kind) && around.kind !== SyntaxKind.SourceFile)
      around = around.parent;
    return around ? keyOf(around) : "";
  }

  #object(node, env) {
    const found = new Map();
    let isWhole = true;
    for (const property of node.properties) {
      if (property.kind === SyntaxKind.SpreadAssignment) {
        const spread = this.evaluate(property.expression, env);
        if (spread.kind === "object")
          for (const name of spread.names) found.set(name, () => spread.get(name));
        isWhole &&= spread.kind === "object" || spread.kind === "none";
      } else if (property.kind === SyntaxKind.ShorthandPropertyAssignment)
        found.set(property.name.text, () => this.#name(property.name, env));
      else if (property.kind === SyntaxKind.PropertyAssignment)
        found.set(property.name.text, () => this.evaluate(property.initializer, env));
      else if (property.name)
        found.set(property.name.text, () => ({ kind: "function", node: property, env }));
    }
    return {
      kind: /** @type {const} */ ("object"),
      names: [...found.keys()],
      get: (name) => found.get(name)?.() ?? (isWhole ? none : { kind: /** @type {const} */ ("given"), node }),
    };
  }

  /** @returns {Value | undefined} the exports of a module that is imported whole */
  #ofModule(node, env) {
    const base = this.source.declarationOf(node.expression.name ?? node.expression);
    if (base?.kind !== SyntaxKind.SourceFile) return undefined;
    return this.#name(node.name, env);
  }

  /** @returns {Value} */
  #property(node, base, name) {
    if (base.kind === "object") return base.get(name) ?? none;
    if (base.kind === "list" && /^\d+$/.test(name)) return base.items[Number(name)] ?? none;
    return { kind: "given", node };
  }

  #element(node, env) {
    const base = this.evaluate(node.expression, env);
    if (base.kind !== "object" && base.kind !== "list") return { kind: /** @type {const} */ ("given"), node };
    const key = this.evaluate(node.argumentExpression, env);
    if (key.kind === "text") return this.#property(node, base, key.text);
    const type = this.source.typeOf(node.argumentExpression);
    const names = (type && literalsOf(type)?.map(String)) ?? (base.kind === "object" ? base.names : []);
    if (names.length === 0) throw new Unread(node, "is one of nobody knows how many");
    const way = this.choices.choose(`[] ${node.argumentExpression.getText()} ${env.id}`, names.length);
    return this.#property(node, base, names[way] ?? "");
  }

  /** @returns {Value} */
  #name(node, env) {
    const declaration = this.source.declarationOf(node);
    return declaration ? this.declared(declaration, env, node) : { kind: "given", node };
  }

  /** @returns {Value} */
  declared(declaration, env, node) {
    for (let at = env; at; at = at.parent) {
      const bound = at.bound.get(declaration);
      if (bound) return bound();
    }
    switch (declaration.kind) {
      case SyntaxKind.VariableDeclaration:
        return this.#variable(declaration, env, node);
      case SyntaxKind.BindingElement:
        return this.#bindingElement(declaration, env, node);
      case SyntaxKind.Parameter:
        return this.#parameter(declaration, node);
      case SyntaxKind.PropertyAssignment:
        return this.evaluate(declaration.initializer, env);
      default:
        return functions.has(declaration.kind)
          ? { kind: "function", node: declaration, env }
          : { kind: "given", node };
    }
  }

  #variable(declaration, env, node) {
    const loop = declaration.parent.parent;
    if (loop.kind === SyntaxKind.ForOfStatement) return this.#oneOf(loop.expression, env, declaration);
    const { initializer } = declaration;
    const writes = this.#writesTo(declaration);
    if (initializer?.kind === SyntaxKind.ArrayLiteralExpression && writes.pushes.length > 0) {
      const items = this.listItems(initializer.elements, env);
      for (const push of writes.pushes)
        if (this.#isReached(push, env)) items.push(...this.listItems(push.arguments, env));
      return { kind: /** @type {const} */ ("list"), items };
    }
    const given = [...(initializer ? [initializer] : []), ...writes.assigned];
    if (given.length === 0) return { kind: /** @type {const} */ ("given"), node };
    const way = given.length > 1 ? this.choose(declaration, env, given.length) : 0;
    return this.evaluate(given[way], env);
  }

  /** Returns whether the conditions around a node hold, up to its function. */
  #isReached(node, env) {
    for (let at = node; at.parent && !functions.has(at.parent.kind); at = at.parent) {
      const { parent } = at;
      if (parent.kind !== SyntaxKind.IfStatement || at === parent.expression) continue;
      if (this.holds(parent.expression, env) !== (at === parent.thenStatement)) return false;
    }
    return true;
  }

  #writesTo(declaration) {
    const pushes = [];
    const assigned = [];
    if (declaration.name.kind !== SyntaxKind.Identifier) return { pushes, assigned };
    const name = declaration.name.text;
    const look = (node) => {
      if (node.kind === SyntaxKind.CallExpression) {
        const { expression: called } = node;
        if (called.name?.text === "push" && called.expression?.text === name) pushes.push(node);
      } else if (
        node.kind === SyntaxKind.BinaryExpression &&
        node.operatorToken.kind === SyntaxKind.EqualsToken &&
        node.left.text === name
      )
        assigned.push(node.right);
      node.forEachChild(look);
    };
    const scope = declaration.parent.parent.parent;
    if (scope.kind !== SyntaxKind.SourceFile) look(scope);
    return { pushes, assigned };
  }

  /** Takes one item of a list, each on a path of its own. */
  #oneOf(node, env, at) {
    const list = this.evaluate(node, env);
    if (list.kind !== "list" || list.items.length === 0)
      return { kind: /** @type {const} */ ("given"), node };
    return list.items[this.choose(at, env, list.items.length)] ?? none;
  }

  /** @returns {Value} */
  #bindingElement(element, env, node) {
    const pattern = element.parent;
    const owner = pattern.parent;
    const whole = this.declared(owner, env, owner.name);
    const name =
      pattern.kind === SyntaxKind.ArrayBindingPattern
        ? String(pattern.elements.indexOf(element))
        : (element.propertyName ?? element.name).text;
    if (whole.kind === "given") return this.fallback(element, env, { kind: "given", node });
    return this.fallback(element, env, this.#property(node, whole, name));
  }

  /** @returns {Value} */
  fallback(declaration, env, value) {
    return value.kind === "none" && declaration.initializer
      ? this.evaluate(declaration.initializer, env)
      : value;
  }

  /** Evaluates a parameter of the function that runs the statement: the argument of each of its callers. */
  #parameter(declaration, node) {
    const owner = declaration.parent;
    const calls = this.callsOf(owner);
    if (calls.length === 0) return { kind: /** @type {const} */ ("given"), node };
    const call = calls[this.callerOf(owner)];
    if (!this.#isReached(call, this.top)) throw new NoStatement();
    const given = call.arguments[owner.parameters.indexOf(declaration)];
    return this.fallback(declaration, this.top, given ? this.evaluate(given, this.top) : none);
  }

  /** Returns the call that the present path follows. */
  callerOf(owner) {
    return this.choices.chooseCaller(keyOf(owner), this.callsOf(owner).length);
  }

  /** @returns {Value[]} */
  listItems(nodes, env) {
    return nodes.flatMap((node) => {
      if (node.kind !== SyntaxKind.SpreadElement) return [this.evaluate(node, env)];
      const spread = this.evaluate(node.expression, env);
      if (spread.kind === "list") return spread.items;
      return [spread];
    });
  }

  /** @returns {Value} */
  #call(node, env) {
    const builtIn = callBuiltIn(this, node, env);
    if (builtIn) return builtIn;
    const called = this.evaluate(node.expression, env);
    if (called.kind !== "function") return { kind: "given", node };
    const given = node.arguments.map((one) => () => this.evaluate(one, env));
    return runFunction(this, called, given, `${env.id}>${keyOf(node)}`) ?? { kind: "given", node };
  }
}

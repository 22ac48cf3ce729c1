/** Values of the product as the check knows them without running it. */

/** Error for code that the check cannot read, with its place. */
export class Unread extends Error {
  constructor(node, why) {
    super(why);
    this.node = node;
  }
}

/** Signals a path that ends before the statement runs. */
export class NoStatement extends Error {}

/**
 * @typedef {{ text: string, node: any } | { value: any }} Part a text of the source, or a value of the running product
 * @typedef {{ kind: "sql", parts: Part[] } | { kind: "text", text: string, node: any } | { kind: "list", items: Value[], mayBeEmpty?: boolean }
 *   | { kind: "none" } | { kind: "object", names: string[], get: (name: string) => Value | undefined }
 *   | { kind: "function", node: any, env: Env } | { kind: "given", node: any }} Value
 * @typedef {{ id: string, bound: Map<any, () => Value>, parent?: Env }} Env
 */

/** @type {Value} */
export const none = { kind: "none" };

/** What the check knows of a value of the product without running it. */

/** Something the check cannot read, and where. */
export class Unread extends Error {
  constructor(node, why) {
    super(why);
    this.node = node;
  }
}

/** A way that ends before the statement is asked. */
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

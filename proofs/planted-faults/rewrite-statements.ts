/**
 * Loaded first in every process of a test run with a planted fault: rewrites the product's statements on their way to
 * PostgreSQL, and writes to a file that it found one to rewrite.
 */
import { appendFileSync } from "node:fs";
import pg from "pg";

interface Rule {
  pattern: string;
  becomes: string;
  metAt: string;
}

const rule = JSON.parse(process.env["MALOTE_PLANTED_STATEMENTS"] ?? "null") as Rule | null;

if (rule) {
  const pattern = new RegExp(rule.pattern);
  const rewritten = (text: string) => {
    if (!pattern.test(text)) return text;
    appendFileSync(rule.metAt, ".");
    return text.replace(pattern, rule.becomes);
  };
  const client = pg.Client.prototype as unknown as { query(first: unknown, ...rest: unknown[]): unknown };
  const query = client.query;
  client.query = function (first, ...rest) {
    if (typeof first === "string") return query.call(this, rewritten(first), ...rest);
    const statement = first as { text?: unknown; submit?: unknown };
    if (typeof statement?.text !== "string" || statement.submit) return query.call(this, first, ...rest);
    return query.call(this, { ...statement, text: rewritten(statement.text) }, ...rest);
  };
}

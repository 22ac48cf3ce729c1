/**
 * Loaded first in every process of a test run with a planted fault: rewrites the product's statements on their way to
 * PostgreSQL, and writes to a file that it found one to rewrite. It takes them from the connection, where those of a
 * batch pass too.
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
  const wire = pg.Connection.prototype as unknown as {
    query(text: string): void;
    parse(statement: { name?: string; text: string }): void;
  };
  const { query, parse } = wire;
  wire.query = function (text) {
    query.call(this, rewritten(text));
  };
  wire.parse = function (statement) {
    parse.call(this, { ...statement, text: rewritten(statement.text) });
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

/** Returns the following expression, up to the comma or the bracket that ends it. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? "";
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign) && --depth < 0) return text.slice(start, at);
    else if (sign === "," && depth === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

it("SES-070 every polling ends with an error", () => {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes(".test."),
  );
  const pollings = sources.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [...text.matchAll(/\brefetchInterval\b(:?)/g)].map(({ index, 0: found, 1: colon }) => ({
      name,
      when: colon ? expressionAt(text, index + found.length) : "",
    }));
  });
  expect(pollings.length).toBeGreaterThan(30);
  const endless = pollings.filter(
    ({ when }) => !/\bstatus === "error"[^?]*(\? false|\) return false)|\bstatus !== "error" &&/.test(when),
  );
  expect(endless).toEqual([]);
});

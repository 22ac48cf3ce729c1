import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { deadLinks, wideLines } from "./steps/page-links.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "links-"));
  write("docs/decisions/0036-what-was-received-shown-whole.md", "");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

it.each([
  "Decision [0036](../decisions/0036-what-was-received-told-whole.md).",
  "Decision [0036](../decisions/0036-what-was-received-told-whole.md#why 'Why').",
  "Decision [0036][it].\n\n[it]: ../decisions/0036-what-was-received-told-whole.md",
])("refuses the link to a file that is not there: %j", (text) => {
  write("docs/requirements/validation.md", text);
  expect(deadLinks(root)).toEqual([
    "docs/requirements/validation.md: ../decisions/0036-what-was-received-told-whole.md is not there",
  ]);
});

it.each([
  "Decision [0036](../decisions/0036-what-was-received-shown-whole.md#why), [all](../decisions).",
  "Decision [0036](/docs/decisions/0036-what-was-received-shown-whole.md).",
  "See [above](#above), [Brazil](https://example.com/gone.md) and [us](mailto:a@example.com).",
  "Written as `[text](gone.md)`:\n\n```\n[text](gone.md)\n```",
])("accepts %j", (text) => {
  write("docs/requirements/validation.md", text);
  expect(deadLinks(root)).toEqual([]);
});

it("reads the pages of the project, and no installed or built ones", () => {
  const unread = ["node_modules/one", "apps/web/dist", ".data"];
  for (const folder of [".", ...unread]) write(`${folder}/README.md`, "[a](gone.md)");
  expect(deadLinks(root)).toEqual(["README.md: gone.md is not there"]);
});

it("refuses a line of prose over 120 columns, and no table, example, address or given requirement", () => {
  const long = "palavra ".repeat(16).trim();
  write("docs/goals.md", `${long}\n\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n\n${"x".repeat(130)}\n`);
  write("docs/requirements/batches.md", `- **BAT-001** ${long}\n`);
  write("docs/requirements/audit.md", `${long.slice(0, 120)}\n${long}\n`);
  expect(wideLines(root)).toEqual([
    "docs/goals.md:1 has 127 columns, more than 120",
    "docs/requirements/audit.md:2 has 127 columns, more than 120",
  ]);
});

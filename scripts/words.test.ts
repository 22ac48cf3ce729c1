import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { refusedIn, refusedWords } from "./steps/words.mjs";
import { refusedInPage, refusedWordsOf } from "./steps/words-in-prose.mjs";

it.each([
  ["apps/api/src/users/change.ts", "tellOutcome"],
  ["apps/api/src/users/change.ts", "wasHeard"],
  ["apps/api/src/users/change.ts", "events_told"],
  ["apps/api/src/users/change.ts", "securityLetter"],
  ["packages/domain/src/money.ts", "openDoors"],
  ["apps/api/src/pix-keys/request.ts", "directoryNews"],
  ["packages/contracts/src/boletos.ts", "listBillets"],
])("refuses in %s the name %s", (path, name) => {
  expect(refusedIn(path, [name])).toHaveLength(1);
});

it.each([
  ["apps/api/src/users/change.ts", "intelligence"],
  ["apps/api/src/users/change.ts", "understanding"],
  ["apps/api/src/users/change.ts", "standard"],
  ["apps/api/src/payments/handle-events.ts", "retryDeadLetters"],
  ["packages/domain/src/transfer.ts", "hasThreeLetters"],
  ["packages/contracts/src/boletos.ts", "billetId"],
  ["packages/contracts/src/lookups.ts", "billet_not_found"],
])("accepts in %s the name %s", (path, name) => {
  expect(refusedIn(path, [name])).toEqual([]);
});

it("refuses the word in a path", () => {
  expect(refusedIn("apps/api/src/billing/tell.ts", [])).toEqual([
    "apps/api/src/billing/tell.ts: its path says tell",
  ]);
});

it.each([
  ["Refuses whoever may not approve.", ["whoever"]],
  ["Nobody is told, and nobody hears of it.", ["nobody", "told", "hears"]],
  ["The outside world in miniature.", ["the outside world", "in miniature"]],
  ["Kept for the letter that is sent.", ["letter"]],
  ["Calls stand in line.", ["stand in line"]],
])("refuses in the comment %j the words %j", (prose, words) => {
  expect(refusedWordsOf("apps/api/src/users/change.ts", prose)).toEqual(words);
});

it.each([
  ["apps/api/src/payments/resolve-references.ts", "A dead letter, or two dead letters, of `markTold`."],
  ["apps/api/src/users/change.ts", "The intelligence of a standard; understood, and brand-new."],
  ["packages/domain/src/tax-id.ts", "A CNPJ may hold letters."],
  ["docs/operations.md", "See [the log](#told) and https://example.com/door."],
])("accepts in %s the prose %j", (path, prose) => {
  expect(refusedWordsOf(path, prose)).toEqual([]);
});

it("leaves out only the glossary's own list, not a table of another page", () => {
  const glossary = "# Glossary\n\nNobody knows.\n\n## Words that are no longer accepted\n\n| told |\n";
  expect(refusedInPage("docs/glossary.md", glossary)).toEqual(["docs/glossary.md:3: the page says nobody"]);
  expect(refusedInPage("docs/proofs.md", "| nobody notices | a | b |\nTold once.\n")).toEqual([
    "docs/proofs.md:1: the page says nobody",
    "docs/proofs.md:2: the page says told",
  ]);
});

it("reads names of every kind, comments, messages for engineers, titles of tests, migrations and pages, and no other texts", async () => {
  const root = mkdtempSync(join(tmpdir(), "malote-words-"));
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    for (const folder of ["apps", "packages", "proofs", "e2e", "bench", "scripts"])
      mkdirSync(join(root, folder));
    plant("apps/api/src/a.ts", "export interface Told { wasHeard: boolean }\nclass A { #world = 1 }\n");
    plant("apps/web/src/b.tsx", "// a\n// told\nexport const title = <aside>{'told'}</aside>;\n");
    plant("apps/web/src/d.ts", "/** Set apart as a dead\n * letter. */\nexport const url = '// nobody';\n");
    plant(
      "apps/web/src/d.test.ts",
      "it.each([1])('asks nobody for %s', () => 'told');\nit('has a letter', f);\n",
    );
    plant(
      "apps/api/src/e.ts",
      "services.log.warn({ a }, 'told');\nthrow new Error(`nobody`);\nsay('told');\n",
    );
    const sqlLines = ["sql`SELECT 1", "  -- nobody", "  FROM a -- somebody", "`;", 'run("b -- nobody");'];
    plant("apps/api/src/f.ts", [...sqlLines, "say(`npm run c -- nobody`);", ""].join("\n"));
    plant("apps/api/migrations/0001_a.sql", "SELECT 'nobody'\n  -- by whoever asks\n;\n");
    plant("docs/operations.md", "Fine.\nIt is told.\n");
    plant("docs/decisions/0001-a.md", "Told.\n");
    plant("scripts/c.mjs", "export const lone = 'told';\n");
    expect((await refusedWords(root)).sort()).toEqual([
      "apps/api/migrations/0001_a.sql:2: a comment says whoever",
      "apps/api/src/a.ts: Told says told",
      "apps/api/src/a.ts: wasHeard says heard",
      "apps/api/src/a.ts: world says world",
      "apps/api/src/e.ts:1: a message for engineers says told",
      "apps/api/src/e.ts:2: a message for engineers says nobody",
      "apps/api/src/f.ts:2: a comment says nobody",
      "apps/api/src/f.ts:3: a comment says somebody",
      "apps/web/src/b.tsx:2: a comment says told",
      "apps/web/src/d.test.ts:1: a title says nobody",
      "docs/decisions/0001-a.md:1: the page says told",
      "docs/operations.md:2: the page says told",
      "scripts/c.mjs: lone says lone",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

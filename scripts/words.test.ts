import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { refusedIn, refusedWords } from "./steps/words.mjs";

it.each([
  ["apps/api/src/users/change.ts", "tellOutcome"],
  ["apps/api/src/users/change.ts", "wasHeard"],
  ["apps/api/src/users/change.ts", "events_told"],
  ["apps/api/src/users/change.ts", "securityLetter"],
  ["packages/domain/src/money.ts", "openDoors"],
])("refuses in %s the name %s", (path, name) => {
  expect(refusedIn(path, [name])).toHaveLength(1);
});

it.each([
  ["apps/api/src/users/change.ts", "intelligence"],
  ["apps/api/src/users/change.ts", "understanding"],
  ["apps/api/src/users/change.ts", "standard"],
  ["apps/api/src/payments/handle-events.ts", "retryDeadLetters"],
  ["packages/domain/src/transfer.ts", "hasThreeLetters"],
])("takes in %s the name %s", (path, name) => {
  expect(refusedIn(path, [name])).toEqual([]);
});

it("refuses the word in a path", () => {
  expect(refusedIn("apps/api/src/billing/tell.ts", [])).toEqual([
    "apps/api/src/billing/tell.ts: its path says tell",
  ]);
});

it("reads names of every kind, and neither comments nor texts", async () => {
  const root = mkdtempSync(join(tmpdir(), "malote-words-"));
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    for (const folder of ["apps", "packages", "proofs", "e2e", "bench", "scripts"])
      mkdirSync(join(root, folder));
    plant("apps/api/src/a.ts", "export interface Told { wasHeard: boolean }\nclass A { #world = 1 }\n");
    plant("apps/web/src/b.tsx", "// told\nexport const title = <aside>{'told'}</aside>;\n");
    plant("scripts/c.mjs", "export const lone = 'told';\n");
    expect((await refusedWords(root)).sort()).toEqual([
      "apps/api/src/a.ts: Told says told",
      "apps/api/src/a.ts: wasHeard says heard",
      "apps/api/src/a.ts: world says world",
      "scripts/c.mjs: lone says lone",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { linesMax, linesMin, sizeProblem, wrongSizes } from "./steps/file-sizes.mjs";

it("refuses a file of more than four hundred lines, a test and an entry as well", () => {
  for (const path of [
    "apps/api/src/users/change.ts",
    "apps/api/src/users/change.test.ts",
    "scripts/check.mjs",
  ]) {
    expect(sizeProblem(path, linesMax, 1)).toBeUndefined();
    expect(sizeProblem(path, linesMax + 1, 1)).toMatch(/more than 400/);
  }
});

it("refuses a short file that one file uses or none", () => {
  expect(sizeProblem("apps/api/src/users/names.ts", linesMin - 1, 1)).toMatch(/one user/);
  expect(sizeProblem("apps/api/src/users/names.ts", linesMin - 1, 0)).toMatch(/no user/);
  expect(sizeProblem("apps/api/src/users/names.ts", linesMin - 1, 2)).toBeUndefined();
  expect(sizeProblem("apps/api/src/users/names.ts", linesMin, 0)).toBeUndefined();
});

it.each([
  "apps/api/src/users/index.ts",
  "apps/web/src/users/feature.ts",
  "apps/web/src/entries/app.tsx",
  "apps/api/src/users/names.test.ts",
  "scripts/books.mjs",
  "apps/api/src/testing/after-each-file.ts",
])("accepts %s, however short", (path) => {
  expect(sizeProblem(path, 3, 0)).toBeUndefined();
});

it("refuses an entry of the list whose file has grown", () => {
  expect(sizeProblem("apps/api/src/testing/after-each-file.ts", linesMin, 1)).toMatch(/take it off the list/);
});

it("counts the importers of a file, by a path or by its package", () => {
  const root = mkdtempSync(join(tmpdir(), "malote-sizes-"));
  const files: Record<string, string> = {
    "packages/domain/src/shared.ts": "export const a = 1;\n",
    "packages/domain/src/single.ts": "export const b = 1;\n",
    "packages/domain/src/first.ts": `import { a } from "./shared.ts";\n${"\n".repeat(linesMin)}`,
    "apps/api/src/second.ts": `import { a } from "@malote/domain/shared";\n${"\n".repeat(linesMin)}`,
    "apps/api/src/third.ts": `const { b } = await import("@malote/domain/single");\n${"\n".repeat(linesMax)}`,
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    expect(wrongSizes(root, Object.keys(files))).toEqual([
      "packages/domain/src/single.ts has 1 lines and one user: its place is in the file that uses it",
      "apps/api/src/third.ts has 401 lines, more than 400: split it by what it does",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

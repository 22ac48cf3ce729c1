import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isInstalled } from "./steps/install.mjs";

let folder: string;

const wanted = {
  "": { name: "malote" },
  "packages/rules": { version: "0.1.0" },
  "node_modules/@malote/rules": { resolved: "packages/rules", link: true },
  "node_modules/pg": { version: "8.0.0" },
  "node_modules/for-another-system": { version: "1.0.0", optional: true },
};

function write(file: string, packages: object) {
  writeFileSync(join(folder, file), JSON.stringify({ packages }));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "malote-install-"));
  mkdirSync(join(folder, "packages/rules"), { recursive: true });
  mkdirSync(join(folder, "node_modules/@malote"), { recursive: true });
  symlinkSync("../../packages/rules", join(folder, "node_modules/@malote/rules"));
  write("package-lock.json", wanted);
  write("node_modules/.package-lock.json", { "node_modules/pg": { version: "8.0.0" } });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("does not change an installation that matches the lockfile", () => {
  expect(isInstalled(folder)).toBe(true);
});

it.each([
  ["nothing was installed", () => rmSync(join(folder, "node_modules"), { recursive: true })],
  [
    "a package has another version",
    () => write("node_modules/.package-lock.json", { "node_modules/pg": { version: "7.9.9" } }),
  ],
  ["a package is missing", () => write("node_modules/.package-lock.json", {})],
  ["a package of ours came since", () => rmSync(join(folder, "node_modules/@malote/rules"))],
])("installs when %s", (_, change) => {
  change();
  expect(isInstalled(folder)).toBe(false);
});

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFiles } from "./files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "malote-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("hides uploads from every other user of the machine, whatever the umask of the process", async () => {
  const before = process.umask(0o000);
  try {
    const files = localFiles(join(folder, "files"));
    await files.put("reports/company/one", Readable.from(["extrato"]));
    expect(modeOf(files.pathOf("reports/company/one"))).toBe("600");
    expect(modeOf(join(folder, "files", "reports", "company"))).toBe("700");
    expect(modeOf(join(folder, "files"))).toBe("700");
  } finally {
    process.umask(before);
  }
});

it("restricts the folder of an installation in which it was readable", () => {
  const old = join(folder, "files");
  mkdirSync(old);
  chmodSync(old, 0o755);
  localFiles(old);
  expect(modeOf(old)).toBe("700");
});

it("leaves no part of a file that could not be written", async () => {
  const files = localFiles(join(folder, "files"));
  // The folder is a file, so nothing can be stored below it.
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "files", "sheets"), "x");
  await expect(files.put("sheets/a", Readable.from(["x"]))).rejects.toThrow();
  expect(readdirSync(join(folder, "files"))).toEqual(["sheets"]);
});

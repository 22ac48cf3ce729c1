import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AlreadyOwnedError, claim } from "./owner.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "malote-owner-"));
  file = join(folder, "owner");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("refuses a second claim while the first owner lives, and names its process", () => {
  claim(file);
  expect(() => claim(file)).toThrow(AlreadyOwnedError);
  expect(() => claim(file)).toThrow(String(process.pid));
});

it("can be claimed again after the release", () => {
  const release = claim(file);
  release();
  expect(existsSync(file)).toBe(false);
  claim(file)();
});

it("takes over from an owner that was killed", async () => {
  const script = `import { claim } from "${new URL("./owner.ts", import.meta.url)}"; claim(process.argv[1]); console.log("mine"); setInterval(() => {}, 1e6)`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script, file]);
  await once(owner.stdout, "data");
  expect(() => claim(file)).toThrow(String(owner.pid));

  owner.kill("SIGKILL");
  await once(owner, "exit");
  claim(file);
  expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^${process.pid} `));
});

it("ignores another process that got the number of the dead owner", () => {
  writeFileSync(file, `${process.ppid} some earlier start`);
  expect(() => claim(file)).not.toThrow();
});

it("takes over a claim that was not completely written", () => {
  writeFileSync(file, "");
  expect(() => claim(file)).not.toThrow();
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faultsOfCommit, faultsOfLastCommit } from "./steps/commit-message.mjs";
import { run } from "./steps/terminal.mjs";

const person = "Ana <ana@example.com> 1764264000 -0300";
const commitWith = (message: string, parents = 1) =>
  [
    "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    ...Array.from({ length: parents }, () => "parent 7b680c8d7b680c8d7b680c8d7b680c8d7b680c8d"),
    `author ${person}`,
    `committer ${person}`,
    "",
    message,
  ].join("\n");

const subject = "Refuse approval by the batch's creator";
const body = "A single person could create and approve a batch.\n";
const withoutBody = "the last commit has no body: say what was wrong, for whom, and why this way";

it.each([
  ["a subject of 72 characters", `${"a".repeat(72)}\n\n${body}`],
  ["trailers after the body", `${subject}\n\n${body}\nCo-authored-by: Rui <rui@example.com>\n`],
])("accepts %s", (_, message) => {
  expect(faultsOfCommit(commitWith(message))).toEqual([]);
});

it.each([
  [
    "a subject of 73 characters",
    `${"a".repeat(73)}\n\n${body}`,
    "the last commit's subject has 73 characters, more than 72",
  ],
  ["a subject alone", `${subject}\n`, withoutBody],
  ["a body of empty lines", `${subject}\n\n\n \n`, withoutBody],
  ["trailers alone", `${subject}\n\nCo-authored-by: Rui <rui@example.com>\n`, withoutBody],
  [
    "a second line that continues the subject",
    `${subject}\nand of its editor\n\n${body}`,
    "the last commit's subject is not followed by an empty line",
  ],
])("refuses %s", (_, message, fault) => {
  expect(faultsOfCommit(commitWith(message))).toEqual([fault]);
});

it("accepts any message of a merge, and of the first commit only a good one", () => {
  const merge = `Merge ${"a".repeat(40)} into ${"b".repeat(40)}\n`;
  expect(faultsOfCommit(commitWith(merge, 2))).toEqual([]);
  expect(faultsOfCommit(commitWith(`${subject}\n`, 0))).toEqual([withoutBody]);
});

it("reads the last commit of a repository, and accepts a folder without one", async () => {
  const root = mkdtempSync(join(tmpdir(), "commit-message-"));
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", ...args], {
      quiet: true,
      cwd: root,
    });
  try {
    expect(await faultsOfLastCommit(root)).toEqual([]);
    await git("init");
    await git("commit", "--allow-empty", "-m", subject, "-m", body);
    expect(await faultsOfLastCommit(root)).toEqual([]);
    await git("commit", "--allow-empty", "-m", subject);
    expect(await faultsOfLastCommit(root)).toEqual([withoutBody]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

/** Checks the message of the last commit: a short subject, an empty line, and a body. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./terminal.mjs";

/** Longer subjects are cut off in `git log --oneline` and on the pages of code hosts. */
const subjectMax = 72;

/** Lines such as `Co-authored-by: …` explain nothing. */
const trailer = /^[A-Z][\w-]+: \S/;

/**
 * Returns one line per fault of the last commit's message. A folder without a git repository has no commit to check.
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function faultsOfLastCommit(root) {
  if (!existsSync(join(root, ".git"))) return [];
  // `git log` shows the last commit of a shallow clone without parents, so a merge would look like any other commit.
  const { code, output } = await run("git", ["cat-file", "commit", "HEAD"], { quiet: true, cwd: root });
  return code === 0 ? faultsOfCommit(output) : [output.trim()];
}

/**
 * @param {string} commit as git stores it: headers, an empty line, the message
 * @returns {string[]} one line per fault of the message; none for a merge, whose message git writes
 */
export function faultsOfCommit(commit) {
  const headersEnd = commit.indexOf("\n\n");
  const parents = commit.slice(0, headersEnd).match(/^parent /gm) ?? [];
  if (parents.length > 1) return [];
  const [subject = "", second = "", ...body] = commit.slice(headersEnd + 2).split("\n");
  const faults = [];
  if (subject.length > subjectMax)
    faults.push(`the last commit's subject has ${subject.length} characters, more than ${subjectMax}`);
  if (second !== "") faults.push("the last commit's subject is not followed by an empty line");
  if (!body.some((line) => line.trim() !== "" && !trailer.test(line)))
    faults.push("the last commit has no body: say what was wrong, for whom, and why this way");
  return faults;
}

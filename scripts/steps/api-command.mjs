/** Runs a command of the server's side with the project's own Node; first installs what is missing. */
import { join, resolve } from "node:path";
import { ensureInstalled, projectNode } from "./install.mjs";
import { root, run, script } from "./terminal.mjs";

/**
 * @param {string} file below apps/api/src
 * @param {(n: number, words: string[]) => boolean} isFile which of its words are files, seen from where the person is
 */
export function apiCommand(file, isFile = () => true) {
  const here = process.env.INIT_CWD ?? process.cwd();
  return script(async () => {
    await ensureInstalled();
    const given = process.argv.slice(2);
    const words = given.map((word, n) => (isFile(n, given) ? resolve(here, word) : word));
    const { code } = await run(projectNode(), [join(root, "apps/api/src", file), ...words]);
    process.exitCode = code;
  });
}

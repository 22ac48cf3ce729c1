/** Runs a command of the server's side with the project's own Node, installing first what is missing. */
import { join, resolve } from "node:path";
import { ensureInstalled, projectNode } from "./install.mjs";
import { root, run, script } from "./terminal.mjs";

/**
 * @param {string} file below apps/api/src
 * @param {{ files: boolean }} its whether its arguments are files, seen from where the person is
 */
export function apiCommand(file, { files } = { files: true }) {
  const here = process.env.INIT_CWD ?? process.cwd();
  return script(async () => {
    await ensureInstalled();
    const given = process.argv.slice(2);
    const words = files ? given.map((path) => resolve(here, path)) : given;
    const { code } = await run(projectNode(), [join(root, "apps/api/src", file), ...words]);
    process.exitCode = code;
  });
}

/** `npm start`: from a fresh clone, or the hundredth time, to a running Malote. Needs nothing but Node and npm. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled, projectNode } from "./steps/install.mjs";
import { root, script } from "./steps/terminal.mjs";

/** Megabytes of young memory: with Node's own bound an idle server keeps twenty more that nothing uses. */
const serverFlags = ["--max-semi-space-size=4"];

await script(async () => {
  await ensureInstalled();
  await ensureBuilt();
  become(projectNode(), [...serverFlags, join(root, "apps/api/src/main.ts")]);
});

/** Where this Node can, it turns into the server, so that no second process stands between it and its signals. */
function become(node, args) {
  process.removeAllListeners("warning");
  if (process.execve) process.execve(node, [node, ...args], process.env);

  const server = spawn(node, args, { stdio: "inherit" });
  process.on("SIGINT", () => server.kill("SIGINT"));
  process.on("SIGTERM", () => server.kill("SIGTERM"));
  process.on("SIGHUP", () => server.kill("SIGHUP"));
  server.once("error", (error) => {
    console.error(`O Node em ${node} não pôde ser executado: ${error.message}`);
    process.exitCode = 1;
  });
  server.once("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}

/** `npm start`: starts Malote, from a fresh clone or after an earlier start. Needs only Node and npm. */
import { spawn } from "node:child_process";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled, projectNode } from "./steps/install.mjs";
import { serverArguments } from "./steps/server.mjs";
import { script } from "./steps/terminal.mjs";

await script(async () => {
  await ensureInstalled();
  await ensureBuilt();
  become(projectNode(), serverArguments);
});

/** Where this Node can, the process is replaced by the server, so that none is between the server and its signals. */
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

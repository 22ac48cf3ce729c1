import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";

/** Starts the bare server of the floor, or another one made for a bench; resolves when it is ready. */
export async function startBare(environment: Record<string, string>, program = "bare-server.ts") {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  const port = address && typeof address === "object" ? address.port : 0;
  const child = fork(join(import.meta.dirname, program), {
    env: { ...process.env, ...environment, PORT: String(port) },
    execArgv: [],
  });
  const ended = once(child, "exit");
  const first = await Promise.race([once(child, "message"), ended]);
  if (first[0] !== "ready") throw new Error(`${program} ended with ${first[0]}`);
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

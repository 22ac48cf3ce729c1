/**
 * Boots the product with the adapters of `test-bank.ts`, in a process of its own, so that a test sees every module that
 * a production process loads. Sends what happens to the parent, and stops when the parent disconnects.
 */
import { registerHooks } from "node:module";
import type pg from "pg";

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});

export type FromBoot =
  | { kind: "started"; lines: string[]; loaded: string[] }
  | { kind: "directory asked" }
  | { kind: "failed"; why: string };

const send = (message: FromBoot) => void process.send?.(message);

try {
  const { nameOwnInstitution } = await import("@malote/domain/own-institution");
  const { readConfig } = await import("../platform/config.ts");
  const { startProduct } = await import("../product.ts");
  const { testBank } = await import("./test-bank.ts");
  const config = readConfig(process.env);
  nameOwnInstitution(config.institution);
  const connection: pg.ClientConfig = JSON.parse(process.env["TEST_CONNECTION"] ?? "{}");
  const lines: string[] = [];
  const running: ((drainMs: number) => Promise<unknown>)[] = [];
  const { available } = testBank(() => send({ kind: "directory asked" }));
  process.once("disconnect", async () => {
    for (const stop of running.reverse()) await stop(0);
    process.exit(0);
  });
  await startProduct(config, connection, { say: (line) => void lines.push(line), running, available });
  send({ kind: "started", lines, loaded });
} catch (error) {
  send({ kind: "failed", why: String((error as Error).stack) });
}

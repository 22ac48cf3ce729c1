/** What the environment configures, for commands beside a running installation: nothing is started. */
import type { Config } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import { createLog } from "../platform/log.ts";
import type { Adapters } from "./adapters.ts";

/** Its clock shows the time of the installation: in the sandbox people move it, and a command says when it was given. */
export async function configuredAdapters(
  config: Config,
  db: DatabaseWithSandbox,
): Promise<Pick<Adapters, "ports" | "clock">> {
  // Loaded only when needed: other commands do without.
  const { createAdapters } = await import("./create-adapters.ts");
  const adapters = await createAdapters(config, { db, log: createLog("silent") });
  await adapters.loadClock();
  return adapters;
}

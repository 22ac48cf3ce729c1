/**
 * Builds the adapters that the environment configures, for commands beside a running installation; starts none of them.
 */
import type { Config } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import { createLog } from "../platform/log.ts";
import type { Adapters } from "./adapters.ts";

/**
 * Creates the adapters with the installation's clock, which can be ahead of real time in the sandbox, so that commands
 * record the right time.
 */
export async function createConfiguredAdapters(
  config: Config,
  db: DatabaseWithSandbox,
): Promise<Pick<Adapters, "ports" | "clock">> {
  // Loaded lazily: other commands do not need the adapters.
  const { createAdapters } = await import("./create-adapters.ts");
  const adapters = await createAdapters(config, { db, log: createLog("silent") });
  await adapters.loadClock();
  return adapters;
}

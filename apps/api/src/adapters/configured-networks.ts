/** The networks that the environment configures, for commands beside a running installation: nothing is started. */
import type { Config } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import { createLog } from "../platform/log.ts";
import type { Ports } from "../ports/ports.ts";

export async function configuredNetworks(
  config: Config,
  db: DatabaseWithSandbox,
): Promise<Pick<Ports, "rails" | "connections">> {
  // Loaded only when needed: most commands do without.
  const { createAdapters } = await import("./create-adapters.ts");
  return (await createAdapters(config, { db, log: createLog("silent") })).ports;
}

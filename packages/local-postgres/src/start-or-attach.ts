import { existsSync } from "node:fs";
import { join } from "node:path";
import { superuser } from "./cluster.ts";
import { openHome, socketPort } from "./home.ts";
import { AlreadyOwnedError } from "./owner.ts";
import { type Connection, database, type StartOptions, startPostgres } from "./start-postgres.ts";

/**
 * Opens the database of a data folder for a command that runs beside a Malote or without one: it uses a running server
 * unchanged, or else starts one, which `release` stops.
 */
export async function startOrAttachPostgres(
  options: StartOptions,
): Promise<{ connection: Connection; release(): Promise<void> }> {
  try {
    const { connection, stop } = await startPostgres(options);
    return { connection, release: stop };
  } catch (error) {
    if (!((error as Error).cause instanceof AlreadyOwnedError)) throw error;
    const home = openHome(options.dataDir, options.log);
    const connection = { host: home.socket, port: socketPort, user: superuser, database };
    return { connection, release: async () => undefined };
  }
}

/** Returns whether a Malote ever ran with this data folder. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, "postgres"));

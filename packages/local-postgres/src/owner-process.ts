import { startPostgres } from "./start-postgres.ts";

/**
 * A process that owns a database, for tests that kill it: it prints "ready" once it owns it, and stops in order on
 * SIGTERM. Usage: node owner-process.ts <data folder>
 */
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error("usage: owner-process.ts <data folder>");

const server = await startPostgres({ dataDir, log: (sentence) => process.stderr.write(`${sentence}\n`) });
process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
process.stdout.write(
  `${JSON.stringify({ ready: true, adopted: server.adopted, connection: server.connection })}\n`,
);
setInterval(() => {}, 60_000);

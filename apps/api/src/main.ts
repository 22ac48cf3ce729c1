/**
 * Boot order of Malote, top to bottom. This file loads only what the start needs first; the rest of the product is
 * loaded while PostgreSQL starts.
 */
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { createServer as createSocket } from "node:net";
import { nameOwnInstitution } from "@malote/domain/own-institution";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import type pg from "pg";
import { adapterProblems } from "./adapters/catalogue.ts";
import { type Config, readConfig, WrongConfiguration } from "./platform/config.ts";
import { armFailPoint } from "./platform/fail-points.ts";

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** Ends the process with an error that the operator can correct: messages without a stack trace. */
function giveUp(...sentences: string[]): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Reads a file that the configuration names. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

function configuration(): Config {
  try {
    return readConfig(process.env, readText, adapterProblems);
  } catch (error) {
    if (error instanceof WrongConfiguration) giveUp(...error.problems);
    throw error;
  }
}

function openDataFolder({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch {
    giveUp(
      `Não é possível gravar na pasta de dados ${dataDir}: ajuste as permissões ou escolha outra com MALOTE_DATA.`,
    );
  }
}

/** Checks the port before anything is started, so that a conflict is reported at once and leaves nothing running. */
async function requireFreePort(
  host: string,
  port: number,
  variable: "PORT" | "MALOTE_METRICS_PORT",
): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve) => {
    const probe = createSocket();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EACCES" ? "exige permissão de administrador" : "já está em uso";
      giveUp(`A porta ${port} ${why}: escolha outra com ${variable}.`);
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

const config = configuration();
armFailPoint(config.failPoint);
nameOwnInstitution(config.institution);
openDataFolder(config);
if (config.runsWeb) await requireFreePort(config.host, config.port, "PORT");
else if (config.metricsPort) await requireFreePort(config.host, config.metricsPort, "MALOTE_METRICS_PORT");

/** Stop functions of the running parts, called in reverse order. */
const running: ((drainMs: number) => Promise<unknown>)[] = [];
let stopping = false;

/**
 * Stops the process: answers running requests, finishes running work or leaves it for the next start, then stops the
 * database.
 */
async function stop(exitCode: number, drainMs = 0): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), 20_000 + drainMs).unref();
  for (const end of running.reverse()) await end(drainMs).catch((error: Error) => say(error.message));
  process.exit(exitCode);
}
// A process manager sends SIGTERM and may run load balancers in front; an interactive Ctrl-C needs no drain time.
process.on("SIGTERM", () => stop(0, config.drainMs));
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(0));
// A bug stops the process with an error, together with the parts that it started.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack}\n`);
  void stop(1);
});

const loading = import("./product.ts");
// The error is handled below, where the promise is awaited.
loading.catch(() => undefined);

async function startDatabase(): Promise<pg.ClientConfig> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  const postgres = await startPostgres({ dataDir: config.dataDir, log: say }).catch((error: Error) =>
    giveUp(error.message),
  );
  running.push(postgres.stop);
  return postgres.connection;
}

const connection = await startDatabase();
const { startProduct } = await loading;
try {
  await startProduct(config, connection, { say, running });
} catch (error) {
  // The configuration does not fit the content of the database.
  if (!(error instanceof WrongConfiguration)) throw error;
  process.stderr.write(`${error.problems.join("\n")}\n`);
  await stop(1);
}

/** The boot order of Malote, top to bottom. */
import { accessSync, constants, mkdirSync } from "node:fs";
import { createServer as createSocket } from "node:net";
import { join } from "node:path";
import type pg from "pg";
import { buildApp, type Sandbox } from "./app.ts";
import { demoPassword, demoUsers, seedDemo } from "./demo/seed.ts";
import { hearEvents } from "./payments/index.ts";
import { keepSecret, openSecrets } from "./platform/auth/secrets.ts";
import { movableClock, systemClock } from "./platform/clock.ts";
import { type Config, readConfig, WrongConfiguration } from "./platform/config.ts";
import { openDatabase } from "./platform/db/database.ts";
import { migrate } from "./platform/db/migrate.ts";
import { localFiles } from "./platform/files/files.ts";
import { retriedTransactions } from "./platform/http/metrics.ts";
import { openJobs } from "./platform/jobs/jobs.ts";
import { createLog } from "./platform/log.ts";
import { outboxMailer } from "./platform/mail/outbox.ts";
import { smtpMailer } from "./platform/mail/smtp.ts";
import type { Parts } from "./platform/parts.ts";
import { startPostgres } from "./platform/postgres/start-postgres.ts";
import { createSandboxNetwork } from "./rails/sandbox/index.ts";
import { startOver } from "./simulator/start-over.ts";
import { startWorker } from "./worker.ts";

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** A mistake the person at the keyboard can mend: told in one sentence, without a stack. */
function giveUp(...sentences: string[]): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function configuration(): Config {
  try {
    return readConfig(process.env);
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

/** Asked before anything is started, so that the answer comes at once and leaves nothing behind. */
async function portIsFree({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve) => {
    const probe = createSocket();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EACCES" ? "exige permissão de administrador" : "já está em uso";
      giveUp(`A porta ${port} ${why}: escolha outra com PORT.`);
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

const startedAt = performance.now();
const config = configuration();
openDataFolder(config);
if (config.runsWeb) await portIsFree(config);
const log = createLog(config.logLevel);

const postgres = config.databaseUrl
  ? undefined
  : await startPostgres({ dataDir: config.dataDir, log: say }).catch((error: Error) => giveUp(error.message));
const connection: pg.ClientConfig = postgres?.connection ?? { connectionString: config.databaseUrl };
await migrate(connection).catch(async (error: Error) => {
  await postgres?.stop();
  giveUp(`Não foi possível preparar o banco de dados: ${error.message}`);
});

// A bug stops the process loudly, and takes the database it started along.
process.on("uncaughtException", async (error) => {
  log.fatal({ err: error }, "stopping");
  process.stderr.write(`${error.stack}\n`);
  await postgres?.stop().catch(() => undefined);
  process.exit(1);
});

const db = openDatabase(connection, () => retriedTransactions.inc());
const clock = config.sandbox ? movableClock() : systemClock;
const secrets = openSecrets(config.secret ?? keepSecret(config.dataDir));
const jobs = await openJobs(connection, db.pool, log, config.runsWorker);
const network = createSandboxNetwork({ db, clock: clock as ReturnType<typeof movableClock>, log });
const mailer = config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : outboxMailer(db, clock);
const parts: Parts = {
  config,
  log,
  db,
  clock,
  secrets,
  jobs,
  mailer,
  files: localFiles(join(config.dataDir, "files")),
  rails: network.rails,
  hearEvents: (events) => hearEvents(parts, events),
};
await network.loadClock();
await seedDemo(db, clock);

const worker = config.runsWorker ? await startWorker(parts) : undefined;
network.start(parts.hearEvents, { delivers: config.runsWorker });

const ready = { accepting: false };
const sandbox: Sandbox = {
  network,
  clock: clock as ReturnType<typeof movableClock>,
  demoUsers,
  startOver: () => startOver(db, clock, network),
};
const app = config.runsWeb ? await buildApp(parts, sandbox, ready) : undefined;
await app?.listen({ port: config.port, host: config.host }).catch(async (error: Error) => {
  await postgres?.stop();
  giveUp(`Não foi possível abrir a porta ${config.port}: ${error.message}`);
});
ready.accepting = true;

const address = app?.server.address();
if (address && typeof address === "object") {
  const url = `http://localhost:${address.port}`;
  say(`\nMalote está no ar em ${url}  (${Math.round(performance.now() - startedAt)} ms)\n`);
  say(`  Entrar        ${url}/entrar`);
  say(`  Simulador     ${url}/simulador   (bancos, Pix, relógio e e-mails de teste)`);
  say(`  API           ${url}/docs\n`);
  say(`  Usuários de demonstração, senha ${demoPassword}:`);
  for (const user of demoUsers) say(`    ${user.email.padEnd(28)} ${user.profile}`);
  say("\n  Ctrl-C encerra tudo.\n");
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  ready.accepting = false;
  // Answers under way are given, work under way is finished or left for the next start, then the database rests.
  setTimeout(() => process.exit(1), 20_000).unref();
  await app?.close();
  await network.stop();
  await worker?.stop();
  await jobs.stop();
  await db.close();
  await postgres?.stop();
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);

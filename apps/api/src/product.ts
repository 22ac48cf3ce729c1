/** Everything above the database: parts, workers, network, screens. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { buildApp, type Sandbox } from "./app.ts";
import { createSandboxCollect } from "./collect/sandbox/index.ts";
import { hearInfraction } from "./contestations/index.ts";
import { demoPassword, demoUsers, seedDemo } from "./demo/seed.ts";
import { createSandboxDirectory } from "./dict/sandbox/index.ts";
import { createSandboxProvider } from "./infractions/sandbox/index.ts";
import { hearEvents } from "./payments/index.ts";
import { AppError } from "./platform/app-error.ts";
import { keepSecret, openSecrets } from "./platform/auth/secrets.ts";
import { movableClock } from "./platform/clock.ts";
import type { Config } from "./platform/config.ts";
import { openDatabase } from "./platform/db/database.ts";
import { migrate } from "./platform/db/migrate.ts";
import { passing } from "./platform/fail-points.ts";
import { localFiles } from "./platform/files/files.ts";
import { closeDoors } from "./platform/http/close-doors.ts";
import { retriedTransactions } from "./platform/http/metrics.ts";
import { openJobs } from "./platform/jobs/jobs.ts";
import { createLog } from "./platform/log.ts";
import { outboxMailer } from "./platform/mail/outbox.ts";
import type { Mailer } from "./platform/mail/port.ts";
import type { Parts } from "./platform/parts.ts";
import { createSandboxNetwork, sandboxAccountCheck } from "./rails/sandbox/index.ts";
import { startOver } from "./simulator/start-over.ts";
import { sandboxTexts } from "./texts/sandbox.ts";
import { startWorker } from "./worker.ts";

interface Boot {
  say(sentence: string): void;
  /** Ends of what was started, in the order of starting, each told how long load balancers get to notice. */
  running: ((drainMs: number) => Promise<unknown>)[];
}

/** Loaded only where it is used: it costs a start fifty milliseconds. */
async function companyMailServer(url: string, from: string): Promise<Mailer> {
  const { smtpMailer } = await import("./platform/mail/smtp.ts");
  return smtpMailer(url, from);
}

export async function startProduct(
  config: Config,
  connection: pg.ClientConfig,
  { say, running }: Boot,
): Promise<void> {
  const log = createLog(config.logLevel);
  const direct = config.directDatabaseUrl ? { connectionString: config.directDatabaseUrl } : connection;
  await migrate(direct);
  const db = openDatabase(connection, () => retriedTransactions.inc());
  running.push(db.close);
  const clock = movableClock();
  const network = createSandboxNetwork({ db, clock, log });
  const infractions = createSandboxProvider({ db, clock, log });
  const collecting = createSandboxCollect({ db, clock, network });
  const jobs = await openJobs(direct, log, config.runsWorker);
  running.push(jobs.stop);
  const parts: Parts = {
    config,
    log,
    db,
    clock,
    secrets: openSecrets(config.secret ?? keepSecret(config.dataDir)),
    jobs,
    mailer: config.smtpUrl
      ? await companyMailServer(config.smtpUrl, config.mailFrom)
      : outboxMailer(db, clock),
    files: localFiles(join(config.dataDir, "files")),
    texts: sandboxTexts(db, clock),
    rails: network.rails,
    accountCheck: sandboxAccountCheck,
    directory: createSandboxDirectory({ db, clock }).directory,
    infractions: infractions.provider,
    collect: collecting.collect,
    async hearEvents(events) {
      passing("after-event-received");
      await hearEvents(parts, events);
      passing("after-event-applied");
    },
  };
  await network.loadClock();
  await seedDemo(db, clock);

  if (config.runsWorker) {
    const worker = await startWorker(parts);
    running.push(worker.stop);
  }
  network.start(parts.hearEvents, { delivers: config.runsWorker });
  running.push(network.stop);
  infractions.start((event) => hearInfraction(parts, event), { delivers: config.runsWorker });
  running.push(infractions.stop);
  if (config.runsWeb) await openDoors(parts, { network, collecting, infractions }, clock, { say, running });
}

async function openDoors(
  parts: Parts,
  outside: Pick<Sandbox, "network" | "collecting" | "infractions">,
  clock: ReturnType<typeof movableClock>,
  { say, running }: Boot,
): Promise<void> {
  const { config, db } = parts;
  const doors = { accepting: false };
  const sandbox = {
    ...outside,
    clock,
    demoUsers,
    startOver: async () => {
      // Somebody's own database may hold more than demo companies.
      if (config.databaseUrl) throw new AppError("forbidden");
      await startOver(db, clock, outside.network);
    },
  };
  const app = await buildApp(parts, sandbox, doors);
  await app.listen({ port: config.port, host: config.host });
  doors.accepting = true;
  running.push((drainMs) => closeDoors(app, doors, sleep(drainMs)));

  const address = app.server.address();
  const url = `http://localhost:${address && typeof address === "object" ? address.port : config.port}`;
  say(`\nMalote está no ar em ${url}\n`);
  say(`  Entrar        ${url}/entrar`);
  say(`  Simulador     ${url}/simulador   (bancos, Pix, relógio e e-mails de teste)`);
  say(`  API           ${url}/docs\n`);
  say(`  Usuários de demonstração, senha ${demoPassword}:`);
  for (const user of demoUsers) say(`    ${user.email.padEnd(28)} ${user.profile}`);
  say("\n  Ctrl-C encerra tudo.\n");
}

/** Starts everything above the database: adapters, services, workers, screens. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Adapters } from "./adapters/adapters.ts";
import type { Catalogue } from "./adapters/catalogue.ts";
import { createAdapters } from "./adapters/create-adapters.ts";
import { buildApp } from "./app.ts";
import { setInstallationLimits } from "./company/index.ts";
import { handleInfractionEvent } from "./contestations/index.ts";
import { requireCarriedRoutes, requireSecrets } from "./operator/index.ts";
import { handleEvents } from "./payments/index.ts";
import { secretsOf } from "./platform/auth/secrets.ts";
import type { Config } from "./platform/config.ts";
import { openDatabase } from "./platform/db/database.ts";
import { migrate } from "./platform/db/migrate.ts";
import { registerSubscribers } from "./platform/events/subscriber.ts";
import { reachFailPoint } from "./platform/fail-points.ts";
import { localFiles } from "./platform/files/files.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { retriedTransactions } from "./platform/http/metrics.ts";
import { createServer } from "./platform/http/server.ts";
import { endConnectionsWhenClosing, shutDownServer } from "./platform/http/shut-down.ts";
import { openJobs } from "./platform/jobs/jobs.ts";
import { createLog } from "./platform/log.ts";
import type { Services } from "./platform/services.ts";
import type { InfractionEvent } from "./ports/infractions.ts";
import { jobs as jobQueues, measures, subscribers } from "./registry.ts";
import { startWorker } from "./worker.ts";

interface Boot {
  say(sentence: string): void;
  /**
   * Stop functions of the running parts in order of start; each gets the time in milliseconds that load balancers need.
   */
  running: ((drainMs: number) => Promise<unknown>)[];
  /** Adapters that the configuration may name beside the sandbox; those of this version by default. */
  available?: Catalogue;
}

export async function startProduct(
  config: Config,
  connection: pg.ClientConfig,
  { say, running, available }: Boot,
): Promise<void> {
  const log = createLog(config.logLevel);
  const direct = config.directDatabaseUrl ? { connectionString: config.directDatabaseUrl } : connection;
  await migrate(direct);
  setInstallationLimits(config.installationLimits);
  const db = openDatabase(connection, () => retriedTransactions.inc(), direct);
  running.push(db.close);
  if (config.runsWeb) await db.requireOwnReaders();
  const secrets = secretsOf(config);
  await requireSecrets(db, secrets);
  const adapters = await createAdapters(config, { db, log }, available);
  await requireCarriedRoutes(db, adapters.ports);
  await registerSubscribers({ db, clock: adapters.clock }, subscribers);
  const jobs = await openJobs(direct, log, config.runsWorker, jobQueues);
  running.push(jobs.stop);
  const services: Services = {
    ...adapters.ports,
    config,
    log,
    db,
    clock: adapters.clock,
    secrets,
    jobs,
    files: localFiles(join(config.dataDir, "files")),
    async handleEvents(events, origin) {
      reachFailPoint("after-event-received");
      await handleEvents(services, events, origin);
      reachFailPoint("after-event-applied");
    },
  };
  await adapters.prepare();

  if (config.runsWorker) {
    const worker = await startWorker(services);
    running.push(worker.stop);
  }
  const handlers = {
    events: services.handleEvents,
    infraction: (event: InfractionEvent) => handleInfractionEvent(services, event),
  };
  adapters.start(handlers, { delivers: config.runsWorker });
  running.push(adapters.stop);
  if (config.runsWeb) await startWebServer(services, adapters, { say, running });
  else if (config.metricsPort !== undefined)
    await startHealthServer(services, config.metricsPort, { say, running });
}

async function startWebServer(services: Services, adapters: Adapters, { say, running }: Boot): Promise<void> {
  const { config } = services;
  const readiness = { accepting: false };
  const app = await buildApp(services, adapters, readiness);
  const url = await listen(app, config, config.port);
  readiness.accepting = true;
  running.push((drainMs) => shutDownServer(app, readiness, sleep(drainMs)));
  say(`\nMalote está no ar em ${url}\n`);
  say(`  Entrar        ${url}/entrar`);
  say(`  API           ${url}/docs`);
  for (const line of adapters.greeting(url)) say(line);
  say("\n  Ctrl-C encerra tudo.\n");
}

/** Serves health and metrics of a worker process, which answers no other calls. */
async function startHealthServer(services: Services, port: number, { say, running }: Boot): Promise<void> {
  const readiness = { accepting: true };
  const app = await createServer(services);
  endConnectionsWhenClosing(app, readiness);
  healthRoutes(app, services, readiness, measures);
  const url = await listen(app, services.config, port);
  running.push((drainMs) => shutDownServer(app, readiness, sleep(drainMs)));
  say(`\nMalote trabalha; seus números estão em ${url}/metrics\n`);
}

/** Starts listening and returns the address for this machine. */
async function listen(app: FastifyInstance, { host }: Config, port: number): Promise<string> {
  await app.listen({ port, host });
  const address = app.server.address();
  return `http://localhost:${address && typeof address === "object" ? address.port : port}`;
}

/** Simulates the external services: banks, Pix, cards, phones and a movable clock. Loaded in the sandbox only. */
import { AppError } from "../../platform/app-error.ts";
import type { Config } from "../../platform/config.ts";
import type { DatabaseWithSandbox } from "../../platform/db/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../ports/mailer.ts";
import type { Adapters } from "../adapters.ts";
import { createSandboxCharges, type SandboxCharges } from "./charges/index.ts";
import { type MovableClock, movableClock } from "./clock.ts";
import { demoPassword, demoUsers, seedDemo } from "./demo/seed.ts";
import { createSandboxDirectory } from "./directory/index.ts";
import { createSandboxProvider, type SandboxProvider } from "./infractions/index.ts";
import { outboxMailer } from "./mail-outbox.ts";
import {
  createSandboxNetwork,
  type SandboxNetwork,
  sandboxAccountCheck,
  sandboxBoletoRegister,
  sandboxPixCodes,
} from "./network/index.ts";
import { simulatorRoutes } from "./simulator/routes.ts";
import { startOver } from "./simulator/start-over.ts";
import { sandboxSms } from "./sms.ts";

export interface Sandbox extends Adapters {
  clock: MovableClock;
  network: SandboxNetwork;
  /** Provider to which payers report fraud about Pix they sent. */
  infractions: SandboxProvider;
  /** Payers, other banks and the Pix system, controlled by the simulator. */
  charges: SandboxCharges;
}

interface Needs {
  config: Pick<Config, "databaseUrl">;
  db: DatabaseWithSandbox;
  log: Log;
  /** Replaces the mail outbox of the simulator. */
  mailer?: Mailer;
  clock?: MovableClock;
}

export function createSandbox({ config, db, log, mailer, clock = movableClock() }: Needs): Sandbox {
  const network = createSandboxNetwork({ db, clock, log });
  const infractions = createSandboxProvider({ db, clock, log });
  const charges = createSandboxCharges({ db, clock, network });
  return {
    clock,
    network,
    infractions,
    charges,
    ports: {
      rails: network.rails,
      connections: new Map(),
      accountCheck: sandboxAccountCheck,
      boletoRegister: sandboxBoletoRegister(clock),
      pixCodes: sandboxPixCodes(db),
      directory: createSandboxDirectory({ db, clock }).directory,
      charges: charges.charges,
      infractions: infractions.provider,
      mailer: mailer ?? outboxMailer(db, clock),
      sms: sandboxSms(db, clock),
    },
    loadClock: () => network.loadClock(),
    async prepare() {
      await network.loadClock();
      await seedDemo(db, clock);
    },
    start(handlers, options) {
      network.start(handlers.events, options);
      infractions.start(handlers.infraction, options);
    },
    async stop() {
      await network.stop();
      await infractions.stop();
    },
    routes(serve) {
      simulatorRoutes(serve, {
        db,
        network,
        charges,
        infractions,
        clock,
        async startOver() {
          // A database that the operator provides may hold more than demo companies.
          if (config.databaseUrl) throw new AppError("start_over_elsewhere");
          await startOver(db, clock, network);
        },
      });
    },
    greeting: (url) => [
      `  Simulador     ${url}/simulador   (bancos, Pix, relógio e e-mails de teste)`,
      `  Usuários de demonstração, senha ${demoPassword}:`,
      ...demoUsers.map(({ email, profile }) => `    ${email.padEnd(28)} ${profile}`),
    ],
  };
}

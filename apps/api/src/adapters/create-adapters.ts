/** The only place that chooses who plays the outside: payment networks, the Pix directory, mail, SMS and the clock. */

import type { Clock } from "../platform/clock.ts";
import type { Config } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Log } from "../platform/log.ts";
import type { InfractionEventHandler } from "../ports/infractions.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Ports } from "../ports/ports.ts";
import type { AnyEventHandler } from "../ports/rails.ts";
import { observed } from "./observed.ts";

export interface Adapters {
  ports: Ports;
  clock: Clock;
  /** What must be known before anything asks for the time or reads a company. */
  prepare(): Promise<void>;
  /** From now on what happens outside reaches these handlers, delivered by this process where it `delivers`. */
  start(handlers: EventHandlers, options: { delivers: boolean }): void;
  stop(): Promise<void>;
  /** Calls of the outside's own screens; none where the outside is real. */
  routes(serve: Serve): void;
  /** Lines for whoever started the process, below the product's address. */
  greeting(url: string): string[];
}

export interface EventHandlers {
  events: AnyEventHandler;
  infraction: InfractionEventHandler;
}

export async function createAdapters(
  config: Config,
  services: { db: DatabaseWithSandbox; log: Log },
): Promise<Adapters> {
  // The configuration refuses to be anything else until an adapter for a real network exists.
  if (!config.sandbox) throw new Error("no adapter for a real payment network is part of this version");
  const mailer = config.smtpUrl ? await smtp(config.smtpUrl, config.mailFrom) : undefined;
  const { createSandbox } = await import("./sandbox/index.ts");
  const sandbox = createSandbox({ ...services, config, ...(mailer && { mailer }) });
  return { ...sandbox, ports: observed(sandbox.ports, services.log) };
}

/** Loaded only where it is used: it costs a start fifty milliseconds. */
async function smtp(url: string, from: string): Promise<Mailer> {
  const { smtpMailer } = await import("./smtp/mailer.ts");
  return smtpMailer(url, from);
}

/** The only place that chooses the adapters: payment networks, the Pix directory, mail, SMS and the clock. */

import type { Config } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import type { Log } from "../platform/log.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Adapters } from "./adapters.ts";
import { observed } from "./observed.ts";

export async function createAdapters(
  config: Config,
  services: { db: DatabaseWithSandbox; log: Log },
): Promise<Adapters> {
  // The configuration permits nothing else until an adapter for a real network exists.
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

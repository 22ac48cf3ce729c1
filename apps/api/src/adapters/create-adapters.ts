/** Chooses the adapters for payment networks, the Pix directory, mail, SMS and the clock; no other place does. */

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
  // The configuration permits only the sandbox until an adapter for a real network exists.
  if (!config.sandbox) throw new Error("no adapter for a real payment network is part of this version");
  const mailer = config.smtpUrl ? await smtp(config.smtpUrl, config.mailFrom) : undefined;
  const { createSandbox } = await import("./sandbox/index.ts");
  const sandbox = createSandbox({ ...services, config, ...(mailer && { mailer }) });
  return { ...sandbox, ports: observed(sandbox.ports, services.log) };
}

/** Creates the SMTP mailer. Loads its module lazily, because loading takes fifty milliseconds of a start. */
async function smtp(url: string, from: string): Promise<Mailer> {
  const { smtpMailer } = await import("./smtp/mailer.ts");
  return smtpMailer(url, from);
}

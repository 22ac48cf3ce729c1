/** What every feature is built from: made once by main.ts and passed along, so that a test can make its own. */
import type { HearEvents, Rails } from "../rails/port.ts";
import type { Secrets } from "./auth/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Files } from "./files/files.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Log } from "./log.ts";
import type { Mailer } from "./mail/port.ts";

export interface Parts {
  config: Config;
  log: Log;
  db: Database;
  clock: Clock;
  secrets: Secrets;
  jobs: Jobs;
  files: Files;
  mailer: Mailer;
  rails: Rails;
  hearEvents: HearEvents;
}

/** What every feature is built from: made once by main.ts and passed along, so that a test can make its own. */
import type { AccountCheck } from "../account-check/port.ts";

import type { Collect } from "../collect/port.ts";
import type { Directory } from "../dict/port.ts";
import type { InfractionProvider } from "../infractions/port.ts";
import type { HearEvents, Rails } from "../rails/port.ts";
import type { Texts } from "../texts/port.ts";
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
  accountCheck: AccountCheck;
  secrets: Secrets;
  jobs: Jobs;
  files: Files;
  mailer: Mailer;
  texts: Texts;
  rails: Rails;
  directory: Directory;
  collect: Collect;
  hearEvents: HearEvents;
  infractions: InfractionProvider;
}

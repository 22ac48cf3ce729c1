/** Dependencies of every feature: created once by product.ts and passed along, so that a test can create its own. */
import type { Ports } from "../ports/ports.ts";
import type { AnyEventHandler } from "../ports/rails.ts";
import type { Secrets } from "./auth/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Files } from "./files/files.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Log } from "./log.ts";

export interface Services extends Ports {
  config: Config;
  log: Log;
  db: Database;
  clock: Clock;
  secrets: Secrets;
  jobs: Jobs;
  files: Files;
  handleEvents: AnyEventHandler;
}

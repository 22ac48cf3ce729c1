import type { Database } from "../platform/db/database.ts";

/** Creates the queue's own table, which tests without the queue lack. */
export const makeQueueTable = ({ pool }: Pick<Database, "pool">) =>
  pool.query(`
    CREATE SCHEMA pgboss; CREATE TABLE pgboss.job (name text, state text, data jsonb);
    GRANT USAGE ON SCHEMA pgboss TO malote_app, malote_system;
    GRANT SELECT ON pgboss.job TO malote_app, malote_system`);

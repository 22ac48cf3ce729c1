/**
 * A database that stops before a migration, so that a test can insert rows and read them after it. Its owner has no
 * special rights, as on an operator's own server, so a migration must not miss rows that row security hides.
 */
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { listKnownMigrations, migrate } from "../platform/db/migrate.ts";

export interface OldDatabase {
  /** Queries as a role that bypasses row security. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Applies the migrations up to this number; without a number, all of them. */
  upTo(number?: string): Promise<void>;
  /** Creates an empty company and returns its id. */
  company(settings?: object): Promise<string>;
  close(): Promise<void>;
}

const roles = ["malote_app", "malote_system", "malote_ledger", "malote_sandbox"];

/** Creates a database migrated up to the last migration before the number. */
export async function databaseBefore(number: string): Promise<OldDatabase> {
  const { connection } = inject("testServer");
  const name = randomBytes(6).toString("hex");
  const [database, owner] = [`old_${name}`, `owner_${name}`];
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS`);
  // The roles exist on this server because its superuser created them; on an own server, the owner creates them.
  for (const role of roles) await admin.query(`GRANT ${role} TO ${owner} WITH ADMIN OPTION`);
  await admin.query(`CREATE DATABASE ${database} TEMPLATE template0 OWNER ${owner}`);
  await admin.end();

  const known = await listKnownMigrations();
  const asOwner = { ...connection, user: owner, database };
  await migrate(
    asOwner,
    known.filter((file) => file < number),
  );
  const client = new pg.Client({ ...connection, database });
  await client.connect();
  const query: OldDatabase["query"] = async (text, values = []) =>
    (await client.query(text, [...values])).rows;
  return {
    query,
    upTo: (last) =>
      migrate(
        asOwner,
        known.filter((file) => last === undefined || file.slice(0, last.length) <= last),
      ),
    async company(settings = {}) {
      const id = randomUUID();
      await query(
        `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
         VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', $2, now())`,
        [id, JSON.stringify(settings)],
      );
      return id;
    },
    close: () => client.end(),
  };
}

import { movableClock } from "../adapters/sandbox/clock.ts";
import { seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { type DatabaseWithSandbox, openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";

/**
 * Opens the demo companies over a single connection, so each transaction sees the session state that the previous one
 * left.
 */
export async function openOneConnection(): Promise<DatabaseWithSandbox> {
  const { config } = await testDatabase();
  const db = openDatabase({ ...config, max: 1 });
  await seedDemo(db, movableClock());
  return db;
}

/** A command records its time by the installation's clock. */
import { expect, it } from "vitest";
import { readConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { createConfiguredAdapters } from "./configured-adapters.ts";

it("runs a command in the sandbox by the simulated clock, not by the machine's", async () => {
  const db = openDatabase({ ...(await testDatabase()).config, max: 1 });
  try {
    const day = 86_400_000;
    await db.pool.query("UPDATE sandbox.settings SET clock_ahead_ms = $1", [day]);
    const { clock } = await createConfiguredAdapters(readConfig({}), db);
    expect(clock.now().getTime() - Date.now()).toBeGreaterThan(day - 60_000);
  } finally {
    await db.close();
  }
});

import { expect, it } from "vitest";
import { readConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { createLog } from "../platform/log.ts";
import { createAdapters } from "./create-adapters.ts";

it("plays the outside in the sandbox, and refuses where no adapter for a real network exists", async () => {
  const { config: connection } = await testDatabase();
  const db = openDatabase({ ...connection, max: 2 });
  const config = readConfig({ MALOTE_LOG: "silent" });
  const log = createLog("silent");
  const { ports, greeting } = await createAdapters(config, { db, log });
  expect(Object.keys(ports).sort()).toEqual([
    "accountCheck",
    "boletoRegister",
    "charges",
    "connections",
    "directory",
    "infractions",
    "mailer",
    "pixCodes",
    "rails",
    "sms",
  ]);
  expect(greeting("http://localhost:3000").join("\n")).toContain("http://localhost:3000/simulador");
  await expect(createAdapters({ ...config, sandbox: false }, { db, log })).rejects.toThrow(
    "no adapter for a real payment network",
  );
  await db.close();
});

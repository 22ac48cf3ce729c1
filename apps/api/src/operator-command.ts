/** `npm run operator -- …`: runs the operator's commands, while the installation runs or is stopped. */
import { createConfiguredAdapters } from "./adapters/configured-adapters.ts";
import { operate, WrongCommand } from "./operator/index.ts";
import { secretsOf } from "./platform/auth/secrets.ts";
import { readConfig } from "./platform/config.ts";
import { openDatabase } from "./platform/db/database.ts";
import { openInstallation, reportProblems } from "./platform/installation.ts";

await reportProblems(async () => {
  const installation = await openInstallation({ mustExist: true });
  const db = openDatabase({ ...installation.connection, max: 1 });
  try {
    const { ports, clock } = await createConfiguredAdapters(readConfig(process.env), db);
    const services = {
      db,
      clock,
      secrets: () => secretsOf(readConfig(process.env)),
      networks: ports,
    };
    process.stdout.write(`${await operate(services, process.argv.slice(2))}\n`);
    return undefined;
  } catch (error) {
    if (error instanceof WrongCommand) return error.message;
    throw error;
  } finally {
    await db.close();
    await installation.release();
  }
});

/**
 * `npm run books`: runs the full books check of an installation, whether it runs or is stopped. Exits with 1 when a row
 * is wrong.
 */

import { createConfiguredAdapters } from "./adapters/configured-adapters.ts";
import { checkBooks } from "./ledger/index.ts";
import { readConfig } from "./platform/config.ts";
import { openDatabase } from "./platform/db/database.ts";
import { openInstallation, reportProblems } from "./platform/installation.ts";
import { connectionIds } from "./ports/connections.ts";

await reportProblems(async () => {
  const installation = await openInstallation({ mustExist: true });
  // A ledger of many years takes longer to read than the timeout of calls.
  const db = openDatabase({ ...installation.connection, max: 1, statement_timeout: 0 });
  try {
    const since = performance.now();
    const { ports, clock } = await createConfiguredAdapters(readConfig(process.env), db);
    const faults = await checkBooks(db, clock.now(), connectionIds(ports));
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    if (faults.length === 0) {
      process.stdout.write(`Os livros estão corretos, ao centavo (${seconds} s).\n`);
      return undefined;
    }
    return faults
      .map(
        ({ rule, companyId, where }) =>
          `Regra quebrada: ${rule}\n  empresa ${companyId}, primeiro registro: ${where}`,
      )
      .join("\n");
  } finally {
    await db.close();
    await installation.release();
  }
});

/** `npm run restore -- <file>`: restores a backup into an empty database, the embedded one or that of DATABASE_URL. */

import { existsSync } from "node:fs";
import { CannotRestore, restoreBackup } from "./backup/index.ts";
import { checkBooks } from "./ledger/index.ts";
import { openDatabase } from "./platform/db/database.ts";
import { openInstallation, reportProblems } from "./platform/installation.ts";
import { createLog } from "./platform/log.ts";
import { jobs } from "./registry.ts";

await reportProblems(async () => {
  const [path] = process.argv.slice(2);
  if (!path) return "Diga o nome do arquivo: npm run restore -- malote.tar.gz";
  if (!existsSync(path)) return `O arquivo ${path} não existe.`;
  const installation = await openInstallation({ mustExist: false });
  try {
    const { connection, dataDir } = installation;
    const restored = await restoreBackup(path, connection, dataDir, createLog("warn"), jobs);
    const db = openDatabase(connection);
    const faults = await checkBooks(db);
    await db.close();
    process.stdout.write(
      `Restaurado o backup de ${restored.madeAt}: ${restored.rows.toLocaleString("pt-BR")} linhas de ${restored.tables} tabelas, todas iguais, e ${restored.files} planilhas.\n`,
    );
    if (restored.lacksSecret && !process.env["MALOTE_SECRET"])
      process.stdout.write(
        `O backup veio sem o segredo da instalação: antes de iniciar, copie o arquivo secret para ${dataDir} ou defina MALOTE_SECRET. Sem ele as sessões terminam e os códigos de 2 fatores não podem ser conferidos.\n`,
      );
    return faults.length === 0
      ? undefined
      : `Atenção: os livros não fecham desde antes do backup: ${JSON.stringify(faults[0])}`;
  } catch (error) {
    if (error instanceof CannotRestore) return error.message;
    throw error;
  } finally {
    await installation.release();
  }
});

/** `npm run backup -- <file>`: everything of an installation in one file, whether it runs or rests. */

import { makeBackup } from "./backup/make-backup.ts";
import { openInstallation, tellProblems } from "./platform/installation.ts";

await tellProblems(async () => {
  const [path] = process.argv.slice(2);
  if (!path) return "Diga o nome do arquivo: npm run backup -- malote.tar.gz";
  const installation = await openInstallation({ mustExist: true });
  try {
    const made = await makeBackup(path, installation.connection, installation.dataDir, new Date());
    process.stdout.write(
      `Backup em ${path}: ${made.rows.toLocaleString("pt-BR")} linhas de ${made.tables} tabelas e ${made.files} planilhas.\n` +
        "O arquivo contém dados pessoais e segredos: guarde-o como guarda as senhas da empresa.\n",
    );
    return undefined;
  } finally {
    await installation.giveBack();
  }
});

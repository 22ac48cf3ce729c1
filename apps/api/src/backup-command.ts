/** `npm run backup -- <file> [--with-secret]`: writes an installation to one file, whether it runs or is stopped. */

import { makeBackup } from "./backup/index.ts";
import { openInstallation, reportProblems } from "./platform/installation.ts";

await reportProblems(async () => {
  const given = process.argv.slice(2);
  const withSecret = given.includes("--with-secret");
  const [path] = given.filter((word) => word !== "--with-secret");
  if (!path || path.startsWith("--"))
    return "Diga o nome do arquivo: npm run backup -- malote.tar.gz [--with-secret]";
  const installation = await openInstallation({ mustExist: true });
  try {
    const { connection, dataDir } = installation;
    const made = await makeBackup(path, connection, dataDir, new Date(), { withSecret });
    process.stdout.write(
      `Backup em ${path}: ${made.rows.toLocaleString("pt-BR")} linhas de ${made.tables} tabelas e ${made.files} planilhas.\n` +
        (withSecret
          ? "O arquivo contém dados pessoais e o segredo da instalação: guarde-o como guarda as senhas da empresa.\n"
          : "O arquivo contém dados pessoais, e não o segredo da instalação: guarde uma cópia do segredo em outro lugar.\n"),
    );
    return undefined;
  } finally {
    await installation.release();
  }
});

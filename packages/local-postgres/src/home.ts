import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { type Account, accountFor, canWrite } from "./account.ts";

/** Paths of one embedded PostgreSQL, and the user that runs it. */
export type Home = { folder: string; cluster: string; socket: string; account: Account };

/** Folders that any user of the system can reach and that survive a restart of the machine. */
const systemFolders = ["/var/lib/malote", "/opt/malote"];

/** A part of the socket's name; no TCP port is opened. */
export const socketPort = 5432;
export const socketName = `.s.PGSQL.${socketPort}`;

/** The kernel stores a socket's path in 108 bytes including the closing zero; macOS in 104. */
const socketPathBytesMax = process.platform === "darwin" ? 103 : 107;

/**
 * Opens the home. `<dataDir>/postgres` is a folder, or a link to the place of the database. The link ties the two
 * together: moving the data folder keeps its database, deleting it starts from an empty one.
 */
export function openHome(dataDir: string, log: (sentence: string) => void): Home {
  const entry = join(realpathSync(dataDir), "postgres");
  if (isLink(entry)) mkdirSync(readlinkSync(entry), { recursive: true });
  else mkdirSync(entry, { recursive: true });

  const account = accountFor(join(entry, "cluster"));
  if (!existsSync(join(entry, "cluster"))) {
    chmodSync(entry, 0o755);
    account.own(entry);
    if (!canWrite(account, entry) && !isLink(entry)) moveHome(entry, account);
  }
  const folder = realpathSync(entry);
  if (!canWrite(account, folder)) {
    throw new Error(
      `O usuário ${account.name}, que roda o banco de dados, não alcança ${folder}: abra as pastas acima dela ` +
        "(chmod o+x) ou aponte MALOTE_DATA para outra pasta.",
    );
  }
  if (folder !== entry) {
    log(
      `O PostgreSQL roda como o usuário ${account.name}, que não alcança ${entry}: o banco de dados fica em ${folder}.`,
    );
  }
  return { folder, cluster: join(folder, "cluster"), socket: socketFolder(folder, account), account };
}

/** Replaces the still empty home by a link to a system folder; the loser of a race follows the winner's link. */
function moveHome(entry: string, account: Account): void {
  const folder = freeSystemFolder(entry);
  chmodSync(folder, 0o755);
  account.own(folder);
  try {
    rmdirSync(entry);
    symlinkSync(folder, entry);
  } catch (error) {
    rmdirSync(folder);
    if (!isLink(entry)) throw error;
  }
}

function freeSystemFolder(entry: string): string {
  const name = shortHash(entry);
  for (const parent of systemFolders) {
    try {
      mkdirSync(parent, { recursive: true });
      chmodSync(parent, 0o755);
    } catch {
      continue;
    }
    // A numbered name, when the first one still holds the database of a deleted data folder.
    for (let attempt = 1; ; attempt += 1) {
      const folder = join(parent, attempt === 1 ? name : `${name}-${attempt}`);
      mkdirSync(folder, { recursive: true });
      if (readdirSync(folder).length === 0) return folder;
    }
  }
  throw new Error(
    `Não é possível gravar em ${systemFolders.join(" nem em ")}: aponte MALOTE_DATA para outra pasta.`,
  );
}

/**
 * Returns the folder of the server's socket, which only its user can enter; a short one where the home's path is too
 * long.
 */
function socketFolder(home: string, account: Account): string {
  const besideData = join(home, "socket");
  if (Buffer.byteLength(join(besideData, socketName)) <= socketPathBytesMax)
    return privateFolder(besideData, account);
  const shared = process.getuid?.() === 0 ? "/run" : "/tmp";
  return privateFolder(join(shared, `malote-${shortHash(home)}`), account);
}

function privateFolder(folder: string, account: Account): string {
  mkdirSync(folder, { recursive: true });
  const found = lstatSync(folder);
  // In a shared folder another user may have taken the name, to listen in place of the server.
  if (!found.isDirectory() || ![account.uid, process.getuid?.()].includes(found.uid)) {
    throw new Error(
      `${folder} pertence a outra pessoa: remova essa pasta ou aponte MALOTE_DATA para um caminho mais curto.`,
    );
  }
  chmodSync(folder, 0o700);
  account.own(folder);
  return folder;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

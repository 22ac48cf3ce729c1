import { spawnSync } from "node:child_process";
import { chownSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";

/** The operating-system user that runs PostgreSQL. */
export type Account = {
  name: string;
  uid: number;
  /** Options that make `spawn` run as this user; empty when it is the current user. */
  spawnAs: { uid?: number; gid?: number };
  /** Makes the account the owner of one file or folder. */
  own(path: string): void;
};

/** Users in order of preference: made for PostgreSQL, made to own nothing, present on nearly every system. */
const unprivilegedNames = ["postgres", "_postgres", "nobody", "daemon", "www-data"];

const weAreRoot = () => process.getuid?.() === 0;

/**
 * Returns the account for a cluster; PostgreSQL refuses to run as root. An existing cluster runs as its owner, so the
 * same data opens under root and under the user who created it; a new one gets the first unprivileged user of the
 * system.
 */
export function accountFor(cluster: string): Account {
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (!weAreRoot()) {
    const uid = process.getuid?.() ?? -1;
    if (owner && owner.uid !== uid) {
      throw new Error(
        `O banco de dados em ${cluster} pertence ao usuário ${nameOf(owner.uid)}: inicie o Malote como esse usuário ou como root.`,
      );
    }
    return { name: userName(), uid, spawnAs: {}, own: () => {} };
  }
  if (owner && owner.uid !== 0) return otherAccount(nameOf(owner.uid), owner.uid, owner.gid);
  const users = passwd();
  const user = unprivilegedNames.map((name) => users.find((entry) => entry.name === name)).find(Boolean);
  if (!user) {
    throw new Error(
      `O PostgreSQL não roda como root e nenhum dos usuários ${unprivilegedNames.join(", ")} existe: ` +
        "inicie o Malote como um usuário comum.",
    );
  }
  return otherAccount(user.name, user.uid, user.gid);
}

function otherAccount(name: string, uid: number, gid: number): Account {
  return { name, uid, spawnAs: { uid, gid }, own: (path) => chownSync(path, uid, gid) };
}

/** Returns whether the account can enter and write a folder. It asks the system instead of reading the mode bits. */
export function canWrite(account: Account, folder: string): boolean {
  const probe = spawnSync("/bin/sh", ["-c", 'cd "$1" && test -w . && test -x .', "sh", folder], {
    cwd: "/",
    env: {},
    stdio: "ignore",
    ...account.spawnAs,
  });
  if (probe.error && (probe.error as NodeJS.ErrnoException).code === "EPERM") {
    throw new Error(
      `O PostgreSQL não roda como root e este root não pode virar o usuário ${account.name}: inicie o Malote como um usuário comum.`,
    );
  }
  return probe.status === 0;
}

function passwd(): { name: string; uid: number; gid: number }[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((entry) => entry.uid > 0);
}

function nameOf(uid: number): string {
  return passwd().find((entry) => entry.uid === uid)?.name ?? `de número ${uid}`;
}

/** Returns the user's name; a container may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `de número ${process.getuid?.()}`;
  }
}

/** Functions of backups for the commands of npm. */
export { makeBackup } from "./make-backup.ts";
export { CannotRestore, restoreBackup } from "./restore-backup.ts";

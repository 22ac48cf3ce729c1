/**
 * `npm run backup -- <file>`: writes everything that an installation holds to one file, whether it runs or is stopped.
 */
import { apiCommand } from "./steps/api-command.mjs";

await apiCommand("backup-command.ts");

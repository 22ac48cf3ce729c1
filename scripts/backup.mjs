/** `npm run backup -- <file>`: everything an installation holds in one file, while it runs or rests. */
import { apiCommand } from "./steps/api-command.mjs";

await apiCommand("backup-command.ts");

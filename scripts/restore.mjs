/** `npm run restore -- <file>`: restores a backup into an empty database, the embedded one or that of DATABASE_URL. */
import { apiCommand } from "./steps/api-command.mjs";

await apiCommand("restore-command.ts");

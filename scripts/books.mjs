/** `npm run books`: recomputes every account, batch and payment of an installation and names the first wrong row. */
import { apiCommand } from "./steps/api-command.mjs";

await apiCommand("books-command.ts");

/** `npm run operator -- …`: runs the operator's decisions about companies and notices. */
import { apiCommand } from "./steps/api-command.mjs";

await apiCommand("operator-command.ts", (n, words) => words[0] === "network-file" && n === 2);

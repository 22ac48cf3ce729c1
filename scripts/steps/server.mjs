/** How the server is started, wherever it is: by `npm start`, by a journey, by a proof or by a bench. The Dockerfile says the same. */
import { join } from "node:path";
import { root } from "./terminal.mjs";

export const serverFlags = [
  // Megabytes of young memory: with Node's own bound an idle server keeps twenty more that nothing uses.
  "--max-semi-space-size=4",
  // What a large body leaves behind is collected as it comes (see backpressure.ts).
  "--expose-gc",
];

/** What Node is given. */
export const serverArguments = [...serverFlags, join(root, "apps/api/src/start.js")];

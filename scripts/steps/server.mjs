/** Start options of the server, for `npm start`, journeys, proofs and benches. The Dockerfile repeats them. */
import { join } from "node:path";
import { root } from "./terminal.mjs";

export const serverFlags = [
  // Megabytes of the young generation: with Node's own limit an idle server keeps twenty more that nothing uses.
  "--max-semi-space-size=4",
  // The garbage of a large body is collected as it arrives (see backpressure.ts).
  "--expose-gc",
];

/** Command-line options for Node. */
export const serverArguments = [...serverFlags, join(root, "apps/api/src/start.js")];

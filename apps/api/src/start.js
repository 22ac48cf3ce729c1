/**
 * Entry point of Node, in plain JavaScript: the code that strips types is loaded with the first file missing from the
 * compile cache, and takes some twenty megabytes while the server runs. From the second start on no file is missing.
 */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

// An unusable folder only costs time; main.ts reports its problem.
enableCompileCache(resolve(process.env["MALOTE_DATA"] || ".data", "compiled"));
await import("./main.ts");

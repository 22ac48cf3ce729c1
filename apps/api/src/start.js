/**
 * Where Node begins, as plain JavaScript: what takes the types out of a file is loaded with the first one that is not found
 * compiled, and stays in memory, some twenty megabytes, for as long as the server runs. From the second start on none is missing.
 */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

// A folder that cannot be used only costs time; main.ts says what is wrong with it.
enableCompileCache(resolve(process.env["MALOTE_DATA"] || ".data", "compiled"));
await import("./main.ts");

/**
 * Hostile files, generated in code. Each defines its result: refused, or read as exactly the one payment that a person
 * sees in it, because its oddity is harmless.
 */
import { bombs } from "./hostile-files/bombs.ts";
import { csv } from "./hostile-files/csv.ts";
import type { HostileFile } from "./hostile-files/make-files.ts";
import { names, polyglots } from "./hostile-files/polyglots.ts";
import { strange } from "./hostile-files/strange.ts";
import { xml } from "./hostile-files/xml.ts";
import { lies, truncated } from "./hostile-files/zips.ts";

export const hostileFiles: readonly HostileFile[] = [
  ...truncated,
  ...lies,
  ...xml,
  ...bombs,
  ...polyglots,
  ...csv,
  ...strange,
  ...names,
];

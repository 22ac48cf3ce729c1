/**
 * `npm run build`: installs the dependencies and builds the screens, for a machine or an image that only runs the
 * product.
 */
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { script } from "./steps/terminal.mjs";

await script(async () => {
  await ensureInstalled();
  await ensureBuilt();
});

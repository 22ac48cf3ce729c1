/** `npm run build`: dependencies and screens, for a machine or an image that will only run the product. */
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { script } from "./steps/terminal.mjs";

await script(async () => {
  await ensureInstalled();
  await ensureBuilt();
});

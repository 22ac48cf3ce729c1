import type { Brand } from "@malote/contracts/session";
import type { Config } from "../platform/config.ts";

/** Names of the brands, on any address (SHL-003). */
export const brandNames: Readonly<Record<Brand["id"], string>> = { malote: "Malote", horizonte: "Horizonte" };

/** Returns the configuration of a brand: its name and the installation's options (SHL-002). */
export const brandConfiguration = (
  { brandOptions }: Pick<Config, "brandOptions">,
  id: Brand["id"],
): Pick<Brand, "id" | "assetsPath" | "name" | "showStatusMenu"> => ({
  id,
  name: brandNames[id],
  ...brandOptions[id],
});

import type { Brand } from "@malote/contracts/session";
import type { Config } from "../platform/config.ts";

/** What the brands are called, whatever the address (SHL-003). */
export const brandNames: Readonly<Record<Brand["id"], string>> = { malote: "Malote", horizonte: "Horizonte" };

/** What a brand is made of: its name, and what the installation's table says of it (SHL-002). */
export const brandConfiguration = (
  { brandOptions }: Pick<Config, "brandOptions">,
  id: Brand["id"],
): Pick<Brand, "id" | "assetsPath" | "name" | "showStatusMenu"> => ({
  id,
  name: brandNames[id],
  ...brandOptions[id],
});

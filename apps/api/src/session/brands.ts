import type { Brand } from "@malote/contracts/session";
import { type BrandId, brandNames } from "@malote/domain/brands";
import type { Config } from "../platform/config.ts";

/** Returns the configuration of a brand: its name and the installation's options (SHL-002). */
export const brandConfiguration = (
  { brandOptions }: Pick<Config, "brandOptions">,
  id: BrandId,
): Pick<Brand, "id" | "assetsPath" | "name" | "showStatusMenu"> => ({
  id,
  name: brandNames[id],
  ...brandOptions[id],
});

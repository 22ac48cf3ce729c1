/** The brands of an installation, as the environment names their addresses and options. */
import { type BrandId, brandIds } from "@malote/domain/brands";
import * as z from "zod";

/** Options of a brand that an installation may set (SHL-002). */
interface BrandOptions {
  /** Folder with `favicon.svg`, on this origin. */
  assetsPath: string;
  showStatusMenu: boolean;
}
export type BrandTable = Readonly<Record<BrandId, BrandOptions>>;

const defaultBrandOptions: BrandTable = {
  malote: { assetsPath: "/", showStatusMenu: true },
  horizonte: { assetsPath: "/marcas/horizonte/", showStatusMenu: false },
};

export const brandVariables = {
  MALOTE_BRANDS: z
    .string()
    .default("")
    .transform((text, context) => {
      const table = new Map<string, BrandId>();
      for (const pair of text.split(",").filter(Boolean)) {
        const [origin, brand] = pair.split("=");
        const id = brandIds.find((known) => known === brand);
        if (origin && id) table.set(origin.toLowerCase(), id);
        else
          context.addIssue(`MALOTE_BRANDS não entendeu "${pair}": use endereço=malote ou endereço=horizonte`);
      }
      return table;
    }),
  MALOTE_BRAND_OPTIONS: z
    .string()
    .default("")
    .transform((text, context) => {
      const table = structuredClone(defaultBrandOptions);
      for (const pair of text.split(",").filter(Boolean)) {
        const [, id, option, value = ""] = /^(\w+)\.(\w+)=(.*)$/.exec(pair.trim()) ?? [];
        const brand = brandIds.find((known) => known === id);
        if (brand && option === "assetsPath" && /^\/([\w.-]+\/)*$/.test(value))
          table[brand].assetsPath = value;
        else if (brand && option === "showStatusMenu" && /^(on|off)$/.test(value))
          table[brand].showStatusMenu = value === "on";
        else
          context.addIssue(
            `MALOTE_BRAND_OPTIONS não entendeu "${pair}": use marca.assetsPath=/pasta/ ou marca.showStatusMenu=on`,
          );
      }
      return table;
    }),
};

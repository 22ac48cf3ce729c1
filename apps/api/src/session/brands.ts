import type { Brand } from "@malote/contracts/session";

/** What a brand is made of, whatever the address (SHL-001). */
export const brands: Readonly<
  Record<Brand["id"], Pick<Brand, "id" | "assetsPath" | "name" | "showStatusMenu">>
> = {
  malote: { id: "malote", assetsPath: "/", name: "Malote", showStatusMenu: true },
  horizonte: { id: "horizonte", assetsPath: "/", name: "Horizonte", showStatusMenu: false },
};

/** The brands under which an installation can show itself; the CHECK of `companies.brand` (migration 0002) lists them too. */
export const brandIds = ["malote", "horizonte"] as const;
export type BrandId = (typeof brandIds)[number];

/** Names of the brands, on any address (SHL-003). */
export const brandNames: Readonly<Record<BrandId, string>> = { malote: "Malote", horizonte: "Horizonte" };

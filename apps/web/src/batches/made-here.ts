import type { Batch } from "@malote/contracts/batches";

/**
 * Drafts as 'Novo lote' made them on this page, by their ids. It is of its own, so that the button does not load what the
 * open batch needs.
 */
export const madeHere = new Map<string, Pick<Batch, "name" | "revision">>();

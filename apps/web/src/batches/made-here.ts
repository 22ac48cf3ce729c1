import type { Batch } from "@malote/contracts/batches";

/**
 * Drafts as 'Novo lote' made them on this page, by their ids. A module of its own, so that the button's chunk stays small.
 */
export const madeHere = new Map<string, Pick<Batch, "name" | "revision">>();

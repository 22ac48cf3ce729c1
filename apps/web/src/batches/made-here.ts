import type { Batch } from "@malote/contracts/batches";

/** Drafts as 'Novo lote' created them on this page, by id. A separate module keeps the button's chunk small. */
export const madeHere = new Map<string, Pick<Batch, "name" | "revision">>();

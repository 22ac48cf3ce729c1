import type { Feature } from "../platform/feature.ts";
import { type ImportedReceivers, removalRoutes } from "./batches/remove.ts";

/**
 * Removes batches. The receivers of a draft are a parameter, because the feature `receivers` imports payouts.
 */
export const removalFeature = (imported: ImportedReceivers): Feature => ({
  routes: (serve, services) => removalRoutes(serve, services, imported),
});

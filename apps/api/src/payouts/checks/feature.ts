import type { Feature } from "../../platform/feature.ts";
import { deleteOldChanges } from "./findings-store.ts";

export const checksFeature: Feature = { tidy: ({ db, clock }) => deleteOldChanges(db, clock.now()) };

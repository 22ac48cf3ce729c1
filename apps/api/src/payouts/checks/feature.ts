import type { Feature } from "../../platform/feature.ts";
import { forgetOldChanges } from "./findings-store.ts";

export const checksFeature: Feature = { tidy: ({ db, clock }) => forgetOldChanges(db, clock.now()) };

import type { Feature } from "../feature.ts";
import { deleteOldAnswers } from "./idempotency.ts";

export const httpFeature: Feature = { tidy: ({ db, clock }) => deleteOldAnswers(db, clock.now()) };

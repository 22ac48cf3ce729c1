import type { Feature } from "../feature.ts";
import { forgetOldAnswers } from "./idempotency.ts";

export const httpFeature: Feature = { tidy: ({ db, clock }) => forgetOldAnswers(db, clock.now()) };

/** Features of batches and their payments, each with its own routes and jobs. */
import type { Feature } from "../platform/feature.ts";
import { feature as batches } from "./batches/feature.ts";
import { feature as boletos } from "./boletos/feature.ts";
import { forgetOldChanges } from "./checks/findings-store.ts";
import { feature as failures } from "./failures/feature.ts";
import { feature as imports } from "./import/feature.ts";
import { feature as lookups } from "./lookups/feature.ts";
import { feature as onePayment } from "./one-payment/feature.ts";
import { feature as transfers } from "./transfers/feature.ts";

export const features: readonly Feature[] = [
  batches,
  transfers,
  boletos,
  onePayment,
  failures,
  imports,
  lookups,
  { tidy: ({ db, clock }) => forgetOldChanges(db, clock.now()) },
];

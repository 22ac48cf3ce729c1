import { account } from "../account/feature.ts";
import { batches } from "../batches/feature.ts";
import { billing } from "../billing/feature.ts";
import { company } from "../company/feature.ts";
import { developer } from "../developer/feature.ts";
import { firstSteps } from "../first-steps/feature.ts";
import { sheetImport } from "../import/feature.ts";
import { indicators } from "../indicators/feature.ts";
import { receipts } from "../receipts/feature.ts";
import { receivers } from "../receivers/feature.ts";
import type { Feature } from "../shell/feature.ts";
import { statement } from "../statement/feature.ts";
import { users } from "../users/feature.ts";
import { waiting } from "../waiting/feature.ts";

/** Every feature of the application, in the order of the side menu. A new one is added here and nowhere else. */
export const features: readonly Feature[] = [
  batches,
  statement,
  receivers,
  sheetImport,
  indicators,
  waiting,
  receipts,
  firstSteps,
  company,
  billing,
  developer,
  users,
  account,
];

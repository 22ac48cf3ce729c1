import { account } from "../account/feature.ts";
import { attention } from "../attention/feature.ts";
import { auditTrail } from "../audit-trail/feature.ts";
import { batches } from "../batches/feature.ts";
import { billing } from "../billing/feature.ts";
import { boletos } from "../boletos/feature.ts";
import { cardReceivables } from "../card-receivables/feature.ts";
import { company } from "../company/feature.ts";
import { contestations } from "../contestations/feature.ts";
import { controls } from "../controls/feature.ts";
import { developer } from "../developer/feature.ts";
import { failures } from "../failures/feature.ts";
import { firstSteps } from "../first-steps/feature.ts";
import { home } from "../home/feature.ts";
import { sheetImport } from "../import/feature.ts";
import { indicators } from "../indicators/feature.ts";
import { notifications } from "../notifications/feature.ts";
import { payins } from "../payins/feature.ts";
import { paymentLinks } from "../payment-links/feature.ts";
import { receipts } from "../receipts/feature.ts";
import { receivers } from "../receivers/feature.ts";
import { reports } from "../reports/feature.ts";
import { settings } from "../settings/feature.ts";
import type { Feature } from "../shell/feature.ts";
import { statement } from "../statement/feature.ts";
import { transfers } from "../transfers/feature.ts";
import { users } from "../users/feature.ts";
import { validation } from "../validation/feature.ts";
import { waiting } from "../waiting/feature.ts";

/** Features of the application, in the order of the side menu. A new one is added only here. */
export const features: readonly Feature[] = [
  batches,
  statement,
  transfers,
  boletos,
  receivers,
  sheetImport,
  indicators,
  settings,
  payins,
  cardReceivables,
  paymentLinks,
  waiting,
  receipts,
  reports,
  contestations,
  firstSteps,
  validation,
  company,
  controls,
  auditTrail,
  billing,
  developer,
  users,
  account,
  failures,
  attention,
  home,
  notifications,
];

/** All features of the product. A new one is a folder with a `feature.ts` and a line here. */
import { auditTrailFeature } from "./audit-trail/feature.ts";
import { billingFeature } from "./billing/feature.ts";
import { cardReceivablesFeature } from "./card-receivables/feature.ts";
import { checkoutFeature } from "./checkout/feature.ts";
import { companyFeature } from "./company/feature.ts";
import { contestationsFeature } from "./contestations/feature.ts";
import { findInfractionsOfPix } from "./contestations/index.ts";
import { controlsFeature } from "./controls/feature.ts";
import { developerFeature } from "./developer/feature.ts";
import { errorReportsFeature } from "./error-reports/feature.ts";
import { exportsFeature } from "./exports/feature.ts";
import { everyKindOf, fileKindsOf } from "./exports/index.ts";
import { historyFeature } from "./history/feature.ts";
import { homeFeature } from "./home/feature.ts";
import { workOf } from "./home/index.ts";
import { indicatorsFeature } from "./indicators/feature.ts";
import { ledgerFeature } from "./ledger/feature.ts";
import { limitsFeature } from "./limits/feature.ts";
import { notificationsFeature } from "./notifications/feature.ts";
import { offerMoney } from "./offer-money.ts";
import { payinsFeature } from "./payins/feature.ts";
import { paymentLinksFeature } from "./payment-links/feature.ts";
import { paymentsFeature } from "./payments/feature.ts";
import { batchesFeature } from "./payouts/batches/feature.ts";
import { boletosFeature } from "./payouts/boletos/feature.ts";
import { checksFeature } from "./payouts/checks/feature.ts";
import { failuresFeature } from "./payouts/failures/feature.ts";
import { fundingFeature } from "./payouts/funding-feature.ts";
import { importFeature } from "./payouts/import/feature.ts";
import { hasAnyBatch, listBatchesBeingPaid, sumUpcoming } from "./payouts/index.ts";
import { lookupsFeature } from "./payouts/lookups/feature.ts";
import { onePaymentFeature } from "./payouts/one-payment/feature.ts";
import { removalFeature } from "./payouts/removal-feature.ts";
import { transfersFeature } from "./payouts/transfers/feature.ts";
import { pixKeysFeature } from "./pix-keys/feature.ts";
import { eventsFeature } from "./platform/events/feature.ts";
import { type Feature, jobsOf, subscribersOf } from "./platform/feature.ts";
import { httpFeature } from "./platform/http/feature.ts";
import { mailFeature } from "./platform/mail/feature.ts";
import { receiptsFeature } from "./receipts/feature.ts";
import { readReceiptAttachment } from "./receipts/index.ts";
import { receiversFeature } from "./receivers/feature.ts";
import { hasAnyReceiver, importedReceivers } from "./receivers/index.ts";
import { reportHandlers } from "./report-handlers.ts";
import { reportsFeature } from "./reports/feature.ts";
import { createRequestExecutors } from "./request-executors.ts";
import { sessionFeature } from "./session/feature.ts";
import { settingsFeature } from "./settings/feature.ts";
import { statementFeature } from "./statement/feature.ts";
import { statusPageFeature } from "./status-page/feature.ts";
import { usersFeature } from "./users/feature.ts";
import { validationFeature } from "./validation/feature.ts";

const eachFeature: readonly Feature[] = [
  sessionFeature,
  errorReportsFeature,
  companyFeature({ receiver: hasAnyReceiver, batch: hasAnyBatch }),
  settingsFeature,
  auditTrailFeature,
  limitsFeature,
  usersFeature,
  statementFeature,
  batchesFeature,
  transfersFeature,
  boletosFeature,
  onePaymentFeature,
  failuresFeature,
  importFeature,
  lookupsFeature,
  checksFeature,
  paymentsFeature(reportHandlers),
  receiversFeature,
  pixKeysFeature,
  receiptsFeature,
  reportsFeature,
  validationFeature,
  paymentLinksFeature,
  checkoutFeature,
  indicatorsFeature,
  billingFeature,
  contestationsFeature,
  developerFeature,
  statusPageFeature,
  payinsFeature(findInfractionsOfPix),
  historyFeature,
  notificationsFeature,
  cardReceivablesFeature,
  ledgerFeature,
  controlsFeature(createRequestExecutors),
  removalFeature(importedReceivers),
  fundingFeature(offerMoney),
  mailFeature(readReceiptAttachment),
  httpFeature,
];

/** Kinds of files that users request and a job makes, of all features. */
export const fileKinds = fileKindsOf(eachFeature);

/** Features with those that work on what all others declare. */
const withCollecting: readonly Feature[] = [
  ...eachFeature,
  exportsFeature(everyKindOf(eachFeature), fileKinds),
  homeFeature({ sources: workOf(eachFeature), sumUpcoming, listBatchesBeingPaid }),
];

export const subscribers = subscribersOf(withCollecting);
export const features: readonly Feature[] = [...withCollecting, eventsFeature(subscribers)];
export const jobs = jobsOf(features);
export const measures = features.flatMap(({ measure }) => measure ?? []);

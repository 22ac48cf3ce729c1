/** All features of the product. A new one is a folder with a `feature.ts` and a line here. */
import { feature as auditTrail } from "./audit-trail/feature.ts";
import { feature as billing } from "./billing/feature.ts";
import { feature as cardReceivables } from "./card-receivables/feature.ts";
import { feature as checkout } from "./checkout/feature.ts";
import { feature as company } from "./company/feature.ts";
import { feature as contestations } from "./contestations/feature.ts";
import { controlRoutes } from "./controls/feature.ts";
import { emailAboutControls, emailDueApprovers, requestWork } from "./controls/index.ts";
import { feature as developer } from "./developer/feature.ts";
import { feature as errorReports } from "./error-reports/feature.ts";
import { exportsFeature } from "./exports/feature.ts";
import { everyKindOf, fileKindsOf } from "./exports/index.ts";
import { feature as history } from "./history/feature.ts";
import { homeFeature } from "./home/feature.ts";
import { workOf } from "./home/index.ts";
import { feature as indicators } from "./indicators/feature.ts";
import { feature as ledger } from "./ledger/feature.ts";
import { feature as limits } from "./limits/feature.ts";
import { feature as notifications } from "./notifications/feature.ts";
import { offerMoney } from "./offer-money.ts";
import { feature as payins } from "./payins/feature.ts";
import { feature as paymentLinks } from "./payment-links/feature.ts";
import { feature as payments } from "./payments/feature.ts";
import { features as payouts } from "./payouts/feature.ts";
import {
  companiesWithPayableBatches,
  findBatchesBeingPaid,
  removalRoutes,
  sumUpcoming,
} from "./payouts/index.ts";
import { feature as pixKeys } from "./pix-keys/feature.ts";
import { forgetOldEvents, measureEvents } from "./platform/events/keep.ts";
import { subscriber } from "./platform/events/subscriber.ts";
import { type Feature, forEachCompany, jobsOf, subscribersOf } from "./platform/feature.ts";
import { forgetOldAnswers } from "./platform/http/idempotency.ts";
import { forgetUnsentSecrets, sendLateMails, sendMail } from "./platform/mail/send-mail.ts";
import { feature as receipts } from "./receipts/feature.ts";
import { receiptAttachment } from "./receipts/index.ts";
import { feature as receivers } from "./receivers/feature.ts";
import { importedReceivers } from "./receivers/index.ts";
import { feature as reports } from "./reports/feature.ts";
import { feature as session } from "./session/feature.ts";
import { feature as settings } from "./settings/feature.ts";
import { feature as statement } from "./statement/feature.ts";
import { feature as statusPage } from "./status-page/feature.ts";
import { feature as users } from "./users/feature.ts";
import { feature as validation } from "./validation/feature.ts";
import { carryOutEach } from "./ways-out.ts";

declare module "./platform/jobs/jobs.ts" {
  interface JobData {
    "pay-waiting-batches": { companyId: string };
    "send-mail": { companyId: string; mailId: string };
  }
}

/** Features that combine data of several features. */
const composed: readonly Feature[] = [
  {
    routes: (serve, services) => controlRoutes(serve, services, carryOutEach(services)),
    subscribers: [
      subscriber({
        name: "control-emails",
        on: ["approval.requested", "approval.given", "approval.refused", "company.controls_changed"],
        handle: emailAboutControls,
      }),
    ],
    work: [requestWork],
    schedules: [{ name: "e-mails about requests", everyMs: 10_000, run: emailDueApprovers }],
  },
  { routes: (serve, services) => removalRoutes(serve, services, importedReceivers) },
  {
    // The queue first collects refunds. It keeps its old name, because jobs of the previous release and alert rules use
    // it.
    jobs: { "pay-waiting-batches": { atOnce: 2, tries: 200, restSecondsMax: 2, run: offerMoney } },
    schedules: [
      {
        name: "batches that wait for money",
        everyMs: 10_000,
        async run(services) {
          const companyIds = await services.db.withSystem((tx) =>
            companiesWithPayableBatches(tx, services.clock.now()),
          );
          await forEachCompany(services, "paying waiting batches", companyIds, (companyId) =>
            offerMoney(services, { companyId }),
          );
        },
      },
    ],
  },
  {
    jobs: {
      "send-mail": {
        atOnce: 2,
        tries: 12,
        restSecondsMax: 60,
        run: (services, data) =>
          sendMail(services, data, (companyId, paymentId) =>
            receiptAttachment(services, companyId, paymentId),
          ),
      },
    },
    async tidy(services) {
      await forgetUnsentSecrets(services);
      await sendLateMails(services);
    },
  },
  { tidy: ({ db, clock }) => forgetOldAnswers(db, clock.now()) },
  {
    schedules: [{ name: "measuring events", everyMs: 10_000, run: measureEvents }],
    tidy: (services) => forgetOldEvents(services, subscribers),
  },
];

const eachFeature: readonly Feature[] = [
  session,
  errorReports,
  company,
  settings,
  auditTrail,
  limits,
  users,
  statement,
  ...payouts,
  payments,
  receivers,
  pixKeys,
  receipts,
  reports,
  validation,
  paymentLinks,
  checkout,
  indicators,
  billing,
  contestations,
  developer,
  statusPage,
  payins,
  history,
  notifications,
  cardReceivables,
  ledger,
  ...composed,
];

/** Kinds of files that users request and a job makes, of all features. */
export const fileKinds = fileKindsOf(eachFeature);

export const features: readonly Feature[] = [
  ...eachFeature,
  exportsFeature(everyKindOf(eachFeature), fileKinds),
  homeFeature({ sources: workOf(eachFeature), sumUpcoming, findBatchesBeingPaid }),
];

export const jobs = jobsOf(features);
export const subscribers = subscribersOf(features);
export const measures = features.flatMap(({ measure }) => measure ?? []);

import { type Feature, forEachCompany, usualPauseMs } from "../platform/feature.ts";
import type { Services } from "../platform/services.ts";
import { listCompaniesWithPayableBatches } from "./batches/store.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "pay-waiting-batches": { companyId: string };
  }
}

/**
 * Uses incoming money. `offerMoney` is a parameter, because other features have a claim to the money before batches that
 * wait for it.
 */
export const fundingFeature = (
  offerMoney: (services: Services, data: { companyId: string }) => Promise<unknown>,
): Feature => ({
  // The queue first collects refunds. It keeps its old name, because jobs of the previous release and alert rules use
  // it.
  jobs: {
    "pay-waiting-batches": { concurrencyMax: 2, tries: 200, retryDelaySecondsMax: 2, run: offerMoney },
  },
  schedules: [
    {
      name: "batches that wait for money",
      everyMs: usualPauseMs,
      async run(services) {
        const companyIds = await services.db.withSystem((tx) =>
          listCompaniesWithPayableBatches(tx, services.clock.now()),
        );
        await forEachCompany(services, "paying waiting batches", companyIds, (companyId) =>
          offerMoney(services, { companyId }),
        );
      },
    },
  ],
});

import { secondMs } from "@malote/domain/durations";
import { listCompaniesWithDuePayments, listCompaniesWithSilentPayments } from "../payouts/index.ts";
import { type Feature, forEachCompany, usualPauseMs } from "../platform/feature.ts";
import { countDeadLetters } from "./dead-letters.ts";
import { askAboutSilentPayments } from "./find-silent-payments.ts";
import { retryDeadLetters } from "./handle-events.ts";
import { measureDuePayments, measureMissingConnections, measureSilentPayments } from "./measure-due.ts";
import { readNetworkFiles } from "./network-files.ts";
import type { ReportHandlers } from "./receive-reports.ts";
import { sendInTurn } from "./send-in-turn.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "send-payments": { companyId: string };
  }
}

/** The payments of other companies that fall due meanwhile wait for the end of a turn. */
const blocksPerTurn = 10;

export const paymentsFeature = (handlers: ReportHandlers): Feature => ({
  jobs: { "send-payments": { concurrencyMax: 2, tries: 200, retryDelaySecondsMax: 2, run: sendInTurn } },
  measure: (services) =>
    Promise.all([
      measureDuePayments(services),
      measureSilentPayments(services),
      measureMissingConnections(services),
    ]),
  schedules: [
    // A payment that was just closed does not wait for this interval: its job starts at once.
    {
      name: "sending payments",
      everyMs: secondMs,
      async run(services) {
        const companyIds = await listCompaniesWithDuePayments(services);
        await Promise.all(
          companyIds.map((id) =>
            forEachCompany(services, "sending payments", [id], (companyId) =>
              sendInTurn(services, { companyId, blocksMax: blocksPerTurn }),
            ),
          ),
        );
      },
    },
    {
      name: "files of networks",
      everyMs: usualPauseMs,
      run: (services) => readNetworkFiles(services, handlers),
    },
    {
      name: "payments without a report",
      everyMs: usualPauseMs,
      async run(services) {
        const companyIds = await listCompaniesWithSilentPayments(services);
        await forEachCompany(services, "asking about payments", companyIds, (companyId) =>
          askAboutSilentPayments(services, { companyId }),
        );
        await retryDeadLetters(services);
        await countDeadLetters(services);
      },
    },
  ],
});

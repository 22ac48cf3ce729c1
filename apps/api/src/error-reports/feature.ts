import { reportErrors } from "@malote/contracts/error-reports";
import { isErrorCode } from "@malote/contracts/errors";
import { contracts } from "@malote/contracts/index";
import { minuteMs, secondMs } from "@malote/domain/durations";
import { AppError } from "../platform/app-error.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { networkOf } from "../session/index.ts";
import { sendErrorReports } from "./send.ts";
import { insertReports } from "./store.ts";

/**
 * Maximum number of messages per minute and process, for one network and in total. A browser sends at most one every
 * few seconds.
 */
export const messagesPerMinute = { network: 30, overall: 300 } as const;

const known: ReadonlySet<string> = new Set(contracts.map(({ id }) => id));

/** SES-063: registers the public call for error reports; errors also happen on the sign-in page and the checkout. */
export function errorReportRoutes(
  { serveOutside }: Serve,
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
): void {
  const time = realTime(clock);
  let minute = 0;
  let overall = 0;
  const counts = new Map<string, number>();

  function requirePlace(network: string, now: Date): void {
    const present = Math.floor(now.getTime() / minuteMs);
    if (present !== minute) {
      counts.clear();
      overall = 0;
      minute = present;
    }
    const times = (counts.get(network) ?? 0) + 1;
    if (overall >= messagesPerMinute.overall || times > messagesPerMinute.network)
      throw new AppError("too_many_requests");
    overall++;
    counts.set(network, times);
  }

  serveOutside(reportErrors, { queue: "none" }, async ({ body, request }) => {
    const now = time.now();
    const network = networkOf(request.ip);
    requirePlace(network, now);
    // Only our own ids are stored, never values that a caller invents.
    const reports = body.reports
      .filter(({ call }) => known.has(call))
      .map(({ code, ...report }) => ({
        ...report,
        id: uuidv7(now.getTime()),
        ...(isErrorCode(code) && { code }),
      }));
    if (config.errorReportUrl && reports.length > 0)
      await db.withSystem((tx) => insertReports(tx, reports, network, now));
    return { ok: true as const };
  });
}

export const errorReportsFeature: Feature = {
  routes: errorReportRoutes,
  schedules: [{ name: "handing on error reports", everyMs: 5 * secondMs, run: sendErrorReports }],
};

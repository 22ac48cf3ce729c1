/**
 * Sends error reports of browsers to the service of MALOTE_ERROR_REPORT_URL, in the worker and outside any transaction.
 */
import { dayMs } from "@malote/domain/durations";
import { realTime } from "../platform/auth/real-time.ts";
import type { Services } from "../platform/services.ts";
import { claimDueReports, deleteOldReports, removeReports } from "./store.ts";

const atOnce = 100;
const timeoutMs = 10_000;
const keptMs = dayMs;

/**
 * Sends due reports. Retries with backoff: after 10 seconds, then 20, 40 … up to an hour, for a day. A report may
 * arrive twice, under the same id.
 */
export async function sendErrorReports({
  db,
  clock,
  config: { errorReportUrl: address },
  log,
}: Pick<Services, "db" | "clock" | "config" | "log">): Promise<void> {
  const time = realTime(clock);
  const dropped = await db.withSystem((tx) => deleteOldReports(tx, new Date(time.now().getTime() - keptMs)));
  if (dropped > 0) log.warn({ dropped }, "error reports were dropped undelivered");
  if (!address) return;
  for (;;) {
    const due = await db.withSystem((tx) => claimDueReports(tx, time.now(), atOnce));
    if (due.length === 0) return;
    const reports = due.map(({ seen_at, ...report }) => ({ ...report, seen_at: seen_at.toISOString() }));
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reports }),
      // The operator has to configure a new address; reports never follow a redirect.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the error service answered ${answer.status}`);
    await db.withSystem((tx) =>
      removeReports(
        tx,
        due.map(({ id }) => id),
      ),
    );
  }
}

/** Passes the reports of a call or a file on: those about money to the inbox, the others to the feature of their port. */
import type { Services } from "../platform/services.ts";
import { isUnreadable, type UnreadableReport } from "../ports/connection.ts";
import type { Reporting } from "../ports/connections.ts";
import type { RailReport } from "../ports/rails.ts";

/**
 * Functions that validate and apply one report of a port beside the inbox, once however often it comes. A rejection
 * makes the service or the worker deliver the report again.
 */
export type ReportHandlers = Readonly<
  Record<
    Exclude<Reporting["port"], "rails" | "charges">,
    (services: Services, report: unknown) => Promise<void>
  >
>;

/** Applies every report it can; rejects with the failures, so that all reports are delivered again. */
export async function receiveReports(
  services: Services,
  handlers: ReportHandlers,
  { port, connection }: Reporting,
  reports: readonly unknown[],
  feed: "webhook" | "file",
): Promise<void> {
  const origin = { connection: connection.id, feed };
  // The inbox validates what an adapter returns.
  if (port === "rails" || port === "charges")
    return services.handleEvents(reports as readonly RailReport[], origin);
  const unreadable: UnreadableReport[] = reports.filter(isUnreadable);
  const failures: Error[] = [];
  const keep = (error: Error) => void failures.push(error);
  if (unreadable.length > 0) await services.handleEvents(unreadable, origin).catch(keep);
  for (const report of reports) if (!isUnreadable(report)) await handlers[port](services, report).catch(keep);
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
}

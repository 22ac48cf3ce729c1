import type { ResponseOf } from "@malote/contracts/contract";
import type { Notice } from "@malote/contracts/installation";
import { readStatusPage } from "@malote/contracts/status-page";
import { minuteMs } from "@malote/domain/durations";
import { listCurrentNotices, readShowsNotices } from "../operator/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { httpStatusPage } from "./http.ts";
import type { StatusPage } from "./port.ts";

type Status = ResponseOf<typeof readStatusPage>;

/** Cache time of the status page, in milliseconds, because every open page asks for it. */
const keptMs = minuteMs;
const nothing: Status = { incident: null, maintenance: null };

const pageOf = ({ statusUrl }: Services["config"]): StatusPage | undefined =>
  statusUrl ? httpStatusPage(statusUrl) : undefined;

export function statusPageRoutes(
  { serveOutside }: Serve,
  { clock, config, db, log }: Pick<Services, "clock" | "config" | "db" | "log">,
  page = pageOf(config),
): void {
  let last: { at: number; status: Promise<Status> } | undefined;
  serveOutside(readStatusPage, { queue: "none" }, async () => {
    const own = await db.withSystem(async (tx) => {
      // SHL-049: the sandbox shows no notices unless its operator enables them.
      if (config.sandbox && !(await readShowsNotices(tx))) return undefined;
      return announced(await listCurrentNotices(tx, clock.now()));
    });
    if (!own) return nothing;
    const outside = await ofPage();
    return {
      incident: own.incident ?? outside.incident,
      maintenance: own.maintenance ?? outside.maintenance,
    };
  });

  function ofPage(): Promise<Status> {
    if (!page) return Promise.resolve(nothing);
    const now = clock.now().getTime();
    if (!last || now - last.at >= keptMs || now < last.at) {
      const status = readStatus(page, config.statusUrl ?? "").catch((error: unknown) => {
        // SHL-053: a missing banner does no harm, and the next minute retries.
        log.warn({ err: error }, "cannot read the status page");
        return nothing;
      });
      last = { at: now, status };
    }
    return last.status;
  }
}

function announced(notices: readonly Notice[]): Status {
  const incident = notices.find(({ kind }) => kind === "incident");
  const maintenance = notices.find(({ kind }) => kind === "maintenance");
  return {
    incident: incident ? { name: incident.name, shortlink: incident.link } : null,
    maintenance: maintenance?.ends_at
      ? {
          name: maintenance.name,
          shortlink: maintenance.link,
          scheduled_for: maintenance.starts_at,
          scheduled_until: maintenance.ends_at,
        }
      : null,
  };
}

async function readStatus(page: StatusPage, statusUrl: string): Promise<Status> {
  const [incidents, [maintenance]] = await Promise.all([page.incidents(), page.maintenances()]);
  // SHL-053: the banner shows only open incidents.
  const open = incidents.find(({ resolvedAt }) => resolvedAt === null);
  return {
    incident: open ? { name: open.name, shortlink: open.shortlink } : null,
    maintenance: maintenance
      ? {
          name: maintenance.name,
          // SHL-047: a maintenance has no address of its own on the page.
          shortlink: statusUrl,
          scheduled_for: maintenance.scheduledFor,
          scheduled_until: maintenance.scheduledUntil,
        }
      : null,
  };
}

export const statusPageFeature: Feature = { routes: statusPageRoutes };

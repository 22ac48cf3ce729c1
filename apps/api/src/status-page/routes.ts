import type { ResponseOf } from "@malote/contracts/contract";
import { readStatusPage } from "@malote/contracts/status-page";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { httpStatusPage } from "./http.ts";
import type { StatusPage } from "./port.ts";

type Told = ResponseOf<typeof readStatusPage>;

/** Everybody who has a page open asks; the status page is asked once in this time. */
const keptMs = 60_000;
const nothing: Told = { incident: null, maintenance: null };

/** SHL-049: the sandbox plays no incidents. */
function pageOf({ statusUrl, sandbox }: Parts["config"]): StatusPage | undefined {
  return statusUrl && !sandbox ? httpStatusPage(statusUrl) : undefined;
}

export function statusPageRoutes(
  { serveOutside }: Serve,
  { clock, config, log }: Pick<Parts, "clock" | "config" | "log">,
  page = pageOf(config),
): void {
  let last: { at: number; told: Promise<Told> } | undefined;
  serveOutside(readStatusPage, () => {
    if (!page) return Promise.resolve(nothing);
    const now = clock.now().getTime();
    if (!last || now - last.at >= keptMs || now < last.at) {
      const told = tell(page).catch((error: unknown) => {
        // SHL-053: no banner is no harm, and the next minute asks again.
        log.warn({ err: error }, "reading the status page");
        return nothing;
      });
      last = { at: now, told };
    }
    return last.told;
  });
}

async function tell(page: StatusPage): Promise<Told> {
  const [incidents, [maintenance]] = await Promise.all([page.incidents(), page.maintenances()]);
  // SHL-053.
  const open = incidents.find(({ resolvedAt }) => resolvedAt === null);
  return {
    incident: open ? { name: open.name, shortlink: open.shortlink } : null,
    maintenance: maintenance
      ? {
          name: maintenance.name,
          scheduled_for: maintenance.scheduledFor,
          scheduled_until: maintenance.scheduledUntil,
        }
      : null,
  };
}

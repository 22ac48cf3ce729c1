/** Client of the API that status pages commonly offer. */
import { webAddress } from "@malote/contracts/wire";
import * as z from "zod";
import type { StatusPage } from "./port.ts";

/** Longest wait for a banner, in milliseconds. */
const timeoutMs = 3_000;

const instant = z.coerce.date().transform((moment) => moment.toISOString());
const incidents = z.object({
  incidents: z.array(
    z.object({ name: z.string(), resolved_at: z.string().nullish(), shortlink: webAddress }),
  ),
});
const maintenances = z.object({
  scheduled_maintenances: z.array(
    z.object({ name: z.string(), scheduled_for: instant, scheduled_until: instant }),
  ),
});

/** Creates the client. `address` is that of the status page. */
export function httpStatusPage(address: string): StatusPage {
  const base = new URL("api/v2/", address.endsWith("/") ? address : `${address}/`);
  async function read<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>> {
    const answer = await fetch(new URL(file, base), { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new Error(`the status page answered ${answer.status} for ${file}`);
    return schema.parse(await answer.json());
  }
  return {
    async incidents() {
      const found = await read("incidents.json", incidents);
      return found.incidents.map(({ name, resolved_at, shortlink }) => ({
        name,
        resolvedAt: resolved_at || null,
        shortlink,
      }));
    },
    async maintenances() {
      const found = await Promise.all([
        read("scheduled-maintenances/active.json", maintenances),
        read("scheduled-maintenances/upcoming.json", maintenances),
      ]);
      return found.flatMap(({ scheduled_maintenances }) =>
        scheduled_maintenances.map(({ name, scheduled_for, scheduled_until }) => ({
          name,
          scheduledFor: scheduled_for,
          scheduledUntil: scheduled_until,
        })),
      );
    },
  };
}

import { statusesAwaitingReport } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import { statusIn } from "../platform/db/status-in.ts";

/**
 * Routes, and payments under way, over a connection that this installation no longer has: their payments wait, safe and
 * unpaid, until it is configured again or the route changes. `connections`: those of the installation; undefined when
 * they are unknown.
 */
export const missingConnections = (connections: readonly string[] | undefined): RawBuilder<unknown> => sql`
  SELECT company_id, 'route of ' || method || ' over ' || connection AS place FROM payment_routes
  WHERE connection <> ALL(${connections ?? null}::text[])
  UNION ALL
  SELECT company_id, id || ' over ' || connection FROM transfers
  WHERE status = 'EXECUTING' AND sent_at IS NULL AND connection <> ALL(${connections ?? null}::text[])
  UNION ALL
  SELECT company_id, id || ' over ' || connection FROM transfers
  WHERE ask_at IS NOT NULL AND status IN ${statusIn(statusesAwaitingReport)}
    AND connection <> ALL(${connections ?? null}::text[])`;

export const missingConnectionRule = "what carries payments is a connection of this installation";

/** Resolves an order that the network names by its own number to our company and key. */
import { findOrders } from "../payouts/index.ts";
import { isUnavailable } from "../platform/db/unavailable.ts";
import type { Services } from "../platform/services.ts";
import { isReferredEvent, type Origin, type ReferredEvent } from "../ports/rails.ts";

export interface Unresolved {
  event: ReferredEvent;
  why: string;
}

interface Resolved {
  events: unknown[];
  unresolved: Unresolved[];
}

/**
 * Resolves references to our keys. An event may arrive before the answer that explains its reference; that event is
 * retried.
 */
export async function resolveReferences(
  services: Pick<Services, "db">,
  origin: Origin,
  received: readonly unknown[],
): Promise<Resolved> {
  const referred = received.filter(isReferredEvent);
  const { events, unresolved } = await findOrHalve(services, origin, referred);
  return { events: [...received.filter((one) => !isReferredEvent(one)), ...events], unresolved };
}

/** Looks references up together and, when that fails, in halves, so that one failing lookup delays no other. */
async function findOrHalve(
  services: Pick<Services, "db">,
  origin: Origin,
  referred: readonly ReferredEvent[],
): Promise<Resolved> {
  const [first] = referred;
  if (!first) return { events: [], unresolved: [] };
  try {
    return await findReferred(services, origin, referred);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (referred.length === 1)
      return { events: [], unresolved: [{ event: first, why: (error as Error).message }] };
    const middle = Math.ceil(referred.length / 2);
    const one = await findOrHalve(services, origin, referred.slice(0, middle));
    const other = await findOrHalve(services, origin, referred.slice(middle));
    return {
      events: [...one.events, ...other.events],
      unresolved: [...one.unresolved, ...other.unresolved],
    };
  }
}

async function findReferred(
  { db }: Pick<Services, "db">,
  origin: Origin,
  referred: readonly ReferredEvent[],
): Promise<Resolved> {
  const names = referred.map(({ order }, n) => ({
    n,
    ...("key" in order ? { key: order.key } : { kind: order.reference.kind, value: order.reference.value }),
  }));
  const rows = await db.withSystem((tx) => findOrders(tx, origin.connection, names));
  const found = new Map(rows.map((row) => [row.n, row]));
  const resolved: unknown[] = [];
  const unresolved: Unresolved[] = [];
  for (const [n, event] of referred.entries()) {
    const one = found.get(n);
    if (one?.orders === 1)
      resolved.push({ ...event, order: undefined, companyId: one.company_id, endToEndId: one.key });
    else
      unresolved.push({
        event,
        why: one?.orders ? "several orders have this reference" : "no order has this reference",
      });
  }
  return { events: resolved, unresolved };
}

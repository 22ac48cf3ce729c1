/** Notifies open pages of companies' new events. One query a second serves every page of this process. */
import type { EventType } from "@malote/contracts/events";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Log } from "../log.ts";

export type OnChange = (types: readonly EventType[]) => void;

const everyMs = 1_000;

interface Head {
  company_id: string;
  type: EventType;
  position: number;
}

const readHeads = async ({ withSystem }: Pick<Database, "withSystem">, companyIds: readonly string[]) =>
  withSystem(async (tx) => {
    const { rows } = await sql<Head>`
      SELECT company_id, type, position FROM event_heads WHERE company_id = ANY(${[...companyIds]}::uuid[])
    `.execute(tx);
    return rows;
  });

/** Watches for changes. Only committed events have positions, so pages can read what is announced. */
export function watchChanges({ db, log }: { db: Pick<Database, "withSystem">; log: Log }) {
  const followers = new Map<string, Set<OnChange>>();
  const known = new Map<string, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function readChanges(): Promise<void> {
    const watched = [...followers.keys()];
    const heads = Map.groupBy(await readHeads(db, watched), ({ company_id }) => company_id);
    for (const companyId of watched) {
      const own = heads.get(companyId) ?? [];
      const before = known.get(companyId);
      known.set(companyId, new Map(own.map(({ type, position }) => [type, position])));
      // On the first look there is nothing to compare with.
      if (!before) continue;
      const types = own
        .filter(({ type, position }) => position > (before.get(type) ?? 0))
        .map(({ type }) => type);
      if (types.length > 0) for (const onChange of followers.get(companyId) ?? []) onChange(types);
    }
  }

  function plan(): void {
    if (timer || isStopped || followers.size === 0) return;
    timer = setTimeout(async () => {
      await readChanges().catch((error: unknown) => log.warn({ err: error }, "cannot read new events"));
      timer = undefined;
      plan();
    }, everyMs);
    timer.unref();
  }

  return {
    /**
     * Follows a company's changes. Resolves once the current positions are known, with a function that stops following.
     */
    async follow(companyId: string, onChange: OnChange): Promise<() => void> {
      if (!known.has(companyId)) {
        const heads = await readHeads(db, [companyId]);
        if (!known.has(companyId))
          known.set(companyId, new Map(heads.map(({ type, position }) => [type, position])));
      }
      const own = followers.get(companyId) ?? new Set();
      followers.set(companyId, own.add(onChange));
      plan();
      return () => {
        own.delete(onChange);
        // Once all have left, later followers use a set of their own.
        if (own.size > 0 || followers.get(companyId) !== own) return;
        followers.delete(companyId);
        known.delete(companyId);
      };
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
export type ChangeWatch = ReturnType<typeof watchChanges>;

/** Settings of the sandbox, in one row that every process shares. */
import type { railSettings } from "@malote/contracts/simulator";
import { sql } from "kysely";
import type * as z from "zod";
import type { AnyTx } from "../../../platform/db/database.ts";
import { onlyRow } from "../../../platform/db/only-row.ts";

export type RailSettings = z.output<typeof railSettings>;
const columns = sql`
  pix_latency_ms, failure_percent::float8, timeout_percent::float8, duplicate_percent::float8
`;

export async function readSettings(tx: AnyTx): Promise<RailSettings> {
  return onlyRow(await sql<RailSettings>`SELECT ${columns} FROM sandbox.settings`.execute(tx));
}

/** Changes the given settings and leaves the others. */
export async function changeSettings(
  tx: AnyTx,
  changes: { [K in keyof RailSettings]?: RailSettings[K] | undefined },
): Promise<RailSettings> {
  const updated = await sql<RailSettings>`
    UPDATE sandbox.settings SET
      pix_latency_ms = coalesce(${changes.pix_latency_ms ?? null}::int, pix_latency_ms),
      failure_percent = coalesce(${changes.failure_percent ?? null}::numeric, failure_percent),
      timeout_percent = coalesce(${changes.timeout_percent ?? null}::numeric, timeout_percent),
      duplicate_percent = coalesce(${changes.duplicate_percent ?? null}::numeric, duplicate_percent)
    RETURNING ${columns}
  `.execute(tx);
  return onlyRow(updated);
}

export async function readClockAhead(tx: AnyTx): Promise<number> {
  const row = onlyRow(
    await sql<{ ahead: number }>`
    SELECT clock_ahead_ms AS ahead FROM sandbox.settings
  `.execute(tx),
  );
  return row.ahead;
}

/** Moves the clock forward only, also under concurrent calls. Returns how far ahead the clock is afterwards. */
export async function moveClockAhead(tx: AnyTx, aheadMs: number): Promise<number> {
  const row = onlyRow(
    await sql<{ ahead: number }>`
    UPDATE sandbox.settings SET clock_ahead_ms = greatest(clock_ahead_ms, ${Math.ceil(aheadMs)})
    RETURNING clock_ahead_ms AS ahead
  `.execute(tx),
  );
  return row.ahead;
}

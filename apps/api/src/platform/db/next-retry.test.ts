import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openOneConnection } from "../../testing/one-connection.ts";
import type { Database } from "./database.ts";
import { nextRetryAt } from "./next-retry.ts";

let db: Database;
beforeAll(async () => {
  db = await openOneConnection();
});
afterAll(() => db.close());

const now = new Date("2026-08-12T12:00:00Z");
async function waits(tries: readonly number[], steps?: Parameters<typeof nextRetryAt>[2]): Promise<number[]> {
  const found: number[] = [];
  for (const many of tries) {
    const { rows } = await db.withSystem((tx) =>
      sql<{ at: Date }>`SELECT ${nextRetryAt(now, sql`${many}::int`, steps)} AS at`.execute(tx),
    );
    found.push(...rows.map(({ at }) => (at.getTime() - now.getTime()) / 1000));
  }
  return found;
}

it("waits twice as long each time, up to a maximum, however often it failed", async () => {
  expect(await waits([0, 1, 2, 8, 9, 100_000])).toEqual([10, 20, 40, 2_560, 3_600, 3_600]);
  expect(await waits([0, 1, 8, 9], { firstSeconds: 120, longestSeconds: 21_600 })).toEqual([
    120, 240, 21_600, 21_600,
  ]);
});

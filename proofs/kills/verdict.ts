/** What is asked after each kill, and at the end of all. */
import { readFileSync } from "node:fs";
import type pg from "pg";
import { drain } from "./drain.ts";
import { books, withClient } from "./postgres-of.ts";
import { lostOperations, moneyFaults, restFaults } from "./questions.ts";
import { missedPlants, plantCount } from "./teeth.ts";
import type { World } from "./world.ts";

/** Everything acknowledged is there, nothing was paid twice, and the books add up. */
export async function checkNow(connection: pg.ClientConfig, world: World): Promise<string[]> {
  const lost = await withClient(connection, async (client) => [
    ...(await lostOperations(client, world)),
    ...(await moneyFaults(client)),
  ]);
  return [...lost, ...(await books(connection))];
}

export interface LastWord {
  faults: string[];
  orders: number;
  acknowledged: number;
  planted: { count: number; missed: string[] };
}

/** All work runs out, every centavo is accounted for, and the questions show that they would have noticed. */
export async function lastWord(
  connection: pg.ClientConfig,
  world: World,
  logFiles: readonly string[],
): Promise<LastWord> {
  await drain(connection, world);
  const { faults, orders, missed } = await withClient(connection, async (client) => ({
    faults: [
      ...(await lostOperations(client, world)),
      ...(await moneyFaults(client)),
      ...(await restFaults(client, world)),
    ],
    orders: await countOrders(client),
    missed: await missedPlants(client, world),
  }));
  return {
    // What was lost comes first, where only the first are shown.
    faults: [
      ...faults,
      ...(await books(connection)),
      ...logFiles.flatMap((file) => unexpectedErrors(file)),
      ...world.faults,
    ],
    orders,
    acknowledged: world.acknowledged.length + world.deposits.size,
    planted: { count: plantCount, missed },
  };
}

async function countOrders(client: pg.Client): Promise<number> {
  const { rows } = await client.query("SELECT count(*)::int AS count FROM sandbox.orders");
  return rows[0].count;
}

/** Errors the product did not expect stand in its log as such. */
function unexpectedErrors(logFile: string): string[] {
  const unexpected = readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes('"msg":"unexpected error"') || line.includes('"books check"'));
  return [...new Set(unexpected)].slice(0, 5).map((line) => `logged: ${line.slice(0, 400)}`);
}

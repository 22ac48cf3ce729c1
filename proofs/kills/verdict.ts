/** Checks after each kill, and at the end of all. */
import { readFileSync } from "node:fs";
import type pg from "pg";
import { drain } from "./drain.ts";
import { missedPlants, plantCount } from "./planted-faults.ts";
import { books, withClient } from "./postgres-of.ts";
import { lostOperations, moneyFaults, restFaults } from "./questions.ts";
import type { Workload } from "./workload.ts";

/** Checks that everything acknowledged is there, nothing was paid twice, and the books balance. */
export async function checkNow(connection: pg.ClientConfig, workload: Workload): Promise<string[]> {
  const lost = await withClient(connection, async (client) => [
    ...(await lostOperations(client, workload)),
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

/** Completes all work, checks every centavo, and verifies by planted faults that the checks would notice. */
export async function lastWord(
  connection: pg.ClientConfig,
  workload: Workload,
  logFiles: readonly string[],
): Promise<LastWord> {
  await drain(connection, workload);
  const { faults, orders, missed } = await withClient(connection, async (client) => ({
    faults: [
      ...(await lostOperations(client, workload)),
      ...(await moneyFaults(client)),
      ...(await restFaults(client, workload)),
    ],
    orders: await countOrders(client),
    missed: await missedPlants(client, workload),
  }));
  return {
    // Losses come first, because only the first faults are shown.
    faults: [
      ...faults,
      ...(await books(connection)),
      ...logFiles.flatMap((file) => unexpectedErrors(file)),
      ...workload.faults,
    ],
    orders,
    acknowledged: workload.acknowledged.length + workload.deposits.size,
    planted: { count: plantCount, missed },
  };
}

async function countOrders(client: pg.Client): Promise<number> {
  const { rows } = await client.query("SELECT count(*)::int AS count FROM sandbox.orders");
  return rows[0].count;
}

/** Returns errors that the product did not expect, which its log marks. */
function unexpectedErrors(logFile: string): string[] {
  const unexpected = readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes('"msg":"unexpected error"') || line.includes("books check"));
  return [...new Set(unexpected)].slice(0, 5).map((line) => `logged: ${line.slice(0, 400)}`);
}

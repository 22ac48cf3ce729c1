/**
 * P5: closes of one company, each of which locks the same accounts, by more and more clients. More clients must not do
 * less work: the floor is our own best rate at any number of clients.
 */
import { randomUUID } from "node:crypto";
import { expectOk, ratePerSecond } from "./http-client.ts";
import { median, print } from "./kit.ts";
import { addCompanies, addDrafts, signInEverybody, startServer } from "./web-server.ts";

const clientCounts = [1, 8, 32, 64];
const most = 64;
const rounds = 5;
const closesPerRound = 200;
await using server = await startServer();
const companyIds = await addCompanies(server.db, 1, 1_000_000_00);
const [person] = await signInEverybody(server.db, companyIds);
if (!person) throw new Error("the sign-in failed");

async function rateOf(clients: number): Promise<number> {
  const drafts = await addDrafts(server.db, companyIds, { drafts: closesPerRound, payments: 1 });
  return ratePerSecond(server.url, clients, drafts, async (client, { batchId }) => {
    const headers = { ...person?.headers, "idempotency-key": randomUUID() };
    expectOk(await client.send("POST", `/api/payments/batch/${batchId}/close`, headers));
  });
}

const rates = new Map<number, number[]>(clientCounts.map((clients) => [clients, []]));
// One unmeasured run: it compiles code, opens connections and makes plans.
for (const clients of clientCounts) await rateOf(clients);
await server.db.pool.query("VACUUM ANALYZE");
for (let round = 0; round < rounds; round++)
  for (const clients of clientCounts) rates.get(clients)?.push(await rateOf(clients));

const middle = new Map(clientCounts.map((clients) => [clients, median(rates.get(clients) ?? [])]));
print("P5", {
  unit: "closes/s",
  n: closesPerRound,
  rounds,
  ours: middle.get(most) ?? Number.NaN,
  floor: Math.max(...middle.values()),
  by_clients: Object.fromEntries(middle),
});

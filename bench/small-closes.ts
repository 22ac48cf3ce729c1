/**
 * P4: small closes over HTTP, sixteen clients, drafts of ten payments spread over a thousand companies. The floor is a
 * bare Fastify that runs the minimal SQL of a close by prepared statements (bare-server.ts). Both are separate
 * processes.
 */
import { randomUUID } from "node:crypto";
import { startBare } from "./bare.ts";
import { expectOk, ratePerSecond } from "./http-client.ts";
import { compareRates, print } from "./kit.ts";
import { addCompanies, addDrafts, type Draft, signInEverybody, startServer } from "./web-server.ts";

const companies = 1_000;
const clients = 16;
const rounds = 9;
const closesPerRound = 400;
await using server = await startServer();
await using bare = await startBare({ DATABASE_URL: server.databaseUrl });
const companyIds = await addCompanies(server.db, companies, 1_000_000_00);
const people = await signInEverybody(server.db, companyIds);
await server.db.pool.query("VACUUM ANALYZE");
const headersOf = new Map(people.map(({ companyId, headers }) => [companyId, headers]));

let drafts: Draft[] = [];
const prepare = async () => {
  drafts = await addDrafts(server.db, drawn(), { drafts: 1, payments: 10 });
};
/** Returns a slice of the companies, each time the next one, so that all of them take part. */
let first = 0;
function drawn(): string[] {
  const stretch = Array.from({ length: closesPerRound }, (_, n) => companyIds[(first + n) % companies] ?? "");
  first += closesPerRound;
  return stretch;
}

const figures = await compareRates(
  { rounds, tasks: closesPerRound, databasePid: server.databasePid },
  {
    pid: server.pid,
    prepare,
    rate: () =>
      ratePerSecond(server.url, clients, drafts, async (client, { companyId, batchId }) => {
        const headers = { ...headersOf.get(companyId), "idempotency-key": randomUUID() };
        expectOk(await client.send("POST", `/api/payments/batch/${batchId}/close`, headers));
      }),
  },
  {
    pid: bare.pid,
    prepare,
    rate: () =>
      ratePerSecond(bare.url, clients, drafts, async (client, { companyId, batchId }) => {
        expectOk(
          await client.send("POST", `/close/${companyId}/${batchId}`, { "idempotency-key": randomUUID() }),
        );
      }),
  },
);
print("P4", { unit: "closes/s", n: closesPerRound, rounds, ...figures, clients, companies });

/**
 * P15: one company reads a draft of a hundred thousand wrong payments over forty connections, requests large files, or
 * imports as many; meanwhile a neighbour reads their balance and closes small batches. Quiet and loud periods alternate
 * in one run, and `ratio` is the worst p99 of loud over quiet. No neighbour may be refused.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildXlsx } from "./big-sheet.ts";
import { type HttpClient, openClient } from "./http-client.ts";
import { print, quantile } from "./kit.ts";
import { addCompanies, addDrafts, type Draft, signInEverybody, startServer } from "./web-server.ts";

const rounds = 2;
const payments = 100_000;
const quietMs = 2_000;
const loudMs = 4_000;
const readEveryMs = 10;
const closeEveryMs = 150;
const drafts = 4_000;

await using server = await startServer("none");
const web = await server.another("all");
const [noisy = "", neighbour = ""] = await addCompanies(server.db, 2, 1_000_000_00);
const people = await signInEverybody(server.db, [noisy, neighbour]);
const headersOf = (companyId: string) => people.find((one) => one.companyId === companyId)?.headers ?? {};
const [heavy] = await addDrafts(server.db, [noisy], { drafts: 1, payments });
if (!heavy) throw new Error("no draft was made");
await server.db.pool.query(
  `UPDATE transfers SET errors = '[{"code":"pix_key_invalid","field":"pix_key","given":"x"}]' WHERE batch_id = $1`,
  [heavy.batchId],
);
await server.db.pool.query("UPDATE batches SET errors_count = payments_count WHERE id = $1", [heavy.batchId]);
const toClose: Draft[] = await addDrafts(server.db, [neighbour], { drafts, payments: 3 });
await server.db.pool.query("VACUUM ANALYZE");

const api = "/api/payments";
const batch = `${api}/app/batch/${heavy.batchId}`;
const loudHeaders = headersOf(noisy);

interface Abuse {
  connections: number;
  /** Returns the request that one connection repeats. */
  ask(client: HttpClient): Promise<{ status: number }>;
}
const reading = (path: string): Abuse => ({
  connections: 40,
  ask: (client) => client.send("GET", path, loudHeaders),
});
const sheet = buildXlsx();
const today = new Date().toISOString().slice(0, 10);
const json = { ...loudHeaders, "content-type": "application/json" };

/** The load of attack H2. A repeated request for files is refused above its limit, which counts as an answer. */
const abuses: Record<string, Abuse> = {
  late_page_of_search: reading(`${batch}/transfer?search=a&page=1900`),
  search_of_nothing: reading(`${batch}/transfer?search=zzzz`),
  validate: reading(`${api}/batch/${heavy.batchId}/transfer/validate`),
  issues: reading(`${batch}/issues`),
  files: {
    connections: 8,
    ask: (client) => client.send("GET", `${api}/batch/${heavy.batchId}/report?format=xlsx`, loudHeaders),
  },
  reports: {
    connections: 8,
    ask: (client) =>
      client.send(
        "POST",
        `${api}/app/payout_reports`,
        json,
        JSON.stringify({ created_at__gte: today, created_at__lte: today, status__in: ["CREATED"] }),
      ),
  },
  import: { connections: 1, ask: importOnce },
};

async function importOnce(): Promise<{ status: number }> {
  const form = new FormData();
  form.set("fileName", "folha.xlsx");
  form.set("file", new Blob([new Uint8Array(sheet)]), "folha.xlsx");
  const { authorization = "" } = loudHeaders;
  const upload = await fetch(`${web.url}${api}/batch/sheet/upload`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  const { id } = (await upload.json()) as { id: string };
  const asked = await fetch(`${web.url}${api}/batch/spreadsheet`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ sheet_id: id }),
  });
  await asked.arrayBuffer();
  await sleep(2_000);
  return { status: asked.status };
}

type Mood = "quiet" | "loud";
interface Times {
  reads: number[];
  closes: number[];
}
let refusals = 0;
let mood: Mood | "between" = "between";
let now: Record<Mood, Times> = empty();
function empty(): Record<Mood, Times> {
  return { quiet: { reads: [], closes: [] }, loud: { reads: [], closes: [] } };
}

/** Makes calls at its own pace until it is stopped; a call that spans a change of period counts as loud. */
async function repeatCall(
  kind: keyof Times,
  everyMs: number,
  ask: (client: HttpClient) => Promise<{ status: number }>,
) {
  const client = await openClient(web.url);
  while (!ended) {
    const during = mood;
    const began = performance.now();
    const { status } = await ask(client);
    if (status !== 200) refusals++;
    const counted = during === "quiet" && mood === "loud" ? "loud" : during;
    if (counted !== "between") now[counted][kind].push(performance.now() - began);
    await sleep(everyMs);
  }
  client.close();
}
let ended = false;
/** Kept until the end, so that server and database are stopped. */
let failure: unknown;
const quietHeaders = headersOf(neighbour);
const watching = [
  repeatCall("reads", readEveryMs, (client) => client.send("GET", `${api}/statement/balance`, quietHeaders)),
  repeatCall("closes", closeEveryMs, (client) => {
    const next = toClose.pop();
    if (!next) throw new Error("no drafts left to close");
    return client.send("POST", `${api}/batch/${next.batchId}/close`, {
      ...quietHeaders,
      "idempotency-key": randomUUID(),
    });
  }),
].map((one) =>
  one.catch((error: unknown) => {
    failure = error;
  }),
);

async function loudly({ connections, ask }: Abuse): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const until = performance.now() + loudMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await openClient(web.url);
      while (performance.now() < until) {
        const { status } = await ask(client);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // A refusal takes no time, and no real client makes a thousand calls per second.
        if (status !== 200) await sleep(50);
      }
      client.close();
    }),
  );
  return statuses;
}

const figures: Record<string, { quiet: Times; loud: Times; answers: Record<number, number> }> = {};
for (let round = 0; round < rounds; round++) {
  for (const [name, abuse] of Object.entries(abuses)) {
    now = empty();
    mood = "quiet";
    await sleep(quietMs);
    mood = "loud";
    const answers = await loudly(abuse);
    mood = "between";
    await sleep(500);
    process.stderr.write(`P15  round ${round + 1}: ${name} ${JSON.stringify(answers)}\n`);
    const found = figures[name] ?? { ...empty(), answers: {} };
    figures[name] = found;
    for (const kind of ["reads", "closes"] as const) {
      found.quiet[kind].push(...now.quiet[kind]);
      found.loud[kind].push(...now.loud[kind]);
    }
    for (const [status, count] of Object.entries(answers))
      found.answers[Number(status)] = (found.answers[Number(status)] ?? 0) + count;
  }
}
ended = true;
await Promise.all(watching);
if (failure) throw failure;

const p99 = (times: readonly number[]) => quantile(times, 0.99);
const all = Object.values(figures);
const quiet = {
  reads: p99(all.flatMap(({ quiet }) => quiet.reads)),
  closes: p99(all.flatMap(({ quiet }) => quiet.closes)),
};
const each = Object.fromEntries(
  Object.entries(figures).map(([name, { loud, answers }]) => [
    name,
    { reads_p99_ms: p99(loud.reads), closes_p99_ms: p99(loud.closes), answers },
  ]),
);
const worst = (kind: keyof Times) => Math.max(...all.map(({ loud }) => p99(loud[kind])));
print("P15", {
  unit: "ms",
  ours: worst("reads"),
  floor: quiet.reads,
  n: payments,
  rounds,
  ratio: Math.max(worst("reads") / quiet.reads, worst("closes") / quiet.closes),
  ratio_reads: worst("reads") / quiet.reads,
  ratio_closes: worst("closes") / quiet.closes,
  quiet_reads_p99_ms: quiet.reads,
  quiet_closes_p99_ms: quiet.closes,
  refusals,
  each,
});

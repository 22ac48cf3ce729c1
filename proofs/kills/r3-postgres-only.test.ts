/** PostgreSQL dies and the server survives: callers get a request to retry meanwhile, and are soon served again. */
import { setTimeout as sleep } from "node:timers/promises";
import { listBatches } from "@malote/contracts/batches";
import { send } from "../../e2e/api.ts";
import { createMalote, type Server } from "../../e2e/server.ts";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { connectionOf, killPostgres, killPostmaster, withClient } from "./postgres-of.ts";
import { at } from "./times.ts";
import { checkNow, lastWord } from "./verdict.ts";
import { startWork } from "./work.ts";
import type { Workload } from "./workload.ts";
import { missedAnswers, plantedAnswerCount } from "./wrong-answers.ts";

const servingMsMax = 1_000;
const backMsMax = 30_000;
const lookEveryMs = 5;

proof(
  "R3",
  "answers only 503 with Retry-After while PostgreSQL is down, and recovers without a restart",
  { unit: "kills of PostgreSQL", short: 1, reduced: 25, full: 200 },
  async ({ count, size, seed, report }) => {
    const chance = chanceOf(seed);
    const server = await createMalote({ MALOTE_LOG: "warn" });
    try {
      await server.start();
      const { workload, finish } = await startWork(server.url, seed, { cuts: false, unavailable: true });
      const pid = server.pid();
      const backMs: number[] = [];
      const servingMs: number[] = [];
      for (let kill = 1; kill <= count; kill++) {
        await sleep(chance.between(100, 800));
        const killedAt = performance.now();
        // The main process alone is the harder case: its children hold the data for a moment longer.
        if (kill % 2 === 0) killPostmaster(server);
        else killPostgres(server);
        await until(() => takesConnections(server));
        const back = performance.now();
        await until(() => serves(workload));
        servingMs.push(performance.now() - back);
        backMs.push(back - killedAt);
        workload.faults.push(...(await checkNow(connectionOf(server), workload)));
        if (kill % 10 === 0) report(`${kill} kills, ${workload.faults.length} faults`);
      }
      if (server.pid() !== pid) workload.faults.push("the server did not live through it");
      await finish();

      const { faults, acknowledged, planted } = await lastWord(connectionOf(server), workload, [
        server.logFile,
      ]);
      const worst = at(servingMs, 1);
      // A few kills on a machine that runs other tests too prove nothing about time.
      if (size !== "short" && worst > servingMsMax)
        faults.push(`served again only ${worst} ms after it was back`);
      const missed = [...planted.missed, ...(await missedAnswers())];
      return {
        faults,
        figures: {
          acknowledged,
          asked_to_come_back: workload.answers["503 unavailable"] ?? 0,
          back_p50_ms: at(backMs, 0.5),
          serving_p50_ms: at(servingMs, 0.5),
          serving_worst_ms: worst,
          slowest_request_ms: workload.slowestMs,
        },
        planted: { count: planted.count + plantedAnswerCount, missed },
      };
    } finally {
      await server.stop();
    }
  },
);

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + backMsMax;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not back within ${backMsMax} ms`);
    await sleep(lookEveryMs);
  }
}

async function takesConnections(server: Server): Promise<boolean> {
  try {
    await withClient(connectionOf(server), (client) => client.query("SELECT 1"));
    return true;
  } catch {
    return false;
  }
}

async function serves(workload: Workload): Promise<boolean> {
  const token = workload.companies[0]?.admin.token;
  const query = { initialDate: "2020-01-01", endDate: "2099-12-31" };
  const answer = await send(workload.url, token, listBatches, { query });
  return answer.done !== undefined;
}

/**
 * One analyst of one company reads a large draft over forty connections; another company continues to read its balance
 * and to close batches, waits behind few of those calls and is refused none. P15 measures its times at full size.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { listIssueGroups } from "@malote/contracts/batch-issues";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, renameBatch, validateBatch } from "@malote/contracts/batches";
import { readBatchChecks } from "@malote/contracts/checks";
import type { Contract } from "@malote/contracts/contract";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance } from "@malote/contracts/statement";
import { listTransfers } from "@malote/contracts/transfers";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { type CallInput, send, signIn } from "../../e2e/api.ts";
import { createMalote, type Server } from "../../e2e/server.ts";
import { connectionOf, withClient } from "../kills/postgres-of.ts";
import { proof } from "../proof.ts";
import { faultsOf, type Met, part } from "./judge.ts";

const connections = 40;
const loudMs = 2_500;
const [aurora, horizonte] = demoCompanies;

interface Look {
  contract: Contract;
  query?: Record<string, string>;
  /** True when the draft changes all the time. */
  isChanged?: true;
}
const looks: Readonly<Record<string, Look>> = {
  "a late page of a search": { contract: listTransfers, query: { search: "a", page: "300" } },
  "a search that finds nothing": { contract: listTransfers, query: { search: "zzzz" } },
  "checking a draft": { contract: validateBatch },
  "the mistakes of a draft": { contract: listIssueGroups },
  // Each change of the draft discards the stored findings, so that they are computed again.
  "the checks of a draft": { contract: readBatchChecks, isChanged: true },
};

proof(
  "S13",
  "answers another company's reads and payments while a company makes as many calls as it can",
  { unit: "wrong payments", short: 30_000, reduced: 100_000, full: 100_000 },
  async ({ count, report }) => {
    const server = await createMalote({ MALOTE_LOG: "error" });
    try {
      await server.start();
      const noisy = await signIn(server.url, emailOf(horizonte, "analyst"));
      const admin = await signIn(server.url, emailOf(horizonte, "admin"));
      const neighbour = await signIn(server.url, emailOf(aurora, "admin"));
      const made = await send(server.url, admin, createBatch, { body: { name: "Folha" } });
      const draft = JSON.parse(made.text) as { id: string };
      await fill(server, draft.id, count);
      await send(server.url, undefined, depositPix, {
        body: { pix_key: aurora?.pixKeys[0]?.key ?? "", value: 1_000_000 },
      });

      const faults: string[] = [];
      const figures: Record<string, number> = {};
      for (const [what, look] of Object.entries(looks)) {
        const flood = floodOf(server.url, noisy, { ...look, params: { id: draft.id } });
        const changing = look.isChanged ? changes(server.url, admin, draft.id) : undefined;
        const met = await beside(server.url, neighbour, flood);
        await changing?.stop();
        faults.push(...faultsOf(what, met));
        // Without a waiting caller the result proves nothing either.
        if (flood.answered < connections) faults.push(`${what} was answered ${flood.answered} times`);
        figures[`${what}, waited behind (p95)`] = part(met.overtaken, 0.95);
        report(`${what}: ${flood.answered} answers, the neighbour behind ${part(met.overtaken, 0.95)}`);
      }
      return { faults, figures, planted: plant() };
    } finally {
      await server.stop();
    }
  },
);

const emailOf = (company: typeof aurora, profile: string): string =>
  company?.users.find((user) => user.profile === profile)?.email ?? "";

async function fill(server: Server, batchId: string, count: number): Promise<void> {
  await withClient(connectionOf(server), async (client) => {
    await client.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, tax_id, pix_key_type,
         pix_key, errors, created_at)
       SELECT company_id, uuidv7(), id, n, 'CREATED', 100, 'PIX', 'Pessoa ' || n, '52998224725', 'EMAIL', 'p' || n || '@x.example',
         '[{"code":"pix_key_invalid","field":"pix_key","given":"x"}]', now()
       FROM batches, generate_series(1, $2::int) n WHERE id = $1`,
      [batchId, count],
    );
    await client.query(
      "UPDATE batches SET payments_count = $2::int, errors_count = $2::int, value = 100 * $2::int WHERE id = $1",
      [batchId, count],
    );
    await client.query("ANALYZE transfers");
  });
}

/** Renames the draft repeatedly until it is stopped. */
function changes(url: string, token: string, id: string): { stop(): Promise<void> } {
  let isOver = false;
  const renaming = (async () => {
    for (let times = 1; !isOver; times++) {
      await send(url, token, renameBatch, { params: { id }, body: { name: `Folha ${times}` } });
      await sleep(200);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await renaming;
    },
  };
}

interface Flood {
  /** Answers to the company that makes as many calls as it can. */
  answered: number;
  run(): Promise<void>;
}

/** Runs the neighbour at their own pace, beside another company's load. */
async function beside(url: string, token: string, flood: Flood): Promise<Met> {
  const met = { overtaken: [] as number[], refused: [] as string[] };
  let isOver = false;
  const asked = async (ask: () => Promise<{ done: unknown; status: number; text: string }>) => {
    const before = flood.answered;
    const { done, status, text } = await ask();
    met.overtaken.push(flood.answered - before);
    if (!done) met.refused.push(`${status} ${text.slice(0, 200)}`);
  };
  const reading = (async () => {
    for (; !isOver; await sleep(15)) await asked(() => send(url, token, readBalance));
  })();
  const closing = (async () => {
    for (; !isOver; await sleep(100)) {
      const id = randomUUID();
      const destination_bank_account = {
        name: "Ana Lima",
        pix_key_type: "EMAIL" as const,
        pix_key: "ana@exemplo.com.br",
      };
      const body = { id, name: "Pequeno", transfers: [{ value: 100, destination_bank_account }] };
      await asked(() => send(url, token, createBatch, { body }));
      // The same findings again and again: the person confirms them and continues.
      const checks = await send(url, token, readBatchChecks, { params: { id } });
      if (!checks.done) throw new Error(checks.text);
      const confirmations = checks.done.missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
      await asked(() => send(url, token, closeBatch, { params: { id }, body: { confirmations } }));
    }
  })();
  await flood.run();
  isOver = true;
  await Promise.all([reading, closing]);
  return met;
}

/** Starts the load; a caller who gets a request to retry later does so, as a program would. */
function floodOf(
  url: string,
  token: string,
  { contract, params, query = {} }: Look & { params: Record<string, string> },
): Flood {
  const input = { params, query } as unknown as CallInput<Contract>;
  const flood: Flood = {
    answered: 0,
    async run() {
      const until = performance.now() + loudMs;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (performance.now() < until) {
            const { status } = await send(url, token, contract, input);
            if (status === 429) await sleep(200);
            else flood.answered++;
          }
        }),
      );
    },
  };
  return flood;
}

function plant(): { count: number; missed: string[] } {
  const calm = Array.from({ length: 100 }, () => 2);
  const found: Record<string, boolean> = {
    "a neighbour behind all connections":
      faultsOf("x", { overtaken: calm.map(() => connections), refused: [] }).length > 0,
    "a neighbour who is refused":
      faultsOf("x", { overtaken: calm, refused: ["readBalance: 503"] }).length > 0,
    "a neighbour that sent no request": faultsOf("x", { overtaken: [], refused: [] }).length > 0,
    "a neighbour who is well": faultsOf("x", { overtaken: calm, refused: [] }).length === 0,
  };
  return {
    count: Object.keys(found).length,
    missed: Object.entries(found).flatMap(([name, caught]) => (caught ? [] : [name])),
  };
}

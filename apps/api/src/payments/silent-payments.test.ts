/**
 * Payments that the network accepted without a later report: it is queried, and its answer is applied like an event.
 */
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listCompaniesWithSilentPayments } from "../payouts/index.ts";
import {
  auroraId,
  batch,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { askAboutSilentPayments } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const refusedKey = { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
const returning = "61420738526";
const ask = () => askAboutSilentPayments(kit.services, { companyId: auroraId });

/** The payments are sent, and every event of the network is lost. */
async function silent(transfers: Parameters<typeof paidFor>[1]): Promise<string> {
  const id = await paidFor(kit, transfers);
  await kit.drainJobs();
  await loseEvents();
  return id;
}
const loseEvents = () =>
  kit.services.db.withSandbox((tx) =>
    sql`UPDATE sandbox.events SET delivered_at = ${kit.clock.now()} WHERE delivered_at IS NULL`.execute(tx),
  );

/** Counts the ids the network is asked about. */
function countQuestions(): { requested: number[] } {
  const { rails } = kit.services;
  const requested: number[] = [];
  kit.services.rails = {
    ...rails,
    find(ids) {
      requested.push(ids.length);
      return rails.find(ids);
    },
  };
  return { requested };
}

it("does not query a payment that was sent a moment ago, or is final", async () => {
  const id = await silent([pix(10_00)]);
  const questions = countQuestions();
  kit.clock.advance({ seconds: 59 });
  expect(await listCompaniesWithSilentPayments(kit.services)).toEqual([]);
  await ask();
  expect(questions.requested).toEqual([]);
  kit.clock.advance({ seconds: 1 });
  expect(await listCompaniesWithSilentPayments(kit.services)).toEqual([auroraId]);
  await ask();
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  kit.clock.advance({ days: 30 });
  expect(await listCompaniesWithSilentPayments(kit.services)).toEqual([]);
  expect(questions.requested).toEqual([1]);
});

it("learns from queries alone that a payment arrived, was refused and why, or was sent back", async () => {
  const id = await silent([
    pix(10_00),
    pix(5_00, { destination_bank_account: refusedKey }),
    ted(20_00),
    ted(30_00, {}, returning),
  ]);
  await kit.pass({ minutes: 10 });
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FAILED", "TRANSFERRED", "TRANSFERRED"]);
  const { transfers } = await batch(kit.admin, id);
  expect(transfers[1].status_description).toBe("Chave PIX não encontrada.");
  await kit.pass({ days: 2 });
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FAILED", "FINISHED", "RETURNED"]);
  expect(await fetchBalance(kit.admin)).toBe(10_000_00 - 35_00);
});

it("applies an answer and its late events once", async () => {
  const id = await paidFor(kit, [pix(10_00), ted(20_00)]);
  await kit.drainJobs();
  kit.clock.advance({ minutes: 10 });
  await Promise.all([ask(), ask(), ask()]);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "TRANSFERRED"]);
  await kit.pass({ seconds: 1 });
  expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 2 });
  const { rows } = await kit.services.db.pool.query(
    "SELECT count(*)::int AS events FROM rail_events WHERE kind <> 'pix_received'",
  );
  expect(rows[0].events).toBe(2);
});

it("does not decide payments that are under way or unknown to the network, and queries with backoff", async () => {
  const id = await silent([pix(10_00), pix(20_00)]);
  await kit.services.db.withSandbox(async (tx) => {
    await sql`DELETE FROM sandbox.orders WHERE value = 1000`.execute(tx);
    await sql`UPDATE sandbox.events SET payload = jsonb_set(payload, '{at}', '"2030-01-01T00:00:00Z"')`.execute(
      tx,
    );
  });
  const questions = countQuestions();
  const logged: unknown[] = [];
  kit.services.log.error = (fact: unknown) => void logged.push(fact);
  for (let minute = 0; minute < 24 * 60; minute++) {
    kit.clock.advance({ minutes: 1 });
    await ask();
  }
  expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING", "EXECUTING"]);
  // The queries come after 1, 2, 4 … 256 minutes, and then every six hours.
  expect(questions.requested).toEqual(Array.from({ length: 11 }, () => 2));
  expect(logged).toHaveLength(11);
  expect(logged[0]).toMatchObject({ company: auroraId, count: 1 });
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ orders: number }>`SELECT count(*)::int AS orders FROM sandbox.orders`.execute(tx),
  );
  expect(rows[0]?.orders).toBe(1);
});

it("waits longer when the network does not answer a query", async () => {
  const id = await silent([pix(10_00)]);
  const { rails } = kit.services;
  kit.services.rails = { ...rails, find: () => Promise.reject(new Error("the network is away")) };
  kit.clock.advance({ minutes: 1 });
  await expect(ask()).rejects.toThrow("away");
  await ask();
  kit.services.rails = rails;
  expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
  kit.clock.advance({ minutes: 2 });
  await ask();
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
});

it("queries many in blocks, and each once in two processes", async () => {
  const id = await silent(Array.from({ length: 500 }, () => pix(1_00)));
  const questions = countQuestions();
  const other = await kit.another();
  kit.clock.advance({ minutes: 1 });
  await Promise.all([ask(), askAboutSilentPayments(other.services, { companyId: auroraId })]);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 500 });
  expect(Math.max(...questions.requested, 0)).toBeLessThanOrEqual(500);
  const { rows } = await kit.services.db.pool.query("SELECT max(asks) AS most FROM transfers");
  expect(rows[0].most).toBe(0);
  await other.close();
});

/**
 * The operator sets the outcome of a payment without one, after asking the network; no dead letter is closed during its
 * retry.
 */
import { readPaymentHistory } from "@malote/contracts/history";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WrongCommand } from "../operator/usage.ts";
import { metrics } from "../platform/http/metrics.ts";
import { type PaymentEvent, RailFault } from "../ports/rails.ts";
import { closeNetworkEvents, runOperator } from "../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
} from "../testing/payments-kit.ts";
import { claimDueDeadLetters } from "./dead-letter-store.ts";
import { handleEvents, retryDeadLetters, sendDuePayments } from "./index.ts";
import { measureSilentPayments } from "./measure-due.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const run = (...words: string[]) => runOperator(kit.services, ...words);
const query = async (text: string) => (await kit.services.db.pool.query(text)).rows;
const deadLetters = () => query("SELECT why, detail, feed FROM rail_dead_letters WHERE closed_at IS NULL");
const requested = "Confirmado com a rede, protocolo 123";

/** Sends a payment of R$ 1,00 whose outcome the network reports with another value; returns its key. */
async function contradicted(): Promise<{ id: string; key: string }> {
  const id = await paidFor(kit, [pix(1_00)]);
  await kit.drainJobs();
  await sendDuePayments(kit.services, { companyId: auroraId });
  const [row] = await query("SELECT key FROM payment_attempts");
  await settled(row.key, 2_00);
  expect(await deadLetters()).toMatchObject([{ why: "contradiction" }]);
  return { id, key: row.key };
}

async function settled(endToEndId: string, value: number): Promise<void> {
  const event: PaymentEvent = {
    kind: "settled",
    id: `settled ${value}`,
    endToEndId,
    companyId: auroraId,
    at: kit.clock.now().toISOString(),
    value,
    final: true,
  };
  await handleEvents(kit.services, [event]);
}

describe("refuses", () => {
  it("a second outcome of a payment while the first one waits to be applied, also a concurrent one", async () => {
    const { id, key } = await contradicted();
    const words = (["paid", "failed"] as const).map((outcome) =>
      run("payment-outcome", key, outcome, requested),
    );
    const ended = await Promise.allSettled(words);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = ended.find((one) => one.status === "rejected");
    expect(refused?.reason).toBeInstanceOf(WrongCommand);
    expect(String(refused?.reason)).toContain("já foi informado");
    await kit.pass({ seconds: 11 });
    const isPaid = ended[0]?.status === "fulfilled";
    expect(await fetchStatuses(kit.admin, id)).toEqual([isPaid ? "FINISHED" : "FAILED"]);
    // A report of another value stays a contradiction after the payment failed.
    await closeNetworkEvents(kit.services);
  });

  it("an invalid outcome, one without a reason, and an unknown payment", async () => {
    const { key } = await contradicted();
    for (const words of [[], [key], [key, "paid"], [key, "paid", "  "], [key, "returned", requested]])
      await expect(run("payment-outcome", ...words)).rejects.toThrow(WrongCommand);
    await expect(run("payment-outcome", "E0", "paid", requested)).rejects.toThrow(
      "Nenhum pagamento com o id E0",
    );
    expect(await deadLetters()).toHaveLength(1);
    await closeNetworkEvents(kit.services);
  });

  it("a payment that is not sent yet, and one that has its outcome", async () => {
    const id = await paidFor(kit, [pix(1_00)]);
    await releaseOnly(kit, id);
    const { rails } = kit.services;
    const silence = async () => {
      throw new RailFault("no answer", { left: "maybe" });
    };
    kit.services.rails = { ...rails, send: silence };
    await expect(sendDuePayments(kit.services, { companyId: auroraId })).rejects.toThrow("no answer");
    const [{ key }] = await query("SELECT key FROM payment_attempts");
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    await expect(run("payment-outcome", key, "failed", requested)).rejects.toThrow("foi entregue à rede");
    kit.services.rails = rails;
    kit.clock.advance({ minutes: 2 });
    await sendDuePayments(kit.services, { companyId: auroraId });
    await kit.pass({ minutes: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    await expect(run("payment-outcome", key, "failed", requested)).rejects.toThrow("espera pelo resultado");
    expect(await deadLetters()).toEqual([]);
  });
});

describe("a payment whose contradiction was closed stays without an outcome", () => {
  it("until the operator reports it as paid: applied like an event, with the operator in the company's trail", async () => {
    const { id, key } = await contradicted();
    await closeNetworkEvents(kit.services);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    expect(await run("payment-outcome", key, "paid", ` ${requested} `)).toContain("registrado como pago");
    await retryDeadLetters(kit.services);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    expect(await deadLetters()).toEqual([]);
    expect(await query("SELECT feed, kind FROM rail_events WHERE feed = 'operator'")).toEqual([
      { feed: "operator", kind: "settled" },
    ]);
    const [payment] = (await batch(kit.admin, id)).transfers;
    expect(
      await query(
        "SELECT company_id, actor_name, subject_id, detail FROM audit_entries WHERE action = 'operator.payment_outcome'",
      ),
    ).toEqual([
      {
        company_id: auroraId,
        actor_name: "Operador da instalação",
        subject_id: payment.id,
        detail: { outcome: "paid", reason: requested },
      },
    ]);
    expect(await kit.faults()).toEqual([]);
  });

  it("until the operator reports it as failed, with a reason that the company reads; the money waits for the correction", async () => {
    const { id, key } = await contradicted();
    const before = await fetchBalance(kit.admin);
    await closeNetworkEvents(kit.services);
    await run("payment-outcome", key, "failed", requested);
    await retryDeadLetters(kit.services);
    const { transfers } = await batch(kit.admin, id);
    expect(transfers[0]).toMatchObject({
      status: "FAILED",
      status_description: "A rede confirmou que o pagamento não foi realizado.",
    });
    expect(await fetchBalance(kit.admin)).toBe(before);
    expect(await kit.faults()).toEqual([]);
  });

  it("and is counted by its age, whatever was closed", async () => {
    const { key } = await contradicted();
    await closeNetworkEvents(kit.services);
    kit.clock.advance({ hours: 30 });
    const age = async () => {
      await measureSilentPayments(kit.services);
      const [line] = (await metrics.getSingleMetricAsString("malote_silent_payment_oldest_seconds"))
        .split("\n")
        .filter((one) => !one.startsWith("#"));
      return Number(line?.split(" ")[1]);
    };
    expect(await age()).toBeGreaterThanOrEqual(30 * 3_600);
    await run("payment-outcome", key, "paid", requested);
    await retryDeadLetters(kit.services);
    expect(await age()).toBe(0);
  });
});

it("keeps the network's report of the meantime, and stores the operator's outcome as a contradiction", async () => {
  const { id, key } = await contradicted();
  await closeNetworkEvents(kit.services);
  await run("payment-outcome", key, "failed", requested);
  await settled(key, 1_00);
  await retryDeadLetters(kit.services);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  expect(await deadLetters()).toMatchObject([
    { why: "contradiction", detail: "failed, but the payment is FINISHED" },
  ]);
  await closeNetworkEvents(kit.services);
});

it("does not close an event that a worker is trying, until that worker's minute has passed", async () => {
  const { key } = await contradicted();
  await closeNetworkEvents(kit.services);
  await run("payment-outcome", key, "paid", requested);
  const [{ id }] = JSON.parse(await run("network-events", "--json"));
  // A worker claims the event, and dies before it applies it.
  expect(await kit.services.db.withSystem((tx) => claimDueDeadLetters(tx, kit.clock.now()))).toMatchObject([
    { id, feed: "operator" },
  ]);
  await expect(run("close-network-event", id, requested)).rejects.toThrow("está sendo tentado de novo agora");
  kit.clock.advance({ minutes: 1 });
  expect(await run("close-network-event", id, requested)).toContain("encerrado");
  await retryDeadLetters(kit.services);
  expect(await query("SELECT FROM rail_events WHERE feed = 'operator'")).toEqual([]);
});

describe("an event that is closed while a worker is at work", () => {
  const closed = () => query("SELECT closed_reason FROM rail_dead_letters WHERE feed = 'operator'");
  /** The worker's database, in which the operator closes the event after one of the worker's transactions. */
  async function closing(id: string, after: "withSystem" | "withCompany", fails = false): Promise<void> {
    const { db } = kit.services;
    let isClosed = false;
    const seen = Object.assign(Object.create(db) as typeof db, {
      async [after](...given: never[]) {
        const answer = await (db[after] as (...all: never[]) => Promise<unknown>)(...given);
        if (isClosed) return answer;
        isClosed = true;
        kit.clock.advance({ minutes: 1 });
        await run("close-network-event", id, requested);
        if (fails) throw new Error("the worker could not apply it");
        return answer;
      },
    });
    await retryDeadLetters({ ...kit.services, db: seen });
  }
  async function due() {
    const { id: batchId, key } = await contradicted();
    await closeNetworkEvents(kit.services);
    await run("payment-outcome", key, "failed", requested);
    const [{ id }] = JSON.parse(await run("network-events", "--json"));
    return { batchId, id };
  }

  it("is not applied if the events before it took longer than its minute", async () => {
    const { batchId, id } = await due();
    const before = await fetchStatuses(kit.admin, batchId);
    await closing(id, "withSystem");
    expect(await fetchStatuses(kit.admin, batchId)).toEqual(before);
    expect(await query("SELECT FROM rail_events WHERE feed = 'operator'")).toEqual([]);
    expect(await closed()).toEqual([{ closed_reason: requested }]);
  });

  it("stays closed if its own try took longer than that", async () => {
    const { batchId, id } = await due();
    await closing(id, "withCompany");
    expect(await fetchStatuses(kit.admin, batchId)).toEqual(["FAILED"]);
    expect(await closed()).toEqual([{ closed_reason: requested }]);
  });

  it("stays closed if its own try fails", async () => {
    const { id } = await due();
    await closing(id, "withCompany", true);
    expect(await closed()).toEqual([{ closed_reason: requested }]);
    expect(await deadLetters()).toEqual([]);
  });
});

it("applies the operator's outcome of a payment over a removed connection, and names the operator in its history", async () => {
  const { id, key } = await contradicted();
  await closeNetworkEvents(kit.services);
  await query("UPDATE transfers SET connection = 'gone'");
  await query("UPDATE payment_attempts SET connection = 'gone'");
  await run("payment-outcome", key, "paid", requested);
  await retryDeadLetters(kit.services);
  await kit.drainJobs();
  expect(await deadLetters()).toEqual([]);
  const [payment] = (await batch(kit.admin, id)).transfers;
  expect(payment.status).toBe("FINISHED");
  const history = await kit.admin.call(readPaymentHistory, {
    params: { id: payment.id },
    query: { page: "0" },
  });
  expect(history.body.items[0]).toMatchObject({
    what: "payment.settled",
    actor: { kind: "operator", name: null },
  });
  await query("UPDATE transfers SET connection = 'sandbox'");
  await query("UPDATE payment_attempts SET connection = 'sandbox'");
});

/** Stored attempts of each order, and the effect of a network that answers order by order, late or not at all. */
import { changeTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OrderAnswer, type PaymentOrder, RailFault, type Rails } from "../ports/rails.ts";
import {
  auroraId,
  batch,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
  ted,
} from "../testing/payments-kit.ts";
import { handleEvents, sendDuePayments } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const send = () => sendDuePayments(kit.services, { companyId: auroraId });
const attempts = async () => {
  const { rows } = await kit.services.db.pool.query(
    `SELECT p.number, p.connection, p.key, p.submissions, p.result, p.reason, p.answer FROM payment_attempts p
     JOIN transfers t ON t.id = p.transfer_id ORDER BY t.position, p.number`,
  );
  return rows;
};
const orders = async () => {
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ end_to_end_id: string }>`SELECT end_to_end_id FROM sandbox.orders`.execute(tx),
  );
  return rows.map((row) => row.end_to_end_id);
};

interface Calls {
  sent: string[][];
  requested: string[][];
}

/** Another network with another way to answer, which counts the calls to send and their orders. */
function answering(send: (list: readonly PaymentOrder[], rails: Rails) => ReturnType<Rails["send"]>): Calls {
  const { rails } = kit.services;
  const calls: Calls = { sent: [], requested: [] };
  kit.services.rails = {
    ...rails,
    async send(list) {
      calls.sent.push(list.map(({ endToEndId }) => endToEndId));
      return send(list, rails);
    },
    async find(known) {
      calls.requested.push(known.map(({ endToEndId }) => endToEndId));
      return rails.find(known);
    },
  };
  return calls;
}
const sandboxAgain = (rails: Rails) => {
  kit.services.rails = rails;
};

async function waiting(values: readonly number[]): Promise<string> {
  const id = await paidFor(
    kit,
    values.map((value) => pix(value)),
  );
  await releaseOnly(kit, id);
  return id;
}

describe("an answer to each order", () => {
  it("stores each attempt as a row before the network gets it, and its answer afterwards", async () => {
    await waiting([10_00]);
    let before: { result: string; key: string }[] = [];
    const calls = answering(async (list, rails) => {
      before = await attempts();
      return rails.send(list);
    });
    await send();
    expect(before).toMatchObject([{ number: 1, connection: "sandbox", result: "unanswered" }]);
    expect(await attempts()).toMatchObject([
      { number: 1, key: calls.sent[0]?.[0], submissions: 1, result: "accepted" },
    ]);
    expect(before[0]?.key).toBe(calls.sent[0]?.[0]);
  });

  it("stores a refusal whose text is cut inside a character, and the others of its list with it", async () => {
    const id = await waiting([10_00, 20_00]);
    const reason = `${"Conta encerrada. ".repeat(30).slice(0, 499)}\u{1F600} fim`;
    const calls = answering(async (list, rails) => {
      const refused = list.filter(({ value }) => value === 20_00);
      const answers = new Map(await rails.send(list.filter((one) => !refused.includes(one))));
      for (const { endToEndId } of refused) answers.set(endToEndId, { result: "refused", reason });
      return answers;
    });
    await send();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FAILED"]);
    kit.clock.advance({ days: 1 });
    await send();
    expect(calls.sent).toHaveLength(1);
  });

  it("fails refused payments with the reason, and does not change the others of the list", async () => {
    const id = await waiting([10_00, 20_00]);
    answering(async (list, rails) => {
      const refused = list.filter(({ value }) => value === 20_00);
      const answers = new Map(await rails.send(list.filter((one) => !refused.includes(one))));
      for (const { endToEndId } of refused)
        answers.set(endToEndId, { result: "refused", reason: "Conta encerrada.", raw: '{"code":"AC04"}' });
      return answers;
    });
    await send();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FAILED"]);
    const { transfers } = await batch(kit.admin, id);
    expect(transfers[1].status_description).toBe("Conta encerrada.");
    expect((await attempts()).map(({ result, reason, answer }) => [result, reason, answer])).toEqual([
      ["accepted", null, null],
      ["refused", "Conta encerrada.", '{"code":"AC04"}'],
    ]);
  });

  it("begins another attempt under another key when a person resends a refused payment", async () => {
    const id = await waiting([10_00]);
    const { rails } = kit.services;
    answering(async (list) => refusing(list));
    await send();
    sandboxAgain(rails);
    const [failed] = (await batch(kit.admin, id)).transfers;
    const corrected = await kit.admin.call(changeTransfer, {
      params: { id, tid: failed.id },
      body: pix(10_00),
    });
    expect(corrected.status).toBe(200);
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    const rows = await attempts();
    expect(rows.map(({ number, result }) => [number, result])).toEqual([
      [1, "refused"],
      [2, "accepted"],
    ]);
    expect(rows[0].key).not.toBe(rows[1].key);
    expect(await orders()).toEqual([rows[1].key]);
  });

  it("queries the orders that a partial answer omits, and resends them under the same key", async () => {
    const id = await waiting([10_00, 20_00]);
    let first = true;
    const calls = answering(async (list, rails) => {
      const taken = first ? list.slice(0, 1) : list;
      first = false;
      return rails.send(taken);
    });
    await send();
    await kit.pass({ seconds: 9 });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED"]);
    expect(calls.requested).toEqual([[calls.sent[0]?.[1]]]);
    expect(calls.sent[1]).toEqual([calls.sent[0]?.[1]]);
    expect((await attempts()).map(({ submissions }) => submissions).toSorted()).toEqual([1, 2]);
  });

  it("stores the network's own numbers beside ours, each once, and queries with them", async () => {
    await waiting([10_00]);
    const calls = answering(async (list, rails) => {
      await rails.send(list);
      return new Map(
        list.map(({ endToEndId }): [string, OrderAnswer] => [
          endToEndId,
          {
            result: "accepted",
            references: [
              { kind: "protocol", value: "P-77" },
              { kind: "protocol", value: "P-77" },
              { kind: "nosso número", value: "x".repeat(300) },
            ],
          },
        ]),
      );
    });
    await send();
    const { rows } = await kit.services.db.pool.query(
      "SELECT connection, kind, value FROM provider_references ORDER BY kind DESC",
    );
    expect(rows).toEqual([
      { connection: "sandbox", kind: "protocol", value: "P-77" },
      { connection: "sandbox", kind: "nosso número", value: "x".repeat(200) },
    ]);
    expect(calls.sent).toHaveLength(1);
  });
});

const refusing = (list: readonly PaymentOrder[]): Map<string, OrderAnswer> =>
  new Map(list.map(({ endToEndId }) => [endToEndId, { result: "refused", reason: "Conta encerrada." }]));

describe("no answer at all", () => {
  it("resends orders that certainly were not sent without a query, under the same key, and not before the pause ends", async () => {
    const id = await waiting([10_00]);
    const retryAt = new Date(kit.clock.now().getTime() + 30_000);
    let throttled = true;
    const calls = answering(async (list, rails) => {
      if (throttled) throw new RailFault("too many calls", { left: "no", retryAt });
      return rails.send(list);
    });
    await expect(send()).rejects.toThrow("too many calls");
    expect(await attempts()).toMatchObject([{ result: "not_sent", reason: "too many calls" }]);
    throttled = false;
    kit.clock.advance({ seconds: 29 });
    await send();
    expect(calls.sent).toHaveLength(1);
    kit.clock.advance({ seconds: 1 });
    await send();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    expect(calls.requested).toEqual([]);
    expect(calls.sent[1]).toEqual(calls.sent[0]);
  });

  it("waits at most an hour for a network that asks for a pause of years", async () => {
    const id = await waiting([10_00]);
    let throttled = true;
    answering(async (list, rails) => {
      if (throttled)
        throw new RailFault("too many calls", { left: "no", retryAt: new Date("9999-12-31T00:00:00Z") });
      return rails.send(list);
    });
    await expect(send()).rejects.toThrow("too many calls");
    throttled = false;
    kit.clock.advance({ hours: 1 });
    await send();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  });

  it("sends nothing during a pause that the network asks for", async () => {
    await waiting([10_00]);
    const calls = answering(async () => {
      throw new RailFault("too many calls", { left: "no" });
    });
    await expect(send()).rejects.toThrow("too many calls");
    await waiting([20_00]);
    await send();
    expect(calls.sent).toHaveLength(1);
  });

  it("never resends an order that may have been sent while an unknown order proves nothing", async () => {
    const id = await waiting([10_00]);
    const calls = answering(async () => {
      throw new Error("the connection broke");
    });
    kit.services.rails = {
      ...kit.services.rails,
      timing: { ...kit.services.rails.timing, absenceProvesAfterMs: null },
    };
    await expect(send()).rejects.toThrow("the connection broke");
    for (let day = 0; day < 3; day++) {
      kit.clock.advance({ days: 1 });
      await send();
    }
    expect(calls.sent).toHaveLength(1);
    expect(calls.requested).toHaveLength(3);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    expect(await attempts()).toMatchObject([{ result: "doubtful", reason: "the connection broke" }]);
  });

  it("waits for the time after which an unknown order was certainly not taken", async () => {
    await waiting([10_00]);
    let broken = true;
    const calls = answering(async (list, rails) => {
      if (broken) throw new RailFault("the connection broke", { left: "maybe" });
      return rails.send(list);
    });
    kit.services.rails = {
      ...kit.services.rails,
      timing: { ...kit.services.rails.timing, absenceProvesAfterMs: 60_000 },
    };
    await expect(send()).rejects.toThrow("the connection broke");
    broken = false;
    kit.clock.advance({ seconds: 50 });
    await send();
    expect(calls.sent).toHaveLength(1);
    kit.clock.advance({ seconds: 10 });
    await send();
    expect(calls.sent[1]).toEqual(calls.sent[0]);
  });

  it("applies a refusal that a worker stored before it died", async () => {
    const id = await waiting([10_00]);
    answering(async (list) => refusing(list));
    const { withCompany } = kit.services.db;
    let transactions = 0;
    kit.services.db.withCompany = (async (...call: Parameters<typeof withCompany>) => {
      transactions++;
      if (transactions > 2) throw new Error("died");
      return withCompany.apply(kit.services.db, call);
    }) as typeof withCompany;
    await send().catch(() => undefined);
    kit.services.db.withCompany = withCompany;
    expect(await attempts()).toMatchObject([{ result: "refused" }]);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    kit.clock.advance({ seconds: 9 });
    await send();
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED"]);
  });
});

describe("the value of an event", () => {
  it("does not apply an event with another value than the payment's, and stores it as a dead letter", async () => {
    const id = await paidFor(kit, [ted(10_00)]);
    await kit.drainJobs();
    const [{ end_to_end_id }] = (await batch(kit.admin, id)).transfers;
    const at = kit.clock.now().toISOString();
    const common = { endToEndId: end_to_end_id, companyId: auroraId, at, value: 10_01 };
    await handleEvents(kit.services, [
      { ...common, id: "s", kind: "settled", final: false },
      { ...common, id: "r", kind: "returned", reason: "Conta encerrada." },
    ]);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT why, detail FROM rail_dead_letters ORDER BY event_id",
    );
    expect(rows).toEqual([
      { why: "contradiction", detail: "returned with 1001 centavos, but the payment is of 1000" },
      { why: "contradiction", detail: "settled with 1001 centavos, but the payment is of 1000" },
    ]);
    // A report of the network that the books contradict is a fault of the books until a person decides.
    expect(await kit.faults()).toMatchObject([
      { rule: "each payment that the network reports as paid is posted" },
    ]);
    await kit.services.db.pool.query("DELETE FROM rail_events");
  });
});

/**
 * Contract test that the product and every adapter of the port `rails` must pass together, whatever the network does.
 */
import { paymentMethods } from "@malote/domain/payment-limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  askAboutSilentPayments,
  handleEvents,
  retryDeadLetters,
  sendDuePayments,
} from "../payments/index.ts";
import { type RailEvent, RailFault, type Rails, type ReferredEvent } from "../ports/rails.ts";
import { promisesOfConnection } from "./connection-contract.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
} from "./payments-kit.ts";

export type NetworkReport = RailEvent | ReferredEvent;

export interface RailsUnderTest {
  rails: Rails;
  /** Returns the network's reports up to now, each once. */
  events(): Promise<NetworkReport[]>;
  /** Delivers reports to the product; by default through its event handler. */
  report?(events: readonly NetworkReport[]): Promise<unknown>;
  /** Returns the keys of the accepted orders, each as often as the network would pay it. */
  taken(): Promise<string[]>;
}

/** Time after which every network in these tests has paid. */
const longEnough = { seconds: 35 };
const strangers = "01990000-0000-7000-8000-00000000a002";

export function describeRails(
  name: string,
  open: (kit: PaymentsKit) => RailsUnderTest | Promise<RailsUnderTest>,
): void {
  describe(`the adapter ${name}`, () => {
    let kit: PaymentsKit;
    let network: RailsUnderTest;
    beforeEach(async () => {
      kit = await openPayments();
      network = await open(kit);
      kit.services.rails = network.rails;
    });
    afterEach(() => kit.close());

    const send = () => sendDuePayments(kit.services, { companyId: auroraId });
    const handed = (events: readonly NetworkReport[]) =>
      handleEvents(kit.services, events, { connection: network.rails.id, feed: "webhook" });
    const report = (events: readonly NetworkReport[]) => (network.report ?? handed)(events);
    const deliver = async () => report(await network.events());
    /** Replaces `send` for the next call only. */
    const onceSending = (send: (...call: Parameters<Rails["send"]>) => ReturnType<Rails["send"]>) => {
      const { rails } = network;
      kit.services.rails = {
        ...rails,
        send(orders) {
          kit.services.rails = rails;
          return send(orders);
        },
      };
    };
    async function waiting(count: number): Promise<string> {
      const values = Array.from({ length: count }, (_, n) => (n + 1) * 100);
      const id = await paidFor(
        kit,
        values.map((value) => pix(value)),
        values.reduce((sum, value) => sum + value, 0),
      );
      await releaseOnly(kit, id);
      return id;
    }
    /** Hands payments over and returns the reports, which are not delivered yet. */
    async function reported(count: number): Promise<{ id: string; events: NetworkReport[] }> {
      const id = await waiting(count);
      await send();
      kit.clock.advance(longEnough);
      return { id, events: await network.events() };
    }
    const expectPaidOnce = async (id: string, count: number) => {
      expect(await fetchStatuses(kit.admin, id)).toEqual(Array.from({ length: count }, () => "FINISHED"));
      const taken = await network.taken();
      expect([taken.length, new Set(taken).size]).toEqual([count, count]);
      expect(await fetchBalance(kit.admin)).toBe(0);
    };
    const deadLetterReasons = async () => {
      const { rows } = await kit.services.db.pool.query("SELECT why FROM rail_dead_letters");
      return rows.map(({ why }) => why);
    };

    promisesOfConnection(() => network.rails);

    it("names the methods that it carries, each once", () => {
      const { methods } = network.rails;
      expect(methods.length).toBeGreaterThan(0);
      expect(paymentMethods.filter((method) => methods.includes(method))).toHaveLength(methods.length);
    });

    it("accepts the same order once, however often it is sent", async () => {
      const id = await waiting(2);
      onceSending(async (orders) => {
        await network.rails.send(orders);
        await network.rails.send([...orders].reverse());
        return network.rails.send(orders);
      });
      await send();
      kit.clock.advance(longEnough);
      await deliver();
      await expectPaidOnce(id, 2);
    });

    it("pays once if the answer was lost after sending", async () => {
      const id = await waiting(3);
      onceSending(async (orders) => {
        await network.rails.send(orders);
        throw new RailFault("the answer got lost", { left: "maybe" });
      });
      await expect(send()).rejects.toThrow("got lost");
      kit.clock.advance(longEnough);
      await send();
      await deliver();
      await settleLate();
      await expectPaidOnce(id, 3);
    });

    it("pays once if half a list was answered", async () => {
      const id = await waiting(4);
      onceSending(async (orders) => {
        const answers = await network.rails.send(orders);
        return new Map([...answers].slice(0, 2));
      });
      await send();
      kit.clock.advance(longEnough);
      await send();
      await deliver();
      await settleLate();
      await expectPaidOnce(id, 4);
    });

    it("pays the orders that a partial answer omitted, once the network certainly does not have them", async () => {
      const id = await waiting(4);
      onceSending((orders) => network.rails.send(orders.slice(0, 2)));
      await send();
      for (let tries = 0; tries < 3; tries++) {
        kit.clock.advance(longEnough);
        await send();
        await deliver();
      }
      kit.clock.advance(longEnough);
      await deliver();
      await expectPaidOnce(id, 4);
    });

    it("applies an event that arrives before the answer to its order", async () => {
      const id = await waiting(1);
      onceSending(async (orders) => {
        const answers = await network.rails.send(orders);
        kit.clock.advance(longEnough);
        await deliver();
        return answers;
      });
      await send();
      await settleLate();
      await expectPaidOnce(id, 1);
      expect(await deadLetterReasons()).toEqual([]);
    });

    it("applies shuffled and repeated events", async () => {
      const { id, events } = await reported(5);
      expect(events).toHaveLength(5);
      await report([...events.toReversed(), ...events]);
      await Promise.all([report(events), report(events.toReversed())]);
      await expectPaidOnce(id, 5);
    });

    it("finds by a query an outcome that no event reports", async () => {
      const { id } = await reported(2);
      kit.clock.advance({ seconds: 120 });
      await askAboutSilentPayments(kit.services, { companyId: auroraId });
      await expectPaidOnce(id, 2);
    });

    it("reports the paid value, and an event with another value is not applied", async () => {
      const { id, events } = await reported(1);
      const [event] = events;
      if (!event || !("value" in event) || event.value === undefined)
        throw new Error("the report has no value");
      await report([{ ...event, value: event.value + 1 }]);
      expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
      expect(await deadLetterReasons()).toEqual(["contradiction"]);
      // Deletes the event, because the books report it until a person decides.
      await kit.services.db.pool.query("DELETE FROM rail_events");
    });

    it("does not apply an event to a payment of another company", async () => {
      const { id, events } = await reported(1);
      const [event] = events;
      if (!event) throw new Error("nothing was reported");
      const foreign =
        "order" in event
          ? { ...event, order: { reference: { kind: "protocol", value: "of another owner" } } }
          : { ...event, companyId: strangers };
      await report([foreign as NetworkReport]);
      expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
      expect(await deadLetterReasons()).toHaveLength(1);
      await kit.services.db.pool.query("DELETE FROM rail_events");
    });

    it("sends once after the pause that the network asked for", async () => {
      const id = await waiting(2);
      const retryAt = new Date(kit.clock.now().getTime() + 30_000);
      onceSending(() => Promise.reject(new RailFault("too many calls", { left: "no", retryAt })));
      await expect(send()).rejects.toThrow("too many calls");
      await send();
      expect(await network.taken()).toEqual([]);
      kit.clock.advance({ seconds: 30 });
      await send();
      kit.clock.advance(longEnough);
      await deliver();
      await expectPaidOnce(id, 2);
    });

    /** Advances the clock: an event that named a number before it was known is retried. */
    async function settleLate() {
      kit.clock.advance({ seconds: 61 });
      await retryDeadLetters(kit.services);
    }
  });
}

/** Payment links that are deleted while they are charged. */
import { removePaymentLink } from "@malote/contracts/payment-links";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { type ChargeRequest, cancelCharges, createCharge } from "../payins/index.ts";
import { buildChargeRequest, card } from "../testing/charges-kit.ts";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;

/** Each test uses an address of its own, because tries are counted per address. */
let address = "";
let hosts = 0;

beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());
beforeEach(async () => {
  address = `10.0.0.${++hosts}`;
  await settings({ hasBoletoCharge: true, hasCardCharge: true });
});
afterEach(() => vi.restoreAllMocks());

const { settings, makeLink, pay, paid, fetchCharges, fetchStatus, byCard } = checkoutCalls(
  () => kit,
  () => address,
);

const remove = (id: string) => kit.admin.call(removePaymentLink, { params: { id } });

const charge = (paymentLinkId: string, method: ChargeRequest["method"]) =>
  createCharge(kit.services, auroraId, buildChargeRequest(method, { paymentLinkId }));

const cardMethod: ChargeRequest["method"] = { kind: "credit_card", installments: 1, card: card(goodCard) };

const methods: [string, ChargeRequest["method"]][] = [
  ["Pix", { kind: "pix" }],
  ["boleto", { kind: "boleto", dueInBusinessDays: 1 }],
  ["card", cardMethod],
];

const notFound = { code: "checkout_not_found" };

describe("deleting a link", () => {
  it("LNK-009 is refused while the acquirer has not answered about a card, whose sale would pay the link", async () => {
    const { id, token } = await makeLink();
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { charges } = kit.services;
    const real = charges.charge;
    vi.spyOn(charges, "charge").mockImplementationOnce(async (order) => {
      reached.resolve();
      await released.promise;
      return real(order);
    });
    const paying = paid(token, byCard());
    await reached.promise;
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: {
        code: "payment_link_being_paid",
        message:
          "Um pagamento deste link com cartão está em andamento. Aguarde alguns minutos e tente excluir de novo.",
      },
    });
    expect(await fetchStatus(id)).toBe("active");
    released.resolve();
    expect((await paying).state).toBe("paid");
    expect((await remove(id)).body.code).toBe("payment_link_paid");
  });

  it("is possible again once the card sale whose answer was lost is cancelled", async () => {
    const { id, token } = await makeLink();
    vi.spyOn(kit.services.charges, "charge").mockRejectedValueOnce(new Error("no answer"));
    expect((await paid(token, byCard())).state).toBe("preparing");
    expect((await remove(id)).body.code).toBe("payment_link_being_paid");
    await kit.pass({ minutes: 3 });
    expect((await remove(id)).status).toBe(200);
    expect((await fetchCharges(id)).map(({ status }) => status)).toEqual(["unauthorized"]);
  });

  it("and charging a card concurrently results in either the sale or the deletion, never both", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, token } = await makeLink();
      const [sale, removal] = await Promise.all([pay(token, byCard()), remove(id)]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([sale.status, removal.status]);
      expect((await fetchCharges(id)).map(({ status }) => status)).toEqual(
        sale.status === 200 ? ["authorized"] : [],
      );
    }
  });
});

describe("a new charge of a link", () => {
  it.each(methods)(
    "by %s is refused once the link is deleted, without a call to the network",
    async (_, method) => {
      const { id } = await makeLink();
      await remove(id);
      const requested = vi.spyOn(kit.services.charges, "charge");
      await expect(charge(id, method)).rejects.toMatchObject(notFound);
      expect(requested).not.toHaveBeenCalled();
      expect(await fetchCharges(id)).toEqual([]);
    },
  );

  it.each(methods)("by %s waits for a deletion under way, and is refused", async (_, method) => {
    const { id } = await makeLink();
    const { db, jobs } = kit.services;
    const enqueue = jobs.enqueue;
    const requested = vi.spyOn(kit.services.charges, "charge");
    let charging: Promise<unknown> | undefined;
    // The deletion is written, and its transaction still open.
    vi.spyOn(jobs, "enqueue").mockImplementationOnce(async (...job) => {
      charging = charge(id, method).catch((error: unknown) => error);
      await vi.waitFor(
        async () => {
          const { rows } = await db.pool.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          expect(rows).toHaveLength(1);
        },
        { timeout: 20_000 },
      );
      return enqueue(...job);
    });
    expect((await remove(id)).status).toBe(200);
    expect(await charging).toMatchObject(notFound);
    expect(requested).not.toHaveBeenCalled();
    expect(await fetchCharges(id)).toEqual([]);
  });

  it("by Pix is made beside an unanswered card sale, and one by another card is refused", async () => {
    const { id } = await makeLink();
    vi.spyOn(kit.services.charges, "charge").mockRejectedValueOnce(new Error("no answer"));
    expect((await charge(id, cardMethod)).isReady).toBe(false);
    expect((await charge(id, { kind: "pix" })).isReady).toBe(true);
    await expect(charge(id, cardMethod)).rejects.toMatchObject({ code: "checkout_being_paid" });
  });

  it("by card is refused once another card paid the link", async () => {
    const { id, token } = await makeLink();
    await paid(token, byCard());
    const again = charge(id, cardMethod);
    await expect(again).rejects.toMatchObject({ code: "checkout_paid" });
  });

  it("does not return an earlier boleto to a payer after the deletion", async () => {
    const { id } = await makeLink();
    const boleto = { kind: "boleto", dueInBusinessDays: 1 } as const;
    expect((await charge(id, boleto)).isReady).toBe(true);
    await remove(id);
    await expect(charge(id, boleto)).rejects.toMatchObject(notFound);
    expect(await fetchCharges(id)).toHaveLength(1);
  });
});

it("cancelling the charges of a link keeps its authorised sale, and makes no call to the acquirer about it", async () => {
  const { id, token } = await makeLink();
  expect((await paid(token, byCard())).state).toBe("paid");
  const cancel = vi.spyOn(kit.services.charges, "cancel");
  await cancelCharges(kit.services, { companyId: auroraId, paymentLinkId: id });
  expect(cancel).not.toHaveBeenCalled();
  expect(await fetchCharges(id)).toEqual([{ status: "authorized", amount: 150_00 }]);
});

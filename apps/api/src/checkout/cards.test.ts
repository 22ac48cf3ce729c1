/** Payment links that are paid by card. */
import { randomUUID } from "node:crypto";
import { listPayins, type Payin } from "@malote/contracts/payins";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeMagicValues, goodCard } from "../adapters/sandbox/charges/index.ts";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

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

const {
  settings,
  payer,
  makeLink,
  pay,
  paid,
  payAtBank,
  look,
  listed,
  fetchStatus,
  fetchCharges,
  pix,
  byCard,
} = checkoutCalls(
  () => kit,
  () => address,
);

describe("paying by card", () => {
  /** The acquirer's answer is lost; `wasReceived` decides whether it has the sale. */
  const losingTheAnswer = (wasReceived: boolean) => {
    const charge = kit.services.charges.charge;
    vi.spyOn(kit.services.charges, "charge").mockImplementationOnce(async (order) => {
      if (wasReceived) await charge(order);
      throw new Error("no answer");
    });
  };

  it.each([
    ["another card", byCard({ number: "5555 5555 5555 4444" })],
    ["other instalments", byCard({}, 2)],
    ["another payer", { ...byCard(), payer: { ...payer, name: "Marina Lopes Prado" } }],
  ])("%s after a lost answer is not charged by the earlier terms", async (_, changed) => {
    const { id: linkId, token } = await makeLink();
    const id = randomUUID();
    losingTheAnswer(false);
    expect((await paid(token, { ...byCard(), id })).state).toBe("preparing");
    expect(await pay(token, { ...changed, id })).toMatchObject({
      status: 409,
      body: { code: "checkout_card_changed" },
    });
    expect((await look(token, id)).state).toBe("refused");
    expect((await paid(token, changed)).state).toBe("paid");
    const statuses = (await fetchCharges(linkId)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(["authorized", "unauthorized"]);
  });

  it("shows a sale that the acquirer made before the terms changed with its earlier terms", async () => {
    const { id: linkId, token } = await makeLink();
    const id = randomUUID();
    losingTheAnswer(true);
    expect((await paid(token, { ...byCard({}, 3), id })).state).toBe("preparing");
    expect(await paid(token, { ...byCard({ number: "5555 5555 5555 4444" }, 1), id })).toMatchObject({
      state: "paid",
      card: { installments: 3 },
    });
    expect(await fetchCharges(linkId)).toHaveLength(1);
  });

  it("pays in instalments, and stores only the last digits of the card", async () => {
    const { id, token } = await makeLink();
    const charge = await paid(token, byCard({}, 3));
    expect(charge).toMatchObject({
      state: "paid",
      card: { installments: 3, authorization_code: expect.any(String), advice: null },
    });
    expect(await fetchStatus(id)).toBe("paid");
    const { rows } = await kit.services.db.pool.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('public', 'sandbox') AND c.relkind = 'r'`,
    );
    const places: string[] = [];
    for (const { name } of rows) {
      const found = await kit.services.db.pool.query(
        `SELECT FROM ${name} t WHERE replace(t::text, ' ', '') LIKE '%' || $1 || '%' OR t::text LIKE '%MARINA LOPES%' LIMIT 1`,
        [goodCard],
      );
      if (found.rows.length > 0) places.push(name);
    }
    expect(places).toEqual([]);
  });

  it("charges one of many concurrent cards, and sends no other to the acquirer", async () => {
    const { id, token } = await makeLink();
    const requested = vi.spyOn(kit.services.charges, "charge");
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(token, byCard())));
    expect(requested).toHaveBeenCalledOnce();
    requested.mockRestore();
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.state)).toEqual(["paid"]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual(Array(4).fill(409));
    for (const { body } of refused) expect(body.code).toMatch(/^checkout_(paid|being_paid)$/);
    expect(await fetchCharges(id)).toEqual([{ status: "authorized", amount: 150_00 }]);
    expect(await pay(token, byCard())).toMatchObject({ status: 409, body: { code: "checkout_paid" } });
  });

  it("makes a second card wait while the first has no answer, and charges it once the first is cancelled", async () => {
    const { id, token } = await makeLink();
    const lost = vi.spyOn(kit.services.charges, "charge").mockRejectedValueOnce(new Error("no answer"));
    await pay(token, byCard());
    lost.mockRestore();
    expect(await pay(token, byCard())).toMatchObject({ status: 409, body: { code: "checkout_being_paid" } });
    await kit.pass({ minutes: 3 });
    expect((await paid(token, byCard())).state).toBe("paid");
    expect(await fetchCharges(id)).toHaveLength(2);
  });

  it("keeps a card sale that was made while a Pix of the link was under way, and reports it as paid twice", async () => {
    const link = await makeLink();
    const code = await paid(link.token, pix);
    kit.mails.length = 0;
    await Promise.all([payAtBank(link, code), paid(link.token, byCard())]);
    await kit.pass({ seconds: 1 });
    expect(await fetchCharges(link.id)).toHaveLength(2);
    expect(kit.mails.some(({ subject }) => subject.startsWith("Pagamento em dobro"))).toBe(true);
  });

  it("LNK-006 names the sale that paid a link, not a Pix that began earlier and arrived later", async () => {
    const link = await makeLink();
    const code = await paid(link.token, pix);
    await kit.pass({ seconds: 1 });
    await payAtBank(link, code);
    await paid(link.token, byCard());
    await kit.pass({ seconds: 1 });
    const { items } = (await kit.admin.call(listPayins, { query: { search: link.id } })).body;
    const sale = items.find(({ payment_type }: Payin) => payment_type === "credit_card");
    expect(items.map(({ id, paid_twice }: Payin) => [id === sale.id, paid_twice]).sort()).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(await listed(link.id)).toMatchObject({ status: "paid", payin_id: sale.id });
  });

  it("charges nothing to a refused card, says what to do but not why, and permits another card", async () => {
    const { id, token } = await makeLink();
    const stolen = chargeMagicValues.find(({ outcome }) => outcome.includes("roubado"))?.value;
    const charge = await paid(token, byCard({ number: stolen }));
    expect(charge).toMatchObject({
      state: "refused",
      card: { authorization_code: null, advice: "other_card" },
    });
    expect(JSON.stringify(charge)).not.toMatch(/stolen|roubado/);
    expect(await fetchStatus(id)).toBe("active");
    // The refused id stays refused; a new id is a new try.
    expect((await paid(token, { ...byCard(), id: charge.id })).state).toBe("refused");
    expect((await paid(token, byCard())).state).toBe("paid");
  });
});

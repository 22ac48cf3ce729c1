/** The payer's page from outside: only the link's address, and a network that answers. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { readCheckoutLogo } from "@malote/contracts/checkout";
import { listPayins, type Payin, refundPayin } from "@malote/contracts/payins";
import { createPaymentLink, type PaymentLink, removePaymentLink } from "@malote/contracts/payment-links";
import { authorize } from "@malote/contracts/session";
import { readBrCode } from "@malote/domain/br-code";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chargeMagicValues } from "../adapters/sandbox/charges/index.ts";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { fetchBalance, horizonteId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { chargeIdOf } from "./charge-id.ts";

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
  terms,
  makeLink,
  open,
  pay,
  paid,
  payAtBank,
  look,
  listed,
  fetchStatus,
  fetchCharges,
  pix,
  boleto,
  byCard,
} = checkoutCalls(
  () => kit,
  () => address,
);

describe("opening a link", () => {
  it("shows the charge, the company's name and whether it has a logo", async () => {
    const { token } = await makeLink({ description: "Turma da noite" });
    expect((await open(token)).body).toEqual({
      company: { name: "Aurora Papelaria e Serviços Ltda", has_logo: false },
      name: "Curso de outubro",
      description: "Turma da noite",
      amount: 150_00,
      expires_at: "2026-08-21T02:59:59.999Z",
      status: "active",
      payment_methods: ["credit_card", "boleto", "pix"],
      max_installments: 3,
    });
    await settings({ hasBoletoCharge: false, hasCardCharge: false });
    expect((await open(token)).body.payment_methods).toEqual(["pix"]);
  });

  it("shows the company's logo, as a picture and nothing else", async () => {
    const { token } = await makeLink();
    const logo = () => kit.call(readCheckoutLogo, { params: { token } }, { address });
    expect((await logo()).status).toBe(404);
    await kit.services.files.put("logos/aurora", Readable.from([Buffer.from("a picture")]));
    const kept = (key: string | null, type: string | null) =>
      kit.services.db.pool.query("UPDATE companies SET logo_key = $1, logo_type = $2", [key, type]);
    await kept("logos/aurora", "image/png");
    expect((await open(token)).body.company.has_logo).toBe(true);
    expect(await logo()).toMatchObject({
      status: 200,
      body: "a picture",
      headers: { "content-type": "image/png", "content-security-policy": "default-src 'none'; sandbox" },
    });
    await kept(null, null);
  });

  it("finds no link by a wrong token, finds no deleted link, and throttles guessing", async () => {
    const { id, token } = await makeLink();
    await kit.admin.call(removePaymentLink, { params: { id } });
    for (const wrong of [token, "A".repeat(22), "x", "a'--", "%00"])
      expect(await open(wrong)).toMatchObject({ status: 404, body: { code: "checkout_not_found" } });
    expect((await pay(token, pix)).body.code).toBe("checkout_not_found");
    const guesses = await Promise.all(Array.from({ length: 100 }, () => open(randomUUID().slice(0, 22))));
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    expect(await open("A".repeat(22))).toMatchObject({ status: 429, body: { code: "too_many_tries" } });
    // A valid link still opens and can be paid, and people can still sign in, because offices share an address.
    const good = (await makeLink()).token;
    expect((await open(good)).status).toBe(200);
    await paid(good, pix);
    const body = { grant_type: "password", email: "helena@aurora.example", password: demoPassword };
    expect((await kit.call(authorize, { body }, { address })).status).toBe(200);
  });
});

describe("refusals", () => {
  it("LNK-007 refuses a link that has ended", async () => {
    const { id, token } = await makeLink({ expires_at: "2026-08-12T12:00:00Z" });
    const start = kit.clock.now();
    kit.clock.set("2026-08-13T03:00:00Z");
    expect((await open(token)).body.status).toBe("expired");
    expect(await pay(token, pix)).toMatchObject({ status: 409, body: { code: "checkout_expired" } });
    kit.clock.set(start);
    expect(await fetchCharges(id)).toEqual([]);
  });

  it.each<[string, object, number, unknown]>([
    ["a method the link does not take", boleto, 422, "checkout_method_off"],
    ["more instalments than the link allows", byCard({}, 4), 422, ["parcelas"]],
    ["a wrong card", byCard({ number: "4000000000000001" }), 422, ["número do cartão"]],
    [
      "nothing of a card",
      byCard({ number: "", holder_name: "", expiry: "", security_code: "" }),
      422,
      ["número do cartão", "nome impresso no cartão", "validade", "código de segurança"],
    ],
    ["a card that is over", byCard({ expiry: "07/26" }), 422, ["validade"]],
    ["a payer without a name", { ...pix, payer: { ...payer, name: "Marina" } }, 422, ["nome completo"]],
    ["a payer without a document", { ...pix, payer: { ...payer, cpf_cnpj: "1" } }, 422, ["CPF ou CNPJ"]],
    ["no method", { payment_method: "ted" }, 400, "invalid_request"],
  ])("%s, and nothing is charged", async (_, body, status, expected) => {
    const { id, token } = await makeLink({ payment_methods: ["pix", "credit_card"] });
    const answer = await pay(token, body);
    const { code, data } = answer.body;
    expect([answer.status, code === "checkout_invalid" ? data.fields : code]).toEqual([status, expected]);
    expect(await fetchCharges(id)).toEqual([]);
  });

  it("refuses more than ten new charges of one payer in a quarter of an hour, repeated ones not counted", async () => {
    const { token } = await makeLink();
    const id = randomUUID();
    for (let made = 0; made < 3; made++) await paid(token, { ...pix, id });
    const others = await Promise.all(Array.from({ length: 9 }, () => pay(token, pix)));
    expect(others.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(await pay(token, pix)).toMatchObject({ status: 429, body: { code: "too_many_tries" } });
    await paid(token, { ...pix, id });
    // A payer with IPv6 has very many addresses, so their whole network counts as one.
    address = "2001:db8:1:2::1";
    const sixth = Array.from({ length: 10 }, (_, n) => {
      address = `2001:db8:1:2::${n + 1}`;
      return pay(token, pix);
    });
    expect((await Promise.all(sixth)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    address = "2001:db8:1:2:ffff::1";
    expect((await pay(token, pix)).status).toBe(429);
  });

  it("keeps a merchant's link open despite requests of strangers, and does not count these for the payer", async () => {
    const { token } = await makeLink();
    for (let made = 0; made < 10; made++) await paid(token, pix);
    expect((await pay(token, pix)).status).toBe(429);
    address = "192.0.2.77";
    expect((await paid(token, byCard())).state).toBe("paid");
  });

  it("refuses any card after a payer's fifth declined one, and after the link's thirtieth", async () => {
    const refusedCard = chargeMagicValues.find(({ outcome }) => outcome.includes("roubado"))?.value;
    const { token } = await makeLink();
    for (let tried = 0; tried < 5; tried++)
      expect((await paid(token, byCard({ number: refusedCard }))).state).toBe("refused");
    expect(await pay(token, byCard())).toMatchObject({ status: 429, body: { code: "too_many_tries" } });
    // The payer can still pay by another method.
    await paid(token, pix);
    for (let tried = 5; tried < 30; tried++) {
      address = `198.51.100.${tried}`;
      expect((await paid(token, byCard({ number: refusedCard }))).state).toBe("refused");
    }
    address = "198.51.100.200";
    expect((await pay(token, byCard())).status).toBe(429);
  });
});

describe("paying by Pix", () => {
  it("LNK-006 LNK-007 LNK-009 charges the link's amount, and marks the link paid when the money arrives", async () => {
    const { id: linkId, token } = await makeLink();
    const before = await fetchBalance(kit.admin);
    const charge = await paid(token, { ...pix, amount: 1 });
    expect(charge).toMatchObject({ state: "waiting", amount: 150_00, boleto: null, card: null });
    expect(readBrCode(charge.pix?.code ?? "")).toMatchObject({ isSingleUse: true, key: null });
    expect(await look(token, charge.id)).toEqual(charge);
    expect(await listed(linkId)).toMatchObject({ status: "active", payin_id: null });
    // The payer began to pay by another method and stopped.
    await paid(token, pix);

    await payAtBank({ id: linkId }, charge);
    await kit.pass({ seconds: 1 });
    expect(await look(token, charge.id)).toMatchObject({ state: "paid", pix: null });
    expect((await open(token)).body.status).toBe("paid");
    const { items } = (await kit.admin.call(listPayins, { query: { search: linkId } })).body;
    const payin = items.find(({ status }) => status === "received");
    expect(await listed(linkId)).toMatchObject({ status: "paid", payin_id: payin.id });
    expect(await fetchBalance(kit.admin)).toBe(before + 150_00);
    expect(await kit.admin.call(removePaymentLink, { params: { id: linkId } })).toMatchObject({
      status: 409,
      body: { code: "payment_link_paid", message: "O link não pode ser excluído pois já foi recebido" },
    });
    expect(await pay(token, pix)).toMatchObject({ status: 409, body: { code: "checkout_paid" } });
  });

  it("makes one charge from two equal concurrent requests, only for their link", async () => {
    const [{ id: linkId, token }, other] = await Promise.all([makeLink(), makeLink()]);
    const id = randomUUID();
    const [one, two] = await Promise.all([paid(token, { ...pix, id }), paid(token, { ...pix, id })]);
    expect(one).toEqual(two);
    expect(await fetchCharges(linkId)).toHaveLength(1);
    expect(await look(other.token, id)).toMatchObject({ code: "not_found" });
    expect(await pay(token, { ...boleto, id })).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });

  it("makes two charges from one id at the links of two companies, by Pix and by card", async () => {
    const theirs = async (amount: number): Promise<PaymentLink & { token: string }> => {
      const { body: link } = await kit.stranger.call(createPaymentLink, { body: { ...terms, amount } });
      return { ...link, token: link.link.split("/").at(-1) ?? "" };
    };
    const [id, cheap, dear] = [randomUUID(), await theirs(1_00), await makeLink({ amount: 10_000_00 })];
    for (const { token } of [cheap, dear]) await paid(token, { ...pix, id });
    const name = { companyId: horizonteId, id: cheap.id };
    expect(await kit.charges.pay(chargeIdOf(name, id))).toBe(true);
    await kit.pass({ seconds: 1 });
    expect((await look(cheap.token, id)).state).toBe("paid");
    expect(await look(dear.token, id)).toMatchObject({ id, state: "waiting", amount: 10_000_00 });
    // Only the charge of the other method is cancelled.
    const [third, fourth] = [await theirs(1_00), await makeLink()];
    for (const { token } of [third, fourth]) await paid(token, { ...pix, id });
    await kit.stranger.call(removePaymentLink, { params: { id: third.id } });
    await kit.drainJobs();
    expect((await look(fourth.token, id)).state).toBe("waiting");

    const [small, large] = [await theirs(1_00), await makeLink({ amount: 10_000_00 })];
    const stolen = chargeMagicValues.find(({ outcome }) => outcome.includes("roubado"))?.value;
    expect((await paid(small.token, { ...byCard(), id })).state).toBe("paid");
    expect((await paid(large.token, { ...byCard({ number: stolen }), id })).state).toBe("refused");
    expect(await fetchCharges(large.id)).toEqual([{ status: "unauthorized", amount: 10_000_00 }]);
  });

  it("shows the slower of two payers that the link has ended, and keeps both concurrent payments", async () => {
    const link = await makeLink();
    const { token } = link;
    const [first, second] = await Promise.all([paid(token, pix), paid(token, pix)]);
    await payAtBank(link, first);
    await kit.pass({ seconds: 1 });
    expect((await look(token, second.id)).state).toBe("ended");
    expect(await payAtBank(link, second)).toBe(false);

    const other = await makeLink();
    const [third, fourth] = await Promise.all([paid(other.token, pix), paid(other.token, pix)]);
    const before = await fetchBalance(kit.admin);
    await Promise.all([payAtBank(other, third), payAtBank(other, fourth)]);
    await kit.pass({ seconds: 1 });
    expect(await fetchCharges(other.id)).toEqual(Array(2).fill({ status: "received", amount: 150_00 }));
    expect(await fetchBalance(kit.admin)).toBe(before + 2 * 150_00);
  });

  it("e-mails the company once about the second of two payments, which it refunds by the usual call", async () => {
    const link = await makeLink();
    const charges = await Promise.all([paid(link.token, pix), paid(link.token, pix)]);
    kit.mails.length = 0;
    await Promise.all(charges.map((charge) => payAtBank(link, charge)));
    await kit.pass({ seconds: 1 });
    const notices = kit.mails.filter(({ subject }) => /^Pagamento em dobro de R\$\s150,00$/.test(subject));
    expect(new Set(notices.map(({ to }) => to)).size).toBe(notices.length);
    expect(notices.map(({ to }) => to)).toContain("helena@aurora.example");
    const { body } = await kit.admin.call(listPayins, { query: { page_size: "100" } });
    const ofLink = body.items.filter(({ payment_link_id }) => payment_link_id === link.id);
    expect(ofLink.map(({ paid_twice }) => paid_twice).sort()).toEqual([false, true]);
    const second = ofLink.find(({ paid_twice }) => paid_twice);
    expect(notices[0]?.text).toContain(`recebimento=${second.id}`);
    const before = await fetchBalance(kit.admin);
    const refund = { params: { id: second.id }, body: { amount: 150_00 } };
    const given = await kit.admin.call(refundPayin, refund, { "idempotency-key": randomUUID() });
    expect(given.status).toBe(200);
    expect(await fetchBalance(kit.admin)).toBe(before - 150_00);
  });

  it("LNK-007 keeps a refunded link paid, and permits neither another payment nor its deletion", async () => {
    const link = await makeLink();
    await payAtBank(link, await paid(link.token, pix));
    await kit.pass({ seconds: 1 });
    const payin = async (): Promise<Payin> =>
      (await kit.admin.call(listPayins, { query: { search: link.id } })).body.items[0];
    const params = { id: (await payin()).id };
    const seen: unknown[] = [];
    const note = async () => seen.push([(await payin()).status, await fetchStatus(link.id)]);
    for (const amount of [50_00, 100_00]) {
      const key = { "idempotency-key": randomUUID() };
      expect((await kit.admin.call(refundPayin, { params, body: { amount } }, key)).status).toBe(200);
      await note();
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      await note();
    }
    expect(seen).toEqual([
      ["refunding", "paid"],
      ["partially_refunded", "paid"],
      ["refunding", "paid"],
      ["refunded", "paid"],
    ]);
    expect((await pay(link.token, pix)).body.code).toBe("checkout_paid");
    const removed = await kit.admin.call(removePaymentLink, { params: { id: link.id } });
    expect(removed.body.code).toBe("payment_link_paid");
  });

  it("cancels the open charges of a deleted link", async () => {
    const { id, token } = await makeLink();
    const charge = await paid(token, pix);
    await kit.admin.call(removePaymentLink, { params: { id } });
    await kit.drainJobs();
    expect(await payAtBank({ id }, charge)).toBe(false);
    expect(await look(token, charge.id)).toMatchObject({ code: "checkout_not_found" });
  });

  it("cancels the open charges of a deleted link even when the job for it was lost", async () => {
    const { id, token } = await makeLink();
    const charge = await paid(token, pix);
    await kit.admin.call(removePaymentLink, { params: { id } });
    kit.enqueued.length = 0;
    await kit.pass({ minutes: 3 });
    expect(await payAtBank({ id }, charge)).toBe(false);
    expect(await fetchCharges(id)).toEqual([{ status: "canceled_by_user", amount: 150_00 }]);
  });

  it("shows nothing to pay while the network has not answered", async () => {
    const { token } = await makeLink();
    await kit.network.changeSettings({ timeout_percent: 100 });
    const charge = await paid(token, pix);
    expect(charge).toMatchObject({ state: "preparing", pix: null });
    await kit.network.changeSettings({ timeout_percent: 0 });
    await kit.pass({ minutes: 3 });
    expect((await look(token, charge.id)).state).toBe("waiting");
  });
});

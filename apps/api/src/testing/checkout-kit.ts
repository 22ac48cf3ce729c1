/** Uses the checkout as its payers do. */
import { randomUUID } from "node:crypto";
import {
  type CheckoutCharge,
  payCheckout,
  readCheckout,
  readCheckoutCharge,
} from "@malote/contracts/checkout";
import { createPaymentLink, listPaymentLinks, type PaymentLink } from "@malote/contracts/payment-links";
import { expect } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { chargeIdOf } from "../checkout/charge-id.ts";
import { setCompany } from "./operator-kit.ts";
import { auroraId, horizonteId, type PaymentsKit } from "./payments-kit.ts";

export function checkoutCalls(kit: () => PaymentsKit, address: () => string) {
  const settings = async (given: Record<string, boolean>) => {
    for (const companyId of [auroraId, horizonteId]) await setCompany(kit().services, companyId, given);
  };

  const payer = { name: "Marina Lopes", cpf_cnpj: "123.456.789-09" };

  const card = {
    number: goodCard.replace(/(\d{4})(?=\d)/g, "$1 "),
    holder_name: "MARINA LOPES",
    expiry: "12/30",
    security_code: "123",
  };

  const terms = {
    name: "Curso de outubro",
    amount: 150_00,
    expires_at: "2026-08-20T12:00:00Z",
    payment_methods: ["pix", "boleto", "credit_card"],
    payment_method_details: { boleto: { due_days: 3 }, credit_card: { max_installments: 3 } },
  };

  async function makeLink(changes: object = {}): Promise<PaymentLink & { token: string }> {
    const { body: link } = await kit().admin.call(createPaymentLink, { body: { ...terms, ...changes } });
    return { ...link, token: link.link.split("/").at(-1) ?? "" };
  }

  const open = (token: string) => kit().call(readCheckout, { params: { token } }, { address: address() });

  const pay = (token: string, body: object) =>
    kit().call(
      payCheckout,
      { params: { token }, body: { id: randomUUID(), payer, ...body } },
      { address: address() },
    );

  const paid = async (token: string, body: object): Promise<CheckoutCharge> => {
    const answer = await pay(token, body);
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    return answer.body;
  };

  /** Pays as a payer's bank does, which knows the code of the charge and not the id of the page. */
  const payAtBank = (link: { id: string }, { id }: CheckoutCharge) =>
    kit().charges.pay(chargeIdOf({ companyId: auroraId, id: link.id }, id));

  const look = async (token: string, id: string) =>
    (await kit().call(readCheckoutCharge, { params: { token, id } }, { address: address() })).body;

  /** Returns the link from the company's list. */
  const listed = async (id: string): Promise<PaymentLink | undefined> => {
    const { items } = (await kit().admin.call(listPaymentLinks, { query: { page_size: "100" } })).body;
    return items.find((link: PaymentLink) => link.id === id);
  };

  const fetchStatus = async (id: string) => (await listed(id))?.status;

  const fetchCharges = async (linkId: string) =>
    (
      await kit().services.db.pool.query(
        "SELECT status, amount FROM payins WHERE payment_link_id = $1 ORDER BY created_at",
        [linkId],
      )
    ).rows;

  const pix = { payment_method: "pix" };

  const boleto = { payment_method: "boleto" };

  const byCard = (changes: object = {}, installments = 1) => ({
    payment_method: "credit_card",
    installments,
    card: { ...card, ...changes },
  });

  return {
    settings,
    payer,
    card,
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
  };
}

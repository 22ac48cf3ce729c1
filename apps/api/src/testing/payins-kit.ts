/** Receives, reads and refunds payins in tests. */
import { randomUUID } from "node:crypto";
import { listPayinRefunds, listPayins, type Payin, readPayin, refundPayin } from "@malote/contracts/payins";
import { depositPix } from "@malote/contracts/simulator-payins";
import { expect } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { type ChargeRequest, createCharge } from "../payins/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Person } from "./app.ts";
import { setCompany } from "./operator-kit.ts";
import { auroraId, auroraKey, type PaymentsKit } from "./payments-kit.ts";

export function payinCalls(kit: () => PaymentsKit) {
  const deposit = async (value: number, more: Record<string, string> = {}) => {
    const { status, body } = await kit().call(depositPix, { body: { pix_key: auroraKey, value, ...more } });
    expect(status).toBe(200);
    await kit().pass({ seconds: 1 });
    return body.end_to_end_id as string;
  };

  const list = async (query: Record<string, string> = {}, by: Person = kit().admin) =>
    (await by.call(listPayins, { query })).body;

  const fetchPayin = async (search: string): Promise<Payin> => (await list({ search })).items[0];

  const read = async (id: string): Promise<Payin> =>
    (await kit().admin.call(readPayin, { params: { id } })).body;

  const refund = (id: string, amount: number, by: Person = kit().admin, key: string = randomUUID()) =>
    by.call(refundPayin, { params: { id }, body: { amount } }, { "idempotency-key": key });

  const fetchRefunds = async (id: string) =>
    (await kit().admin.call(listPayinRefunds, { params: { id } })).body.items;

  const received = async (value: number) => fetchPayin(await deposit(value));

  const withPermissions = async (permissions: string[], work: () => Promise<void>) => {
    const set = (held: string[]) => setCompany(kit().services, auroraId, { permissions: held });
    await set(permissions);
    try {
      await work();
    } finally {
      await set(["all"]);
    }
  };

  const charged = async (amount: number, method: ChargeRequest["method"]) => {
    const payer = { name: "Bruno Sales", taxId: "11222333000181" };
    const id = uuidv7();
    const request = { id, paymentLinkId: null, amount, payer, description: null, method };
    await createCharge(kit().services, auroraId, request);
    return id;
  };

  const soldByCard = (amount: number, number: string = goodCard) => {
    const card = { number, holder: "M", expiry: { month: 12, year: 2031 }, securityCode: "123" };
    return charged(amount, { kind: "credit_card", installments: 2, card });
  };

  return {
    deposit,
    list,
    fetchPayin,
    read,
    refund,
    fetchRefunds,
    received,
    withPermissions,
    charged,
    soldByCard,
  };
}

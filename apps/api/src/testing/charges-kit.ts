/** Creates charges as the selling features do. */

import { type ChargeRequest, createCharge } from "../payins/index.ts";
import { findPayin } from "../payins/store.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { auroraId, fetchBalance, type PaymentsKit } from "./payments-kit.ts";

export const payer = { name: "Mariana Teles Prado", taxId: "52998224725" };

export const card = (number: string) => ({
  number,
  holder: "MARIANA T PRADO",
  expiry: { month: 12, year: 2031 },
  securityCode: "123",
});

export const buildChargeRequest = (
  method: ChargeRequest["method"],
  changes: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  id: uuidv7(),
  paymentLinkId: null,
  amount: 150_00,
  payer,
  description: "Pedido 12",
  method,
  ...changes,
});

export const sale = (number: string, installments = 1) =>
  buildChargeRequest({ kind: "credit_card", installments, card: card(number) });

export function chargeCalls(kit: () => PaymentsKit) {
  const charge = (request: ChargeRequest) => createCharge(kit().services, auroraId, request);

  const payin = (id: string) => kit().services.db.readCompany(auroraId, (tx) => findPayin(tx, id));

  const write = <T>(work: (tx: Tx) => Promise<T>) => kit().services.db.withCompany(auroraId, work);

  /** Returns the growth of the balance during the work. */
  async function grown(work: () => Promise<unknown>): Promise<number> {
    const before = await fetchBalance(kit().admin);
    await work();
    return (await fetchBalance(kit().admin)) - before;
  }

  return { charge, payin, write, grown };
}

/** Payins of the fake server. */
import {
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinTotals,
} from "@malote/contracts/payins";
import { screen } from "@testing-library/react";
import { fakeServer, refuse } from "./fake-server.ts";

export const payinsHome = "/recebimentos/recebiveis";
export const textOf = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
export const noPayins = { total_amount: 0, count: 0 };

let made = 0;

export function buildPayin(changes: Partial<Payin> = {}): Payin {
  const id = `01990000-0000-7000-8000-${String(++made).padStart(12, "0")}`;
  return {
    id,
    status: "received",
    created_at: "2026-11-10T13:00:00.000Z",
    updated_at: "2026-11-10T13:00:00.000Z",
    received_at: "2026-11-10T13:00:00.000Z",
    refund_expires_at: "2099-01-01T00:00:00.000Z",
    expires_at: null,
    amount: 150_00,
    original_amount: null,
    received_amount: 150_00,
    refunded_amount: 0,
    refundable_amount: 150_00,
    rejected_at: null,
    payer: { name: "Bruno Sales", tax_id: "***.982.247-**" },
    payment_type: "pix_key",
    category: "payment",
    payment_link_id: null,
    paid_twice: false,
    end_to_end_id: "E88888801202611101300abcdefghijk",
    txid: null,
    payment_link: null,
    message: null,
    infraction_ids: [],
    boleto_url: null,
    receipt_file_url: null,
    block: null,
    details: {
      installments: null,
      digitable_line: null,
      authorization_code: null,
      pix_key: "pix@aurora.example",
      due_date: null,
      charge_id: null,
      interest_type: null,
      interest_amount: null,
      interest_percent: null,
      fine_type: null,
      fine_amount: null,
      fine_percent: null,
      rejection_reason: null,
    },
    ...changes,
  };
}

export const pageOfPayins = (items: Payin[], pagination = {}) => ({
  items,
  metadata: { pagination: { itemsPerPage: 10, totalItems: items.length, ...pagination } },
});
export const rowOf = async (name: string) =>
  (await screen.findByRole("link", { name })).closest("tr") as HTMLElement;

/** Calls `all` for each request, because a test changes it. */
export function servePayins(all: () => Payin[]): void {
  fakeServer.on(listPayins, () => pageOfPayins(all()));
  // Every amount and number differs, so that swapped figures are noticed.
  fakeServer.on(readPayinTotals, () => ({
    pending: { total_amount: 30_00, count: 3 },
    authorized: { total_amount: 90_00, count: 1 },
    received: { total_amount: 150_00, count: 1 },
    refunded: { total_amount: 40_00, count: 4 },
    blocked: { total_amount: 200_00, count: 2 },
    canceled: { total_amount: 50_00, count: 5 },
    unauthorized: { total_amount: 60_00, count: 6 },
    expired: { total_amount: 349_90, count: 1 },
  }));
  fakeServer.on(
    readPayin,
    ({ params }) => all().find(({ id }) => id === params["id"]) ?? refuse("not_found"),
  );
  fakeServer.on(listPayinRefunds, () => ({
    items: [],
    metadata: { pagination: { itemsPerPage: 0, totalItems: 0 } },
  }));
}

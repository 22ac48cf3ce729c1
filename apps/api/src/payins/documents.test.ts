/** Receipts of payins and refunds, and the sheet of the list. */
import { bases, type Contract } from "@malote/contracts/contract";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  downloadRefundReceipt,
  readPayinReport,
  requestPayinReport,
} from "@malote/contracts/payins";
import { afterAll, beforeAll, expect, it } from "vitest";
import { linesOf } from "../receipts/testing.ts";
import { payinCalls } from "../testing/payins-kit.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { deposit, fetchPayin, read, refund, fetchRefunds, received, charged, soldByCard } = payinCalls(
  () => kit,
);

it("PAY-020 PAY-033 has a receipt of received and of refunded money, and of nothing else", async () => {
  const pdf = async (contract: Contract, params: Record<string, string>) => {
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
    const answer = await kit.server.inject({
      url: bases.payments + path,
      headers: { authorization: `Bearer ${kit.analyst.token}` },
    });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/pdf"]);
    return linesOf(answer.rawPayload);
  };
  const e2e = await deposit(100_00, { message: "Sinal do bolo" });
  const { id, receipt_file_url } = await fetchPayin(e2e);
  expect(receipt_file_url).toBe(`/api/payments/app/payins/${id}/receipt`);
  const lines = await pdf(downloadPayinReceipt, { id });
  expect(lines).toEqual(
    expect.arrayContaining([
      "Comprovante de recebimento",
      "R$ 100,00",
      "Mariana Teles Prado",
      "***.982.247-**",
      "Sinal do bolo",
      e2e,
    ]),
  );
  expect(await pdf(downloadPayinReceipt, { id })).toEqual(lines);
  expect((await kit.stranger.call(downloadPayinReceipt, { params: { id } })).status).toBe(404);

  const { body: requested } = await refund(id, 40_00);
  const params = { id, refund_id: requested.id };
  expect(requested.receipt_file_url).toBeNull();
  expect((await kit.admin.call(downloadRefundReceipt, { params })).body.code).toBe("receipt_missing");
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  expect((await fetchRefunds(id))[0]).toMatchObject({
    status: "succeeded",
    receipt_file_url: `/api/payments/app/payins/${id}/refunds/${requested.id}/receipt`,
  });
  expect(await pdf(downloadRefundReceipt, params)).toEqual(
    expect.arrayContaining(["Comprovante de devolução", "R$ 40,00", "Pedida pela empresa", requested.id]),
  );
  // The receipt of another payin's refund is not found here.
  const other = await received(12_00);
  const stray = { ...params, id: other.id };
  expect((await kit.admin.call(downloadRefundReceipt, { params: stray })).status).toBe(404);

  const sold = await soldByCard(80_00);
  expect(await pdf(downloadPayinReceipt, { id: sold })).toEqual(
    expect.arrayContaining(["Comprovante de venda no cartão", "Valor da venda", "R$ 80,00", "2x"]),
  );
  const open = await charged(9_00, { kind: "pix" });
  expect(await read(open)).toMatchObject({ receipt_file_url: null });
  expect((await kit.admin.call(downloadPayinReceipt, { params: { id: open } })).body.code).toBe(
    "receipt_missing",
  );
});

it("PAY-036 exports the list as a sheet for people who may see it", async () => {
  await deposit(31_00, { payer_name: "=2+3" });
  const body = { search: "2+3", status__in: ["received"] };
  const { body: requested } = await kit.analyst.call(requestPayinReport, { body });
  const params = { id: requested.id };
  const { body: ready } = await kit.analyst.call(readPayinReport, { params });
  expect(ready).toEqual({
    link: `/api/payments/app/payin_reports/${requested.id}/file`,
    filename: expect.stringMatching(/^Recebimentos \d{4}-\d\d-\d\d\.csv$/),
  });
  const { body: text } = await kit.analyst.call(downloadPayinReport, { params });
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("31,00");
  expect(lines[1]).not.toMatch(/(^|;)"?=2/);
  const fetchRows = async (filters: object) => {
    const { body: made } = await kit.admin.call(requestPayinReport, { body: { search: "2+3", ...filters } });
    const sheet = await kit.admin.call(downloadPayinReport, { params: { id: made.id } });
    return sheet.body.trim().split("\r\n").length - 1;
  };
  expect([
    await fetchRows({ payment_type__in: ["pix_key"] }),
    await fetchRows({ payment_type__in: ["ted"] }),
    await fetchRows({ status__in: ["received"] }),
    await fetchRows({ status__in: ["pending", "refunded"] }),
    await fetchRows({ created_at__gte: "2099-01-01T00:00:00Z" }),
    await fetchRows({ created_at__lte: "2024-02-01T00:00:00Z" }),
  ]).toEqual([1, 0, 1, 0, 0, 0]);
  for (const contract of [readPayinReport, downloadPayinReport]) {
    expect((await kit.stranger.call(contract, { params })).status).toBe(404);
  }
});

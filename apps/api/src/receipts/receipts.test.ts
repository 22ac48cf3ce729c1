import { listTransfersWithReceipt, readBatch } from "@malote/contracts/batches";
import { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import { listTransfers, readTransfer, type Transfer } from "@malote/contracts/transfers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { draft, openPayments, type PaymentsKit, paidFor, pix, ted } from "../testing/payments-kit.ts";
import { failing, hostile, receiptCalls, someone } from "../testing/receipts-kit.ts";
import { linesOf, pagesOf } from "./testing.ts";

let kit: PaymentsKit;
/** A batch with a Pix that arrived, a TED that arrived and a Pix that failed, in this order. */
let batchId: string;
let arrived: Transfer;
let failed: Transfer;
/** The batch is a draft, so nothing of it is paid. */
let draftId: string;
beforeAll(async () => {
  kit = await openPayments();
  batchId = await paidFor(kit, [
    pix(1_234_56, { pix_description: "Salário <b>agosto</b>", integration_id: "RH-7" }),
    ted(100_00, {}, "11222333000181"),
    pix(50_00, { destination_bank_account: failing }),
  ]);
  await kit.services.db.pool.query("UPDATE batches SET name = $1 WHERE id = $2", [hostile, batchId]);
  await kit.drainJobs();
  await kit.pass({ hours: 2 });
  const { transfers } = (await kit.admin.call(readBatch, { params: { id: batchId } })).body;
  [arrived, , failed] = transfers;
  draftId = (await draft(kit.admin)).id;
  await kit.drainJobs();
  kit.mails.splice(0);
});
afterAll(() => kit.close());

const { file } = receiptCalls(() => kit);

describe("one receipt", () => {
  it("SES-034 refuses a caller without a session", async () => {
    const answer = await kit.call(downloadReceipt, { params: { id: arrived.id } });
    expect(answer).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("is for another company as if the payment did not exist", async () => {
    const theirs = await kit.stranger.call(downloadReceipt, { params: { id: arrived.id } });
    const nobodys = await kit.stranger.call(downloadReceipt, { params: { id: someone } });
    expect(theirs).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect({ ...theirs.body, requestId: "" }).toEqual({ ...nobodys.body, requestId: "" });
  });

  it("TRF-056 does not exist for a payment whose money did not arrive", async () => {
    const answer = await kit.admin.call(downloadReceipt, { params: { id: failed.id } });
    expect(answer).toMatchObject({ status: 404, body: { code: "receipt_missing" } });
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "TRF-056 is a PDF of the payment, for %s",
    async (who) => {
      const { status, headers, bytes } = await file(kit[who], downloadReceipt, arrived.id);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("application/pdf");
      expect(headers["content-disposition"]).toBe(
        `attachment; filename="Comprovante Maria Souza.pdf"; filename*=UTF-8''Comprovante%20Maria%20Souza.pdf`,
      );
      expect(pagesOf(bytes)).toBe(1);
      expect(linesOf(bytes)).toEqual(
        expect.arrayContaining([
          "R$ 1.234,56",
          expect.stringMatching(/^12\/08\/2026 às 10:00:0\d \(horário de Brasília\)$/),
          "Maria Souza",
          "maria@exemplo.com.br",
          demoCompanies[0]?.name,
          "Salário agosto",
          "RH-7",
          arrived.end_to_end_id,
          arrived.id,
          '<b>Zoë</b> "Lote" set-cookie: x ../',
        ]),
      );
    },
  );

  it("is the same the next time, a day later", async () => {
    const first = await file(kit.admin, downloadReceipt, arrived.id);
    kit.clock.advance({ days: 1 });
    const again = await file(kit.admin, downloadReceipt, arrived.id);
    kit.clock.advance({ days: -1 });
    expect(again.bytes.equals(first.bytes)).toBe(true);
  });

  it("has a code that changes with the payment, but not with the batch's name", async () => {
    const fetchCode = async () => linesOf((await file(kit.admin, downloadReceipt, arrived.id)).bytes).at(-1);
    const code = await fetchCode();
    expect(code).toMatch(/^([0-9A-F]{4}\.){7}[0-9A-F]{4}$/);
    const change = (text: string, value: unknown) => kit.services.db.pool.query(text, [value, arrived.id]);
    await kit.services.db.pool.query("UPDATE batches SET name = 'Outro' WHERE id = $1", [batchId]);
    expect(await fetchCode()).toBe(code);
    await kit.services.db.pool.query("UPDATE batches SET name = $1 WHERE id = $2", [hostile, batchId]);
    await change("UPDATE transfers SET name = $1 WHERE id = $2", "Maria Sousa");
    expect(await fetchCode()).not.toBe(code);
    await change("UPDATE transfers SET name = $1 WHERE id = $2", "Maria Souza");
    expect(await fetchCode()).toBe(code);
  });

  it("TRF-001 TRF-056 is linked by receipt_url of a payment that arrived, and of no other", async () => {
    const url = `/api/payments/app/transfer/${arrived.id}/receipt`;
    expect((await kit.admin.call(readTransfer, { params: { id: arrived.id } })).body.receipt_url).toBe(url);
    expect((await kit.admin.get(url)).status).toBe(200);
    const all = (await kit.admin.call(listTransfers, { params: { id: batchId } })).body.data;
    expect(all.map((one: Transfer) => [one.status, one.receipt_url !== null])).toEqual([
      [expect.stringMatching(/TRANSFERRED|FINISHED/), true],
      [expect.stringMatching(/TRANSFERRED|FINISHED/), true],
      ["FAILED", false],
    ]);
  });
});

describe("the document of the bank", () => {
  const makeCall = (by: Pick<Person, "token">, id: string) => file(by, downloadBankReceipt, id);

  it("TRF-001 is refused without a token, for another company's payment, and for one that did not arrive", async () => {
    const params = { id: arrived.id };
    expect((await kit.call(downloadBankReceipt, { params })).status).toBe(401);
    expect((await kit.stranger.call(downloadBankReceipt, { params })).body.code).toBe("not_found");
    expect((await kit.admin.call(downloadBankReceipt, { params: { id: failed.id } })).body.code).toBe(
      "receipt_missing",
    );
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "TRF-001 is the network's own PDF of this payment, for %s, at its bank_receipt_url",
    async (who) => {
      const url = `/api/payments/app/transfer/${arrived.id}/bankReceipt`;
      const { body } = await kit[who].call(readTransfer, { params: { id: arrived.id } });
      expect(body.bank_receipt_url).toBe(url);
      const { status, headers, bytes } = await makeCall(kit[who], arrived.id);
      expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
      expect(headers["content-disposition"]).toBe(
        `attachment; filename="Comprovante do banco Maria Souza.pdf"; filename*=UTF-8''Comprovante%20do%20banco%20Maria%20Souza.pdf`,
      );
      expect(linesOf(bytes)).toEqual(
        expect.arrayContaining(["Valor: R$ 1.234,56", `Identificador: ${arrived.end_to_end_id}`]),
      );
      expect((await makeCall(kit[who], arrived.id)).bytes.equals(bytes)).toBe(true);
    },
  );

  it("TRF-001 is linked only by payments that arrived", async () => {
    const all = (await kit.admin.call(listTransfers, { params: { id: batchId } })).body.data;
    expect(all.map((one: Transfer) => one.bank_receipt_url !== null)).toEqual([true, true, false]);
  });

  it("is requested by our key and by every number of the network's own", async () => {
    const { rails, db } = kit.services;
    const { rows } = await db.pool.query(
      `INSERT INTO provider_references (company_id, key, connection, kind, value, first_seen)
       SELECT company_id, end_to_end_id, 'sandbox', 'protocol', 'P-1', now() FROM transfers WHERE id = $1 RETURNING key`,
      [arrived.id],
    );
    const requested: unknown[] = [];
    try {
      kit.services.rails = { ...rails, proof: async (order) => void requested.push(order) };
      await kit.admin.call(downloadBankReceipt, { params: { id: arrived.id } });
    } finally {
      kit.services.rails = rails;
    }
    const references = [{ kind: "protocol", value: "P-1" }];
    expect(requested).toEqual([{ endToEndId: rows[0].key, references }]);
  });

  it("is reported missing while the network has none, and unavailable while it does not answer", async () => {
    const { rails } = kit.services;
    try {
      kit.services.rails = { ...rails, proof: async () => undefined };
      expect((await kit.admin.call(downloadBankReceipt, { params: { id: arrived.id } })).body.code).toBe(
        "bank_receipt_missing",
      );
      kit.services.rails = { ...rails, proof: () => Promise.reject(new Error("the network is away")) };
      const away = await kit.admin.call(downloadBankReceipt, { params: { id: arrived.id } });
      expect([away.status, away.body.code]).toEqual([503, "bank_receipt_unavailable"]);
    } finally {
      kit.services.rails = rails;
    }
  });
});

describe("the payments of a batch that have a receipt", () => {
  const list = (by: Person, id: string, page = "0") =>
    by.call(listTransfersWithReceipt, { params: { id }, query: { page } });

  it("are not found by another company", async () => {
    expect(await list(kit.stranger, batchId)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("BAT-028 are those that arrived, in the order of the batch, page by page", async () => {
    const { body } = await list(kit.analyst, batchId);
    expect(body.metadata.pagination).toEqual({ itemsPerPage: 50, totalItems: 2 });
    expect(body.data.map(({ value }) => value)).toEqual([1_234_56, 100_00]);
    expect(body.data.every(({ receipt_url }) => receipt_url)).toBe(true);
    expect((await list(kit.analyst, batchId, "1")).body).toMatchObject({
      data: [],
      metadata: { pagination: { totalItems: 2 } },
    });
  });

  it("BAT-028 BAT-029 do not exist in a batch that was not paid", async () => {
    expect((await list(kit.admin, draftId)).body).toMatchObject({
      data: [],
      metadata: { pagination: { totalItems: 0 } },
    });
  });
});

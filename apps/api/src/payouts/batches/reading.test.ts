/** Batches on read: lists, sums, checks and the report file. */
import { deleteBatch, rejectBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import {
  createBatch,
  downloadBatchReport,
  listBatches,
  readBatchSummary,
  readHasFailed,
  requestBatchReport,
  validateBatch,
} from "@malote/contracts/batches";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import { openXlsx } from "@malote/sheet-reader/read-xlsx";
import { cellKind, type SheetRow } from "@malote/sheet-reader/sheet-row";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import {
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const remove = (by: Person, id: string) => by.call(deleteBatch, { params: { id } });
const list = (query: Record<string, string>, by = kit.admin) =>
  by.call(listBatches, { query: { initialDate: "2026-08-01", endDate: "2026-08-31", page: "0", ...query } });

describe("reading", () => {
  it("BAT-012 lists the batches of the requested days in São Paulo", async () => {
    const made: Record<string, string> = {};
    for (const at of [
      "2026-10-01T02:59:59Z",
      "2026-10-01T03:00:00Z",
      "2026-11-01T02:59:59Z",
      "2026-11-01T03:00:00Z",
    ]) {
      await kit.passUntil(at);
      made[at] = (await draft(kit.admin, [pix(10_00)])).id;
    }
    const october = (await list({ initialDate: "2026-10-01", endDate: "2026-10-31" })).body;
    expect(october.data.map((one) => one.id)).toEqual([
      made["2026-11-01T02:59:59Z"],
      made["2026-10-01T03:00:00Z"],
    ]);
    expect(october.summary).toEqual({ count: 2, value: 20_00 });
    expect((await list({ initialDate: "2026-10-31", endDate: "2026-10-01" })).body.data).toEqual([]);
    expect((await list({ initialDate: "2026-13-01" })).body.code).toBe("invalid_request");
    expect((await list({ page: "-1" })).body.code).toBe("invalid_request");
    expect(
      (await list({ initialDate: "2026-10-01", endDate: "2026-10-31" }, kit.stranger)).body.data,
    ).toEqual([]);
  });

  it("BAT-011 searches by name and value, filters by status, and pages with the sums of the whole filter", async () => {
    await kit.passUntil("2026-12-03T15:00:00Z");
    const within = { initialDate: "2026-12-01", endDate: "2026-12-31" };
    for (let n = 1; n <= 13; n++) await draft(kit.admin, [pix(n * 100)], `Dezembro 100%_${n}`);
    await kit.deposit(500_00);
    const paid = await draft(kit.admin, [pix(77_77)], "Bônus de Natal");
    await closing(kit.admin, paid.id);
    const [first, second, third] = [
      await list(within),
      await list({ ...within, page: "1" }),
      await list({ ...within, page: "2" }),
    ];
    expect([first, second, third].map((answer) => answer.body.data.length)).toEqual([12, 2, 0]);
    expect(second.body.summary).toEqual({ count: 14, value: 91_00 + 77_77 });
    expect(second.body.metadata.pagination).toEqual({ itemsPerPage: 12, totalItems: 14 });
    const found = async (search: string) =>
      (await list({ ...within, search })).body.data.map((one) => one.name);
    for (const search of ["bônus", "bonus", "BÔNUS DE", "BONUS de nátal", "bo\u0302nus"])
      expect([search, await found(search)]).toEqual([search, ["Bônus de Natal"]]);
    await draft(kit.stranger, [pix(1)], "Bônus de outra empresa");
    expect(await found("bonus de outra")).toEqual([]);
    expect(await found("\\")).toEqual([]);
    expect(await found("77,77")).toEqual(["Bônus de Natal"]);
    expect(await found("100%_13")).toEqual(["Dezembro 100%_13"]);
    expect(await found("%")).toHaveLength(12);
    expect(await found("' OR 1=1 --")).toEqual([]);
    const byStatus = async (status: string) => (await list({ ...within, status })).body.summary.count;
    await kit.drainJobs();
    expect([await byStatus("DRAFT"), await byStatus("RECEIVED"), await byStatus("WAITING")]).toEqual([
      13, 1, 0,
    ]);
    expect((await list({ ...within, status: "REMOVED" })).body.code).toBe("invalid_request");
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    const requested = await draft(kit.operator, [pix(1)], "Para aprovar");
    await kit.operator.call(sendBatchToApproval, { params: { id: requested.id } });
    const poor = await draft(kit.admin, [pix(1_000_00)], "Sem saldo");
    await closing(kit.admin, poor.id);
    expect([
      await byStatus("DRAFT"),
      await byStatus("RECEIVED"),
      await byStatus("FINISHED"),
      await byStatus("WAITING_APPROVAL"),
      await byStatus("WAITING"),
    ]).toEqual([13, 0, 1, 1, 1]);
    // A search stays within the status and the days.
    const searched = async (more: Record<string, string>) =>
      (await list({ ...within, search: "bonus", ...more })).body.summary.count;
    expect(await searched({ status: "FINISHED" })).toBe(1);
    expect(await searched({ status: "DRAFT" })).toBe(0);
    expect(await searched({ initialDate: "2026-11-01", endDate: "2026-11-30" })).toBe(0);
    const further = await list({ ...within, search: "100%", page: "1" });
    expect([further.body.data.length, further.body.summary]).toEqual([1, { count: 13, value: 91_00 }]);
  });

  it("BAT-022 sums a batch by status and method, with the missing balance", async () => {
    const { id } = await draft(kit.admin, [pix(1_000_000), pix(500), ted(700)]);
    expect((await kit.stranger.call(readBatchSummary, { params: { id } })).body.code).toBe("not_found");
    const { body } = await kit.analyst.call(readBatchSummary, { params: { id } });
    expect(body.by_status).toEqual([{ status: "CREATED", count: 3, value: 1_001_200 }]);
    expect(body.by_method).toEqual(
      expect.arrayContaining([
        { payment_method: "PIX", count: 2, value: 1_000_500 },
        { payment_method: "TED", count: 1, value: 700 },
      ]),
    );
    expect(body.missing).toBe(1_001_200 - body.balance);
    expect(body.returned).toBe(0);
  });

  it("BAT-005 BAT-049 BAT-050 BAT-051 reports late days, late TEDs and repeated integration ids", async () => {
    await kit.passUntil("2026-12-10T15:00:00Z");
    const check = async (id: string) => (await kit.analyst.call(validateBatch, { params: { id } })).body;
    const nothing = {
      hasTimeError: false,
      hasTimeWarning: false,
      hasDuplicatedIntegrationId: false,
      errors_count: 0,
    };
    const first = await draft(kit.admin, [
      pix(100, { integration_id: "nota-1", payment_date: "2026-12-10" }),
      ted(100),
    ]);
    expect(await check(first.id)).toEqual(nothing);
    const second = await draft(kit.admin, [pix(100, { integration_id: "nota-1" })]);
    expect((await check(second.id)).hasDuplicatedIntegrationId).toBe(true);
    // An approver reads the present flags too.
    const requested = await draft(kit.operator, [
      pix(3_33, { integration_id: "nota-1", payment_date: "2026-12-10" }),
      ted(4_44),
    ]);
    const sent = await kit.operator.call(sendBatchToApproval, { params: { id: requested.id } });
    expect(sent.body.status).toBe("WAITING_APPROVAL");
    expect(await check(requested.id)).toEqual({ ...nothing, hasDuplicatedIntegrationId: true });
    await remove(kit.admin, second.id);
    const duplicated = { ...nothing, hasDuplicatedIntegrationId: true };
    expect(await check(first.id)).toEqual(duplicated);
    await kit.passUntil("2026-12-10T19:30:01Z");
    expect(await check(first.id)).toEqual({ ...duplicated, hasTimeWarning: true });
    expect(await check(requested.id)).toEqual({ ...duplicated, hasTimeWarning: true });
    // The cut-off is that of TEDs: a Pix without a date still goes today.
    const ofPix = await draft(kit.admin, [pix(5_55)]);
    expect(await check(ofPix.id)).toEqual(nothing);
    await remove(kit.admin, ofPix.id);
    await kit.passUntil("2026-12-11T03:00:00Z");
    const late = { hasTimeError: true, errors_count: 1 };
    expect(await check(requested.id)).toEqual({ ...duplicated, ...late });
    await kit.admin.call(rejectBatch, { params: { id: requested.id } });
    await remove(kit.operator, requested.id);
    expect(await check(first.id)).toEqual({ ...nothing, ...late });
  });

  it("BAT-005 BAT-051 also reports an integration id that one batch uses twice", async () => {
    const isTwice = async (...ids: string[]) => {
      const { id } = await draft(
        kit.admin,
        ids.map((integration_id) => pix(1_00, { integration_id })),
      );
      return (await kit.analyst.call(validateBatch, { params: { id } })).body.hasDuplicatedIntegrationId;
    };
    expect(await isTwice("pedido-1", "pedido-2")).toBe(false);
    expect(await isTwice("pedido-3", "pedido-3")).toBe(true);
  });

  it("BAT-005 BAT-049 reports a payment as expired if its day or its TED's hour had passed when it was written", async () => {
    await kit.passUntil("2026-12-11T19:30:01Z");
    const isExpired = async (payment: ReturnType<typeof pix>) => {
      const made = await kit.admin.call(createBatch, { body: { name: "Tarde", transfers: [payment] } });
      const { id } = made.body;
      const { body } = await kit.analyst.call(validateBatch, { params: { id } });
      expect(body.errors_count).toBe(body.hasTimeError ? 1 : 0);
      return body.hasTimeError;
    };
    expect(await isExpired(pix(1_00, { payment_date: "2026-12-10" }))).toBe(true);
    expect(await isExpired(pix(1_00, { payment_date: "2026-12-11" }))).toBe(false);
    expect(await isExpired(ted(1_00, { payment_date: "2026-12-11" }))).toBe(true);
    expect(await isExpired(ted(1_00, { payment_date: "2026-12-14" }))).toBe(false);
  });
});

describe("the report", () => {
  it("BAT-027 gives only the batch's company a file of its payments, without formulas", async () => {
    const cruel = pix(1_234_56, {
      integration_id: "@SUM(1)",
      destination_bank_account: {
        name: '=HYPERLINK("http://mau.example")',
        pix_key_type: "EMAIL",
        pix_key: "maria@exemplo.com.br",
      },
    });
    const { id } = await draft(kit.admin, [cruel, ted(10_00)], "Relatório / de\r\nção");
    expect((await kit.call(downloadBatchReport, { params: { id } })).status).toBe(401);
    expect((await kit.stranger.call(downloadBatchReport, { params: { id } })).body.code).toBe("not_found");
    expect((await kit.stranger.call(requestBatchReport, { params: { id } })).body.code).toBe("not_found");
    const { url } = (await kit.analyst.call(requestBatchReport, { params: { id } })).body;
    const csv = await kit.analyst.get(`${url}?format=csv`);
    expect(csv.headers["content-disposition"]).toMatch(
      /^attachment; filename="[\w -]+\.csv"; filename\*=UTF-8''[\w%-]+\.csv$/,
    );
    const lines = String(csv.body).split("\r\n");
    expect(lines[0]).toContain("Nome ou Razão Social");
    expect(lines[1]).toContain("'=HYPERLINK");
    expect(lines[1]).toContain("'@SUM(1)");
    expect(lines[1]).toContain("1.234,56");
    expect(lines[1]).toContain("Criada");
    const xlsx = await kit.server.inject({ url, headers: { authorization: `Bearer ${kit.analyst.token}` } });
    const [tab] = await openXlsx(xlsx.rawPayload);
    if (!tab) throw new Error("the workbook has no tab");
    const rows: SheetRow[] = [];
    for await (const block of tab()) rows.push(...block);
    expect(rows).toHaveLength(3);
    // The workbook has the guard too, so that it is harmless when it is saved as CSV. Our own import removes it.
    expect(rows[1]?.texts.slice(0, 1).map(removeFormulaGuard)).toEqual(['=HYPERLINK("http://mau.example")']);
    expect(rows[1]?.texts[0]).toMatch(/^'=/);
    expect(rows[1]?.kinds[0] ?? cellKind.text).toBe(cellKind.text);
    // An amount is a number, so that it can be summed.
    expect(rows[1]?.texts.map(Number)).toContain(1234.56);
    expect((await kit.analyst.get(`${url}?format=pdf`)).body.code).toBe("invalid_request");
  });

  it.each([
    ["TRANSFER", "PIX"],
    ["BILLET", "BILLET"],
  ])(
    "BAT-027 contains every payment of a long batch of the type %s once, in its order",
    async (type, method) => {
      const made = await kit.admin.call(createBatch, { body: { name: `Longo ${type}`, type } });
      const { id } = made.body;
      await kit.services.db.pool.query(
        `WITH made AS (
         INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, created_at)
         SELECT company_id, uuidv7(), id, n, 'CREATED', 100, $2, 'linha-' || n, created_at
         FROM batches, generate_series(1, 1200) n WHERE id = $1)
       UPDATE batches SET payments_count = 1200, value = 120000 WHERE id = $1`,
        [id, method],
      );
      const csv = await kit.analyst.get(`/api/payments/batch/${id}/report?format=csv`);
      const named = String(csv.body).match(/linha-\d+/g);
      expect(named).toEqual(Array.from({ length: 1200 }, (_, at) => `linha-${at + 1}`));
    },
  );

  it("BAT-026 shows failed and returned payments", async () => {
    await kit.deposit(100_00);
    const failing = pix(1_00, {
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
    });
    const { id } = await draft(kit.admin, [failing]);
    const shown = async () => (await kit.analyst.call(readHasFailed, { params: { id } })).body.data;
    expect(await shown()).toBe(false);
    await closing(kit.admin, id);
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await shown()).toBe(true);
    expect((await batch(kit.admin, id)).has_failed_or_returned_transfers).toBe(true);
    const csv = await kit.admin.get(`/api/payments/batch/${id}/report?format=csv`);
    expect(String(csv.body)).toContain("Falha");
    expect(String(csv.body)).toContain("Chave PIX não encontrada.");
  });
});

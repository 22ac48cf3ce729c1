import { deleteBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import {
  addBoleto,
  listAllBoletos,
  listBoletosWithReceipts,
  readBoletoDetails,
  readBoletosBlankslate,
} from "@malote/contracts/boletos";
import { requestBoletoReceipts, requestReceipts } from "@malote/contracts/receipts";
import {
  listAllTransfers,
  listTransfersWithReceipts,
  readTransfer,
  readTransfersBlankslate,
  type Transfer,
} from "@malote/contracts/transfers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, magicBarcode } from "../../testing/boletos.ts";
import { november, periodCalls } from "../../testing/payments-by-period-kit.ts";
import {
  auroraId,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";
import { listForReport } from "../batches/period-report.ts";

let kit: PaymentsKit;
const january = { initialDate: "2027-01-01", endDate: "2027-01-31" };
const october = { initialDate: "2026-10-01", endDate: "2026-10-31" };
const blank = async (by: Person) => [
  (await by.call(readTransfersBlankslate)).body.data,
  (await by.call(readBoletosBlankslate)).body.data,
];
const { transfers, boletos } = periodCalls(() => kit);

/** Payments of October and November, to the 24th, and one of another company. */
async function makePayments(): Promise<void> {
  await draft(kit.stranger, [pix(7_00)]);
  await kit.deposit(100_000_00);
  const old = await draft(kit.admin, [pix(1_00)], "Outubro");
  await closing(kit.admin, old.id);
  const oldBills = await boletoDraft(kit.admin, [boletoOf(2_00)], "Contas de outubro");
  await closing(kit.admin, oldBills.id);
  await kit.pass({ seconds: 1 });
  const open = await boletoDraft(kit.admin, [], "Contas em aberto");
  await kit.drainJobs();
  await kit.passUntil("2026-11-20T13:00:00Z");
  // It is added in November to a batch that was made in October.
  await kit.admin.call(addBoleto, { params: { id: open.id }, body: boletoOf(3_00) });
  const paid = await draft(
    kit.admin,
    [
      pix(10_00),
      pix(11_00, {
        destination_bank_account: {
          name: "Ivo Reis",
          pix_key_type: "EMAIL",
          pix_key: "chave.pix15@exemplo.com.br",
        },
      }),
      ted(12_00, {
        payment_date: "2026-12-10",
        destination_bank_account: { ...ted(12_00).destination_bank_account, agency_digit: "9" },
      }),
    ],
    "Fornecedores de novembro",
  );
  await closing(kit.admin, paid.id);
  const bills = await boletoDraft(
    kit.admin,
    [boletoOf(20_00), boletoOf(21_00, { barcode: magicBarcode(21_00, "15") })],
    "Contas de novembro",
  );
  await closing(kit.admin, bills.id);
  await kit.drainJobs();
  await kit.passUntil("2026-11-23T20:00:00Z");
  await kit.passUntil("2026-11-24T20:00:00Z");
  await draft(kit.admin, [pix(30_00), pix(31_00)], "Rascunho");
  await boletoDraft(kit.admin, [boletoOf(40_00)], "Contas a conferir");
}

describe("payments over all batches", () => {
  beforeAll(async () => {
    kit = await openPayments({ start: "2026-10-20T13:00:00Z" });
    await makePayments();
  });
  afterAll(() => kit.close());

  it("TRF-051 BIL-032 refuses callers without a session, and invalid periods and pages", async () => {
    for (const contract of [listAllTransfers, listAllBoletos]) {
      expect((await kit.call(contract, { query: november })).status).toBe(401);
      for (const query of [
        { ...november, endDate: "2026-10-31" },
        { ...november, initialDate: "2026-02-30" },
        { endDate: "2026-11-30" },
        { ...november, page: "-1" },
        { ...november, status: "SENT" },
      ])
        expect(await kit.admin.call(contract, { query })).toMatchObject({
          status: 400,
          body: { code: "invalid_request" },
        });
    }
  });

  it("TRF-051 BIL-030 BIL-032 SES-080 lists those of the period's batches, newest batch first, by status", async () => {
    expect(await transfers()).toMatchObject({ values: [30_00, 31_00, 10_00, 11_00, 12_00], total: 5 });
    expect(await transfers(october)).toMatchObject({ values: [1_00], total: 1 });
    // The period includes both of its days.
    const day = { initialDate: "2026-11-20", endDate: "2026-11-20" };
    expect((await transfers(day)).values).toEqual([10_00, 11_00, 12_00]);
    expect(await transfers({ page: "1" })).toMatchObject({ values: [], total: 5 });
    expect((await transfers({}, kit.analyst)).total).toBe(5);
    expect((await transfers({ initialDate: "2026-10-01" }, kit.stranger)).values).toEqual([7_00]);
    const of = async (status: string) => (await transfers({ status })).values;
    expect(await of("CREATED")).toEqual([30_00, 31_00]);
    expect(await of("SCHEDULED")).toEqual([12_00]);
    expect(await of("RECEIVED")).toEqual([]);
    expect(await of("TRANSFERRED")).toEqual([10_00]);
    expect(await of("FAILED")).toEqual([11_00]);
    expect(await of("RETURNED")).toEqual([]);

    expect(await boletos()).toMatchObject({ values: [40_00, 20_00, 21_00], total: 3 });
    expect(await boletos(october)).toMatchObject({ values: [3_00, 2_00], total: 2 });
    expect(await boletos({ page: "1" })).toMatchObject({ values: [], total: 3 });
    for (const contract of [listAllTransfers, listAllBoletos]) {
      const { metadata } = (await kit.admin.call(contract, { query: october })).body;
      expect(metadata.pagination.itemsPerPage).toBe(50);
    }
    expect((await boletos({ status: "CREATED" })).values).toEqual([40_00]);
    expect((await boletos({ status: "PAID" })).values).toEqual([20_00]);
    expect((await boletos({ status: "FAILED" })).values).toEqual([21_00]);
    for (const status of ["SCHEDULED", "EXECUTING", "RETURNED"])
      expect((await boletos({ status })).values).toEqual([]);
  });

  it("TRF-049 searches by agency, account, value and batch, and filters by bank", async () => {
    expect((await transfers({ search: "1234" })).values).toEqual([12_00]);
    expect((await transfers({ search: "1234-9" })).values).toEqual([12_00]);
    expect((await transfers({ search: "56789-7" })).values).toEqual([12_00]);
    expect((await transfers({ search: "56789" })).values).toEqual([12_00]);
    expect((await transfers({ search: "R$ 30,00" })).values).toEqual([30_00]);
    expect((await transfers({ search: "FORNECEDORES" })).values).toEqual([10_00, 11_00, 12_00]);
    expect((await transfers({ search: "ivo reis", status: "FAILED" })).values).toEqual([11_00]);
    expect((await transfers({ search: "%" })).values).toEqual([]);
    expect((await transfers({ bankId: "60701190" })).values).toEqual([12_00]);
    expect((await transfers({ bankId: "60701190", status: "TRANSFERRED" })).values).toEqual([]);
  });

  it.each([1, 2, 3])(
    "TRF-057 reads each payment of the list once for a report, in its order, in slices of %i",
    async (size) => {
      const requested = { ...november, filter: {} };
      const now = kit.clock.now();
      const rows: Awaited<ReturnType<typeof listForReport>> = [];
      for (let slice = 0; slice < 6; slice++)
        rows.push(
          ...(await kit.services.db.withCompany(auroraId, (tx) =>
            listForReport(tx, requested, { now, last: rows.at(-1), size }),
          )),
        );
      expect(rows.map(({ value }) => value)).toEqual((await transfers()).values);
    },
  );

  it("BIL-030 searches by code, value and batch, and filters by bank", async () => {
    const [first] = (await boletos({ status: "PAID" })).data;
    expect((await boletos({ search: first?.digitable_line ?? "" })).values).toEqual([20_00]);
    expect((await boletos({ search: "40,00" })).values).toEqual([40_00]);
    expect((await boletos({ search: "contas de nov" })).values).toEqual([20_00, 21_00]);
    expect((await boletos({ bankId: "60701190" })).total).toBe(3);
    expect((await boletos({ bankId: "00000000" })).values).toEqual([]);
  });

  it("TRF-001 TRF-055 reads a payment with its batch, and not that of another company", async () => {
    const [newest] = (await transfers({ status: "TRANSFERRED" })).data;
    const id = newest?.id ?? "";
    expect(newest?.Batch).toEqual({ id: newest?.batch_id, name: "Fornecedores de novembro" });
    const answer = await kit.analyst.call(readTransfer, { params: { id } });
    expect(answer.body).toMatchObject({ id, status: newest?.status, Batch: newest?.Batch });
    expect((await kit.stranger.call(readTransfer, { params: { id } })).status).toBe(404);
    // The holder of its key as the draft's lookup found it; a person's document is masked.
    expect(answer.body.key_holder).toMatchObject({
      status: "found",
      name: expect.any(String),
      cpf_cnpj: expect.stringMatching(/^\*\*\*\.\d{3}\.\d{3}-\*\*$/),
      asked_by: "Sistema",
    });
    const [boleto] = (await boletos()).data;
    expect(
      (await kit.admin.call(readBoletoDetails, { params: { id: boleto?.id ?? "" } })).body.batch,
    ).toEqual(boleto?.batch);
  });

  it("TRF-063 TRF-064 BIL-035 BIL-036 finds the receipts of the filter and sends them", async () => {
    const found = async (
      contract: typeof listTransfersWithReceipts | typeof listBoletosWithReceipts,
      query = {},
    ) => (await kit.admin.call(contract, { query: { ...november, ...query } })).body.data;
    const ofTransfers = await found(listTransfersWithReceipts);
    const ofBoletos = await found(listBoletosWithReceipts);
    expect(ofTransfers.map(({ value }: { value: number }) => value)).toEqual([10_00]);
    expect(ofBoletos.map(({ value }: { value: number }) => value)).toEqual([20_00]);
    const ofOctober = await found(listBoletosWithReceipts, october);
    expect(ofOctober.map(({ value }: { value: number }) => value)).toEqual([2_00]);
    expect(await found(listTransfersWithReceipts, { status: "FAILED" })).toEqual([]);
    expect(await found(listTransfersWithReceipts, { search: "rascunho" })).toEqual([]);
    expect(await found(listTransfersWithReceipts, { status: "TRANSFERRED" })).toEqual(ofTransfers);
    expect(await found(listTransfersWithReceipts, { search: "fornecedores" })).toEqual(ofTransfers);
    // The payment that arrived went to a key, which names no bank.
    expect(await found(listTransfersWithReceipts, { bankId: "60701190" })).toEqual([]);
    // The bank 341 issued the boleto.
    for (const [query, values] of [
      [{ status: "PAID" }, [20_00]],
      [{ status: "FAILED" }, []],
      [{ search: "aluguel" }, [20_00]],
      [{ search: "condominio" }, []],
      [{ bankId: "60701190" }, [20_00]],
      [{ bankId: "00000000" }, []],
    ] as const) {
      const rows: { value: number }[] = await found(listBoletosWithReceipts, query);
      expect([query, rows.map(({ value }) => value)]).toEqual([query, values]);
    }
    kit.mails.splice(0);
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    const requested: string[] = [];
    for (const [contract, rows] of [
      [requestReceipts, ofTransfers],
      [requestBoletoReceipts, ofBoletos],
    ] as const) {
      const answer = await kit.admin.call(contract, { body: { ids: ids(rows) } });
      expect(answer).toMatchObject({ status: 200, body: { receipts_count: 1 } });
      requested.push(answer.body.id);
    }
    expect(await kit.stranger.call(requestBoletoReceipts, { body: { ids: ids(ofBoletos) } })).toMatchObject({
      status: 422,
      body: { code: "receipts_none" },
    });
    await kit.drainJobs();
    expect(kit.mails.map(({ subject }) => subject)).toEqual([
      "Seus comprovantes estão prontos",
      "Seus comprovantes estão prontos",
    ]);
    const texts = kit.mails.map(({ text }) => text).join();
    for (const id of requested) expect(texts).toContain(`/pagamentos/lotes?comprovantes=${id}`);
  });
});

describe("payments over all batches of a new company", () => {
  beforeEach(async () => {
    kit = await openPayments({ start: "2027-01-05T13:00:00Z" });
  });
  afterEach(() => kit.close());

  it("TRF-053 BIL-034 reports whether there is any, for each kind separately", async () => {
    expect(await blank(kit.stranger)).toEqual([true, true]);
    await draft(kit.stranger, []);
    expect(await blank(kit.stranger)).toEqual([true, true]);
    await draft(kit.stranger, [pix(7_00)]);
    expect(await blank(kit.stranger)).toEqual([false, true]);
    const { id } = await boletoDraft(kit.stranger, [boletoOf(8_00)]);
    expect(await blank(kit.stranger)).toEqual([false, false]);
    await kit.stranger.call(deleteBatch, { params: { id } });
    expect(await blank(kit.stranger)).toEqual([false, true]);
  });

  it("TRF-001 TRF-007 sends the mistakes and warnings of a draft, in the list and in the details", async () => {
    const noKey = { pix_key_type: "EMAIL", pix_key: "sem arroba" } as const;
    const wrong = pix(7_00, { destination_bank_account: noKey });
    const onSunday = ted(8_00, { payment_date: "2027-01-10" });
    await kit.admin.call(createBatch, { body: { name: "Rascunho", transfers: [wrong, onSunday] } });
    const codes = (issues: Transfer["errors"]) => issues.map(({ code }) => code);
    const issuesOf = ({ errors, warnings }: Transfer) => [codes(errors), codes(warnings)];
    const expected = [
      [["pix_key_email_invalid"], []],
      [[], ["ted_next_business_day"]],
    ];
    const { data } = await transfers(january);
    expect(data.map(issuesOf)).toEqual(expected);
    const details = await Promise.all(
      data.map(({ id }) => kit.analyst.call(readTransfer, { params: { id } })),
    );
    expect(details.map(({ body }) => issuesOf(body))).toEqual(expected);
  });

  it("TRF-063 finds the receipts of the whole filter, not only of one page", async () => {
    const { id } = await draft(kit.admin, [pix(7_00)]);
    const query = (text: string) => kit.services.db.pool.query(text, [auroraId, id]);
    await query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, pix_key_type,
         pix_key, transfer_date, created_at)
       SELECT $1, gen_random_uuid(), $2, 10 + n, 'FINISHED', n, 'PIX', 'Pessoa', 'EMAIL', 'a@exemplo.com.br', now(), now()
       FROM generate_series(1, 120) n`,
    );
    await query(
      "UPDATE batches SET payments_count = 121, paid_count = 120 WHERE company_id = $1 AND id = $2",
    );
    const { body } = await kit.admin.call(listTransfersWithReceipts, { query: january });
    // The books are checked at the end, and no money moved for these rows.
    await query("DELETE FROM transfers WHERE company_id = $1 AND batch_id = $2 AND status = 'FINISHED'");
    await query("UPDATE batches SET payments_count = 1, paid_count = 0 WHERE company_id = $1 AND id = $2");
    expect(body.data.map(({ value }) => value)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });

  it("fills pages across the boundaries of batches", async () => {
    for (let n = 0; n < 3; n++) {
      await kit.pass({ seconds: 1 });
      await draft(
        kit.admin,
        Array.from({ length: 30 }, (_, index) => pix(1_000_00 + n * 100 + index)),
      );
    }
    const pages = [await transfers(january), await transfers({ ...january, page: "1" })];
    const all = pages.flatMap(({ values }) => values);
    expect(pages.map(({ values }) => values.length)).toEqual([50, 40]);
    expect(new Set(all).size).toBe(90);
    expect(all.slice(0, 3)).toEqual([1_002_00, 1_002_01, 1_002_02]);
    // The same rows come in the same order where a search or a filter finds them.
    for (const filter of [{ search: "a" }, { status: "CREATED" }, { search: "a", status: "CREATED" }]) {
      const looked = [
        await transfers({ ...january, ...filter }),
        await transfers({ ...january, ...filter, page: "1" }),
      ];
      expect([filter, looked.flatMap(({ values }) => values)]).toEqual([filter, all]);
      expect(looked.map(({ total }) => total)).toEqual([90, 90]);
    }
  });

  it("BIL-032 SES-080 the second and third page of boletos have different boletos, with and without a filter", async () => {
    const values = Array.from({ length: 101 }, (_, index) => 1_000_00 + index);
    await boletoDraft(
      kit.admin,
      values.map((value) => boletoOf(value)),
    );
    for (const filter of [{}, { status: "CREATED" }, { search: "contas" }, { bankId: "60701190" }]) {
      const pages = await Promise.all(
        ["0", "1", "2"].map((page) => boletos({ ...january, ...filter, page })),
      );
      expect(pages.map(({ total }) => total)).toEqual([101, 101, 101]);
      expect([filter, pages.map((page) => page.values)]).toEqual([
        filter,
        [values.slice(0, 50), values.slice(50, 100), values.slice(100)],
      ]);
    }
  });

  it("omits deleted batches and withdrawals", async () => {
    await draft(kit.admin, [pix(60_00)]);
    const { total } = await transfers(january);
    const { id } = await draft(kit.admin, [pix(50_00)]);
    expect((await transfers({ ...january, search: "50,00" })).values).toEqual([50_00]);
    await kit.services.db.pool.query(
      "UPDATE batches SET status = 'REMOVED' WHERE company_id = $1 AND id = $2",
      [auroraId, id],
    );
    expect((await transfers(january)).total).toBe(total);
    expect((await transfers({ ...january, search: "50,00" })).values).toEqual([]);
  });
});

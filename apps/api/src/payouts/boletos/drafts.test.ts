/** Boletos of a draft: added, changed, listed, removed, and their mistakes. */
import { randomUUID } from "node:crypto";
import { deleteBatch } from "@malote/contracts/batch-life";
import { createBatch, saveBatch, validateBatch } from "@malote/contracts/batches";
import {
  addBoleto,
  type BoletoInput,
  changeBoleto,
  listBoletos,
  readBoleto,
  readBoletoDetails,
  readDuplicatedBoleto,
  readDuplicatedBoletoIntegrationId,
  removeBoleto,
} from "@malote/contracts/boletos";
import { listTransfers } from "@malote/contracts/transfers";
import { boletoLine, formatBoletoLine } from "@malote/domain/boleto-code";
import { cents } from "@malote/domain/money";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { boletosToTry } from "../../adapters/sandbox/network/boleto-register.ts";
import { changeSettings } from "../../company/store.ts";
import { barcodeOf, boletoDraft, boletoOf } from "../../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
let id: string;
beforeAll(async () => {
  kit = await openPayments();
});
beforeEach(async () => {
  id = (await boletoDraft(kit.admin, [])).id;
});
afterAll(() => kit.close());

const add = (body: object, by = kit.admin, batchId = id) =>
  by.call(addBoleto, { params: { id: batchId }, body: body as BoletoInput });
const change = (body: object, by = kit.admin, batchId = id) =>
  by.call(changeBoleto, { params: { id: batchId }, body: body as BoletoInput & { id: string } });
const remove = (billetId: string, by = kit.admin, batchId = id) =>
  by.call(removeBoleto, { params: { id: batchId, billetId } }, { "idempotency-key": randomUUID() });
const list = async (query: Record<string, string> = {}, batchId = id) =>
  (await kit.admin.call(listBoletos, { params: { id: batchId }, query })).body;
const codesOf = (boleto: { errors: { code: string }[]; warnings: { code: string }[] }) =>
  [...boleto.errors, ...boleto.warnings].map(({ code }) => code);

describe("refusals", () => {
  it("BIL-021 BIL-022 refuses callers without a session, an analyst, another company and another kind of batch", async () => {
    const { body: boleto } = await add(boletoOf(10_00));
    expect((await kit.call(addBoleto, { params: { id }, body: boletoOf(1_00) })).status).toBe(401);
    for (const by of [kit.analyst]) {
      expect((await add(boletoOf(1_00), by)).status).toBe(403);
      expect((await change({ ...boletoOf(1_00), id: boleto.id }, by)).status).toBe(403);
      expect((await remove(boleto.id, by)).status).toBe(403);
    }
    expect((await add(boletoOf(1_00), kit.stranger)).body.code).toBe("not_found");
    expect((await change({ ...boletoOf(1_00), id: boleto.id }, kit.stranger)).body.code).toBe("not_found");
    expect((await remove(boleto.id, kit.stranger)).body.code).toBe("not_found");
    for (const contract of [readBoleto, readBoletoDetails])
      expect((await kit.stranger.call(contract, { params: { id: boleto.id } })).body.code).toBe("not_found");
    expect((await kit.stranger.call(listBoletos, { params: { id } })).body.code).toBe("not_found");

    const transfers = await draft(kit.admin);
    expect((await add(boletoOf(1_00), kit.admin, transfers.id)).body.code).toBe("batch_wrong_type");
    expect((await kit.admin.call(listBoletos, { params: { id: transfers.id } })).body.code).toBe("not_found");
    expect((await kit.admin.call(listTransfers, { params: { id } })).body.code).toBe("not_found");
    expect((await change({ ...boletoOf(1_00), id: randomUUID() })).body.code).toBe("billet_not_found");
    expect((await remove(randomUUID())).body.code).toBe("billet_not_found");
    expect(await batch(kit.admin, id)).toMatchObject({ payments_count: 1, value: 10_00 });
  });

  it("BAT-003 accepts boletos in a batch of boletos only, and no boleto of another batch", async () => {
    const create = (body: object) => kit.admin.call(createBatch, { body: { name: "Contas", ...body } });
    expect((await create({ billets: [boletoOf(1_00)] })).body.code).toBe("batch_wrong_type");
    const save = (body: object) =>
      kit.admin.call(saveBatch, { params: { id }, body: { name: "Contas", ...body } });
    expect((await save({ transfers: [pix(1_00)] })).body.code).toBe("batch_wrong_type");
    const transfers = await draft(kit.admin);
    const mixed = { params: { id: transfers.id }, body: { name: "Folha", billets: [boletoOf(1_00)] } };
    expect((await kit.admin.call(saveBatch, mixed)).body.code).toBe("batch_wrong_type");
    const other = await boletoDraft(kit.admin, []);
    const { body: boleto } = await add(boletoOf(10_00), kit.admin, other.id);
    expect((await save({ billets: [{ ...boletoOf(1_00), id: boleto.id }] })).body.code).toBe("not_found");
    expect((await change({ ...boletoOf(1_00), id: boleto.id })).body.code).toBe("billet_not_found");
    expect(await batch(kit.admin, id)).toMatchObject({ payments_count: 0, value: 0 });
  });

  it("refuses a body that is not a boleto", async () => {
    for (const bad of [
      {},
      { value: 1_00 },
      { ...boletoOf(1_00), value: -1 },
      { ...boletoOf(1_00), value: 1.5 },
      { ...boletoOf(1_00), payment_date: "ontem" },
      { ...boletoOf(1_00), barcode: "1".repeat(101) },
    ])
      expect((await add(bad)).status).toBe(400);
  });
});

describe("a boleto of a draft", () => {
  it("BAT-001 BIL-001 BIL-002 BIL-019 BIL-021 BIL-026 is added by its line and read with every field", async () => {
    const barcode = barcodeOf(150_00, "2026-12-10");
    const { body } = await add({
      value: 1,
      barcode: formatBoletoLine(barcode),
      description: " Energia ",
      integration_id: "erp-77",
      payment_date: "2026-12-01",
    });
    const { name } = await batch(kit.admin, id);
    expect(body).toMatchObject({
      value: 150_00,
      barcode,
      digitable_line: boletoLine(barcode),
      type: "SIMPLE",
      due_date: "2026-12-10",
      payment_date: "2026-12-01",
      description: "Energia",
      integration_id: "erp-77",
      status: "CREATED",
      bank: { code: "341" },
      batch: { id, name },
      paid_date: null,
      receipt_url: null,
      bank_receipt_url: null,
      status_description: null,
      batch_id: id,
      can_cancel: false,
      errors: [],
      warnings: [],
    });
    for (const contract of [readBoleto, readBoletoDetails])
      expect((await kit.analyst.call(contract, { params: { id: body.id } })).body).toEqual(body);
    expect((await batch(kit.admin, id)).billets).toEqual([body]);
    expect(await batch(kit.admin, id)).toMatchObject({ type: "BILLET", value: 150_00, transfers: [] });
  });

  it("BIL-003 BIL-020 has no due date and no bank if a utility issued it", async () => {
    const { body } = await add({
      ...boletoOf(1),
      barcode: "826200000014234512341236456789012345567890123456",
    });
    expect(body).toMatchObject({ type: "COLLECTION", value: 123_45, due_date: null, bank: null });
  });

  it("BIL-017 BIL-021 takes the value and due date of its new barcode", async () => {
    const { body } = await add(boletoOf(10_00));
    const barcode = barcodeOf(25_00, "2026-12-10");
    const changed = await change({ ...boletoOf(99_00), id: body.id, barcode });
    expect(changed.body).toMatchObject({ id: body.id, value: 25_00, due_date: "2026-12-10", barcode });
    expect(await batch(kit.admin, id)).toMatchObject({ payments_count: 1, value: 25_00 });
    // The boleto is ten days late, on R$ 1.000,00: 2% once and 1% a month.
    const late = boletosToTry(kit.clock.now()).find(({ outcome }) =>
      outcome.startsWith("Vencido há 10 dias"),
    );
    const overdue = await change({ ...boletoOf(99_00), id: body.id, barcode: late?.value ?? "" });
    expect(overdue.body).toMatchObject({ value: 1_023_33, due_date: "2026-08-02", errors: [] });
    expect(await batch(kit.admin, id)).toMatchObject({ payments_count: 1, value: 1_023_33 });
  });

  it("BIL-022 is removed, once", async () => {
    const { body } = await add(boletoOf(10_00));
    expect((await remove(body.id)).body).toEqual({ ok: true });
    expect((await remove(body.id)).body.code).toBe("billet_not_found");
    expect(await batch(kit.admin, id)).toMatchObject({ payments_count: 0, value: 0 });
  });

  it("is saved with others as a delta, and once if it is named twice", async () => {
    const [first, second] = [boletoOf(1_00, { id: randomUUID() }), boletoOf(2_00, { id: randomUUID() })];
    const save = (body: object) =>
      kit.admin.call(saveBatch, { params: { id }, body: { name: "Contas", ...body } });
    expect(
      (await save({ billets: [first, second, { ...second, barcode: barcodeOf(3_00) }] })).body,
    ).toMatchObject({
      payments_count: 2,
      value: 4_00,
    });
    expect((await save({ billets: [], removed_ids: [first.id] })).body).toMatchObject({
      payments_count: 1,
      value: 3_00,
    });
  });

  it("BAT-042 BIL-005 is found by status, description, value, or a stretch of its code, 50 at a time", async () => {
    const many = Array.from({ length: 52 }, (_, at) =>
      boletoOf(1_00 + at, { description: `Conta nº ${at}` }),
    );
    await kit.admin.call(saveBatch, { params: { id }, body: { name: "Contas", billets: many } });
    const first = await list();
    expect([first.data.length, first.metadata.pagination]).toEqual([
      50,
      { itemsPerPage: 50, totalItems: 52 },
    ]);
    const descriptions = async (query: Record<string, string>) =>
      (await list(query)).data.map(({ description }) => description);
    const last = ["Conta nº 50", "Conta nº 51"];
    expect([await descriptions({ page: "1" }), await descriptions({ page: "2" })]).toEqual([last, []]);
    expect(await descriptions({ search: "CONTA Nº 51" })).toEqual(["Conta nº 51"]);
    expect(await descriptions({ search: "1,51" })).toEqual(["Conta nº 51"]);
    const code = many[50]?.barcode ?? "";
    expect(await descriptions({ search: formatBoletoLine(code) })).toEqual(["Conta nº 50"]);
    expect(await descriptions({ search: code.slice(20) })).toEqual(["Conta nº 50"]);
    expect(await descriptions({ search: "%" })).toEqual([]);
    expect(await descriptions({ status: "PAID" })).toEqual([]);
    expect(await descriptions({ status: "CREATED", page: "1" })).toEqual(last);
    expect(await descriptions({ status: "CREATED", page: "2" })).toEqual([]);
  });
});

describe("a mistake of a boleto", () => {
  it("BIL-001 BIL-011 BIL-015 is stored with the boleto, counts as an error, and keeps the batch from closing", async () => {
    const { body } = await add({ value: null, barcode: "3419 1091", description: "  " });
    expect(codesOf(body)).toEqual(["billet_code_invalid", "value_invalid", "billet_description_missing"]);
    expect(body).toMatchObject({ barcode: "3419 1091", digitable_line: null, type: null });
    expect(await batch(kit.admin, id)).toMatchObject({ errors_count: 1 });
    expect((await list({ status: "WITH_ERRORS" })).data).toHaveLength(1);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_errors");
  });

  it("BIL-014 is reported by the company's present limit", async () => {
    const { body } = await add(boletoOf(500_00));
    expect(body.errors).toEqual([]);
    const limits = (BILLET: number) => ({
      accountLimits: {
        PIX: cents(250_000_00),
        TED: cents(250_000_00),
        TEV: cents(250_000_00),
        BILLET: cents(BILLET),
      },
    });
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, limits(499_99)));
    expect(codesOf((await kit.admin.call(readBoleto, { params: { id: body.id } })).body)).toEqual([
      "value_above_max",
    ]);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_errors");
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, limits(250_000_00)));
  });

  it("BIL-012 BIL-018 is reported if it is due before it can be paid, also when that becomes true later", async () => {
    const today = kit.clock.now();
    const { body } = await add(boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-14") }));
    expect(body.errors).toEqual([]);
    // It is due on a Saturday, which moves to this Monday.
    const saturday = await add(boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-15") }));
    await kit.passUntil("2026-08-17T15:00:00Z");
    expect(codesOf((await kit.admin.call(readBoleto, { params: { id: body.id } })).body)).toEqual([
      "billet_overdue",
    ]);
    expect((await kit.admin.call(readBoleto, { params: { id: saturday.body.id } })).body.errors).toEqual([]);
    expect((await kit.admin.call(validateBatch, { params: { id } })).body).toMatchObject({
      hasTimeError: true,
      errors_count: 1,
    });
    expect((await list({ status: "WITH_ERRORS" })).data).toHaveLength(1);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_expired_dates");
    await kit.passUntil(today.toISOString());
  });

  it("BIL-013 is reported if the boleto was registered before, in any batch of the company, until that one is deleted", async () => {
    const barcode = barcodeOf(10_00);
    const isDuplicated = async (by = kit.admin, query: Record<string, string> = {}) =>
      (await by.call(readDuplicatedBoleto, { query: { barcode: formatBoletoLine(barcode), ...query } })).body
        .isDuplicated;
    expect(await isDuplicated()).toBe(false);
    const other = await boletoDraft(kit.admin, []);
    const { body: first } = await add(boletoOf(10_00, { barcode }), kit.admin, other.id);
    expect([
      await isDuplicated(),
      await isDuplicated(kit.admin, { id: first.id }),
      await isDuplicated(kit.stranger),
    ]).toEqual([true, false, false]);
    const requested = await kit.admin.call(readDuplicatedBoleto, { query: { barcode } });
    expect(requested.body.batch).toEqual({ id: other.id, name: (await batch(kit.admin, other.id)).name });
    expect((await kit.stranger.call(readDuplicatedBoleto, { query: { barcode } })).body.batch).toBeNull();
    await kit.pass({ seconds: 1 });
    const { body: second } = await add(boletoOf(10_00, { barcode }));
    expect(codesOf(second)).toEqual(["billet_duplicated"]);
    expect((await list({ status: "FAILED" })).data).toHaveLength(1);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_errors");
    expect(codesOf((await kit.admin.call(readBoleto, { params: { id: first.id } })).body)).toEqual([]);
    await remove(first.id, kit.admin, other.id);
    expect(codesOf((await kit.admin.call(readBoleto, { params: { id: second.id } })).body)).toEqual([]);
    expect((await kit.call(readDuplicatedBoleto, { query: { barcode } })).status).toBe(401);
  });

  it("BIL-013 is not reported if the other batch was deleted", async () => {
    const barcode = barcodeOf(10_00);
    const other = await boletoDraft(kit.admin, [boletoOf(10_00, { barcode })]);
    await kit.pass({ seconds: 1 });
    const { body: second } = await add(boletoOf(10_00, { barcode }));
    const found = async () => [
      codesOf((await kit.admin.call(readBoleto, { params: { id: second.id } })).body),
      (await kit.admin.call(readDuplicatedBoleto, { query: { barcode, id: second.id } })).body.isDuplicated,
    ];
    expect(await found()).toEqual([["billet_duplicated"], true]);
    expect((await kit.admin.call(deleteBatch, { params: { id: other.id } })).status).toBe(200);
    expect(await found()).toEqual([[], false]);
  });

  it("BIL-013 is reported if a boleto is twice in one batch", async () => {
    const barcode = barcodeOf(10_00);
    const { body } = await add(boletoOf(10_00, { barcode }));
    const { body: again } = await add(boletoOf(10_00, { barcode }));
    expect([codesOf(body), codesOf(again)]).toEqual([[], ["billet_duplicated"]]);
  });

  it("BIL-009 reports an integration id of another payment, and does not refuse it", async () => {
    const used = async (value: string, except?: string) =>
      (
        await kit.admin.call(readDuplicatedBoletoIntegrationId, {
          params: { id: value },
          query: except ? { except } : {},
        })
      ).body.isDuplicated;
    expect(await used("nota 1/2")).toBe(false);
    const { body } = await add(boletoOf(10_00, { integration_id: "nota 1/2" }));
    expect([await used("nota 1/2"), await used("nota 1/2", body.id)]).toEqual([true, false]);
    expect((await add(boletoOf(20_00, { integration_id: "nota 1/2" }))).body.errors).toEqual([]);
    await draft(kit.admin, [pix(1_00, { integration_id: "nota de uma transferência" })]);
    expect(await used("nota de uma transferência")).toBe(true);
  });
});

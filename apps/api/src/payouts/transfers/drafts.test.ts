import { saveBatch } from "@malote/contracts/batches";
import * as contracts from "@malote/contracts/transfers";
import { readBlacklist } from "@malote/contracts/transfers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoBlockedTaxIds } from "../../adapters/sandbox/demo/demo-data.ts";
import { checkBooks } from "../../ledger/check-books.ts";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { draftCalls, pix, ted } from "../../testing/transfer-drafts-kit.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;
let batchId: string;
beforeAll(async () => {
  app = await buildTestApp();
  [helena, rui, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
beforeEach(async () => {
  batchId = await newBatch();
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

const { newBatch, add, change, counters } = draftCalls(
  () => helena,
  () => batchId,
);

describe("permissions", () => {
  it("TRF-020 refuse callers without a session, an analyst, another company and a batch of boletos", async () => {
    expect((await app.call(contracts.addTransfer, { params: { id: batchId }, body: pix() })).status).toBe(
      401,
    );
    expect((await add(pix(), ana)).status).toBe(403);
    expect(await add(pix(), marcos)).toMatchObject({ status: 404, body: { code: "not_found" } });
    const boletos = await newBatch(helena, { type: "BILLET" });
    expect(await add(pix(), helena, boletos)).toMatchObject({
      status: 422,
      body: { code: "batch_wrong_type" },
    });
    expect((await add(pix(), rui)).status).toBe(200);
  });

  it("hide a draft of another company from every call", async () => {
    const { body } = await add(pix());
    const tid = body.id;
    for (const answer of [
      await change(tid, pix({ value: 1 }), marcos),
      await marcos.call(contracts.removeTransfer, { params: { id: batchId, tid } }),
      await marcos.call(contracts.removeTransfers, { params: { id: batchId }, body: { ids: [tid] } }),
      await marcos.call(contracts.listTransfers, { params: { id: batchId } }),
      await marcos.call(contracts.readTransfer, { params: { id: tid } }),
      await marcos.call(saveBatch, { params: { id: batchId }, body: { name: "x", removed_ids: [tid] } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect(await counters()).toEqual({ value: 100_00, payments: 1, errors: 0 });
  });

  it("prevent that a payment of another batch is written, moved or removed through this one", async () => {
    const { body } = await add(pix());
    const other = await newBatch();
    expect((await change(body.id, pix({ value: 1 }), helena, other)).status).toBe(404);
    expect((await add({ ...pix({ value: 1 }), id: body.id }, helena, other)).status).toBe(404);
    expect(
      (await helena.call(contracts.removeTransfer, { params: { id: other, tid: body.id } })).status,
    ).toBe(404);
    expect(
      (await helena.call(contracts.removeTransfers, { params: { id: other }, body: { ids: [body.id] } }))
        .body,
    ).toEqual({ removed: 0 });
    const saved = { name: "x", transfers: [{ ...pix({ value: 1 }), id: body.id }] };
    expect((await helena.call(saveBatch, { params: { id: other }, body: saved })).status).toBe(404);
    const removed = { name: "x", removed_ids: [body.id] };
    expect((await helena.call(saveBatch, { params: { id: other }, body: removed })).body).toMatchObject({
      payments_count: 0,
      value: 0,
    });
    expect((await helena.call(contracts.readTransfer, { params: { id: body.id } })).body).toMatchObject(body);
    expect(await counters()).toEqual({ value: 100_00, payments: 1, errors: 0 });
  });

  it("let two companies use the same id without seeing or changing the other's payment", async () => {
    const id = crypto.randomUUID();
    const theirs = await newBatch(marcos);
    expect((await add({ ...pix({ value: 7 }), id }, marcos, theirs)).status).toBe(200);
    expect((await add({ ...pix({ value: 5 }), id })).body.value).toBe(5);
    expect((await marcos.call(contracts.readTransfer, { params: { id } })).body.value).toBe(7);
  });
});

describe("adding, changing, removing", () => {
  it("adds one payment for a repeated id, also in concurrent calls", async () => {
    const body = { ...pix(), id: crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(body)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await counters()).toEqual({ value: 100_00, payments: 1, errors: 0 });
  });

  it("gives an id that two drafts use concurrently to one of them", async () => {
    const other = await newBatch();
    const body = { ...pix(), id: crypto.randomUUID() };
    const answers = await Promise.all([batchId, other, batchId, other].map((id) => add(body, helena, id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 404]));
    expect((await counters()).payments + (await counters(other)).payments).toBe(1);
  });

  it("keeps the last version of a payment that one save names twice", async () => {
    const id = crypto.randomUUID();
    const answer = await helena.call(saveBatch, {
      params: { id: batchId },
      body: {
        name: "Folha",
        transfers: [{ ...pix({ value: 1 }), id }, { ...pix({ value: 2 }), id }, pix({ value: 3 })],
      },
    });
    expect(answer.body).toMatchObject({ payments_count: 2, value: 5 });
  });

  it("TRF-020 TRF-021 counters follow each change and removal", async () => {
    const good = (await add(pix())).body.id;
    const bad = (await add(pix({ value: null }))).body.id;
    expect(await counters()).toEqual({ value: 100_00, payments: 2, errors: 1 });
    expect((await change(bad, pix({ value: 30_00 }))).body.errors).toEqual([]);
    expect(await counters()).toEqual({ value: 130_00, payments: 2, errors: 0 });
    await change(good, ted({ value: 1_00, to: { name: "x" } }));
    expect(await counters()).toEqual({ value: 31_00, payments: 2, errors: 1 });
    expect(
      (await helena.call(contracts.removeTransfer, { params: { id: batchId, tid: good } })).body,
    ).toEqual({ ok: true });
    expect((await helena.call(contracts.removeTransfer, { params: { id: batchId, tid: good } })).status).toBe(
      404,
    );
    expect((await change(good, pix())).status).toBe(404);
    expect(await counters()).toEqual({ value: 30_00, payments: 1, errors: 0 });
    const removed = await helena.call(contracts.removeTransfers, {
      params: { id: batchId },
      body: { ids: [bad, bad, good, crypto.randomUUID()] },
    });
    expect(removed.body).toEqual({ removed: 1 });
    expect(await counters()).toEqual({ value: 0, payments: 0, errors: 0 });
    expect(
      (await helena.call(contracts.removeTransfers, { params: { id: batchId }, body: { ids: [] } })).status,
    ).toBe(400);
  });

  it("counters are right after many concurrent changes", async () => {
    const ids = Array.from({ length: 12 }, () => crypto.randomUUID());
    await Promise.all(ids.map((id, n) => add({ ...pix({ value: n % 3 === 0 ? null : n }), id })));
    await Promise.all(
      ids.flatMap((id, n) => [
        change(id, pix({ value: n + 1 })),
        ...(n % 2 ? [helena.call(contracts.removeTransfer, { params: { id: batchId, tid: id } })] : []),
      ]),
    );
    expect(await checkBooks(app.services.db)).toEqual([]);
    expect((await counters()).payments).toBe(6);
  });

  it("TRF-018 refuses to add a payment to a batch that is not a draft, and to remove one", async () => {
    const { body } = await add(pix());
    expect((await helena.post(`/api/payments/batch/${batchId}/sendToApproval`, {})).status).toBe(200);
    expect(await add(pix())).toMatchObject({ status: 409, body: { code: "batch_not_draft" } });
    expect((await change(body.id, pix({ value: 1 }))).status).toBe(409);
    expect(
      (await helena.call(contracts.removeTransfer, { params: { id: batchId, tid: body.id } })).status,
    ).toBe(409);
    expect(await counters()).toEqual({ value: 100_00, payments: 1, errors: 0 });
  });
});

describe("help for typing", () => {
  it("TRF-022 says whether an integration id was used, in this company and apart from the payment itself", async () => {
    const { body } = await add(pix({ integration_id: "NF/9 é" }));
    const requested = async (person: Person, query: Record<string, string> = {}) =>
      (await person.call(contracts.readDuplicatedIntegrationId, { params: { id: "NF/9 é" }, query })).body
        .isDuplicated;
    expect(await requested(helena)).toBe(true);
    expect(await requested(helena, { except: body.id })).toBe(false);
    expect(await requested(marcos)).toBe(false);
    await helena.delete(`/api/payments/batch/${batchId}`);
    expect(await requested(helena)).toBe(false);
  });

  it("TRF-030 lists the blocked documents in the blacklist", async () => {
    const { body } = await ana.call(readBlacklist);
    expect(body.data).toEqual(demoBlockedTaxIds.map(({ taxId }) => taxId).sort());
  });
});

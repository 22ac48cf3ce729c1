import { createBatch, readBatch, saveBatch } from "@malote/contracts/batches";
import * as contracts from "@malote/contracts/transfers";
import { readBlacklist } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoBlockedTaxIds } from "../../adapters/sandbox/demo/demo-data.ts";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../../ledger/check-books.ts";
import { buildTestApp, type Person, type TestApp, testStart } from "../../testing/app.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;
let batchId: string;
const companyId = demoCompanies[0]?.id ?? "";

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

async function newBatch(person = helena, body: object = {}): Promise<string> {
  const answer = await person.call(createBatch, { body: { name: "Folha", ...body } });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

const itau = "60701190";
const caixa = "00360305";
const malote = "99999593";

type Destination = NonNullable<contracts.TransferInput["destination_bank_account"]>;
type Changes = Omit<Partial<contracts.TransferInput>, "destination_bank_account"> & {
  to?: Partial<Destination>;
};

const ted = ({ to = {}, ...changes }: Changes = {}): contracts.TransferInput => ({
  value: 100_00,
  destination_bank_account: {
    name: "Padaria Três Irmãos Ltda",
    cpf_cnpj: "12.ABC.345/01DE-35",
    bank_id: itau,
    agency: "1234",
    account: "12345",
    account_digit: "1",
    account_type: "CONTA_CORRENTE",
    ...to,
  },
  ...changes,
});
const pix = ({ to = {}, ...changes }: Changes = {}): contracts.TransferInput => ({
  value: 100_00,
  destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: "ana@exemplo.com.br", ...to },
  ...changes,
});
const byKey = (
  pix_key_type: NonNullable<Destination["pix_key_type"]>,
  pix_key: string,
  changes: Changes = {},
) => pix({ ...changes, to: { ...changes.to, pix_key_type, pix_key } });

const add = (body: object, person = helena, id = batchId) =>
  person.call(contracts.addTransfer, { params: { id }, body });
const change = (tid: string, body: object, person = helena, id = batchId) =>
  person.call(contracts.changeTransfer, { params: { id, tid }, body });
const list = async (query: Record<string, string> = {}, id = batchId) =>
  (await helena.call(contracts.listTransfers, { params: { id }, query })).body;
const counters = async (id = batchId) => {
  const { body } = await helena.call(readBatch, { params: { id } });
  return { value: body.value, payments: body.payments_count, errors: body.errors_count };
};
const issuesOf = (transfer: contracts.Transfer) =>
  [...transfer.errors, ...transfer.warnings].map((issue) => `${issue.field} ${issue.code}`);

describe("the rules of a payment, as issues beside their fields", () => {
  const long = "x".repeat(141);
  it.each<[string, contracts.TransferInput, string[]]>([
    ["TRF-023 a CPF key that is none", byKey("CPF", "111.111.111-11"), ["pix_key pix_key_cpf_invalid"]],
    [
      "TRF-023 a CNPJ key that is none",
      byKey("CNPJ", "11.111.111/1111-11"),
      ["pix_key pix_key_cnpj_invalid"],
    ],
    [
      "TRF-023 an e-mail key without @",
      byKey("EMAIL", "ana.exemplo.com.br"),
      ["pix_key pix_key_email_invalid"],
    ],
    ["TRF-023 a landline as key", byKey("TELEFONE", "1133334444"), ["pix_key pix_key_phone_invalid"]],
    [
      "TRF-023 a phone of another country",
      byKey("TELEFONE", "+4411987654321"),
      ["pix_key pix_key_phone_invalid"],
    ],
    ["TRF-023 a random key that is none", byKey("CHAVE_ALEATORIA", "123e4567"), ["pix_key pix_key_invalid"]],
    ["TRF-023 a key without a type", pix({ to: { pix_key_type: null } }), ["pix_key pix_key_invalid"]],
    ["TRF-023 a type without a key", pix({ to: { pix_key: "" } }), ["pix_key pix_key_email_invalid"]],
    ["TRF-023 a right random key", byKey("CHAVE_ALEATORIA", "123E4567-e89b-12d3-a456-426614174000"), []],
    ["TRF-028 a name of two letters", ted({ to: { name: "Jo" } }), ["name name_invalid"]],
    ["TRF-028 no name at all", ted({ to: { name: null } }), ["name name_invalid"]],
    ["TRF-028 no document", ted({ to: { cpf_cnpj: null } }), ["cpf_cnpj tax_id_invalid"]],
    ["TRF-028 a wrong document", ted({ to: { cpf_cnpj: "123.456.789-00" } }), ["cpf_cnpj tax_id_invalid"]],
    ["TRF-028 no bank", ted({ to: { bank_id: null } }), ["bank_id bank_missing"]],
    ["TRF-028 a bank that does not exist", ted({ to: { bank_id: "12345678" } }), ["bank_id bank_missing"]],
    ["TRF-028 no account type", ted({ to: { account_type: null } }), ["account_type account_type_invalid"]],
    ["TRF-028 no agency", ted({ to: { agency: "" } }), ["agency agency_invalid"]],
    ["TRF-029 an e-mail that is none", ted({ to: { email: "ana@" } }), ["email email_invalid"]],
    ["TRF-029 no e-mail", ted({ to: { email: null } }), []],
    [
      "TRF-030 a blocked document",
      ted({ to: { cpf_cnpj: "90.731.582/0001-79" } }),
      ["cpf_cnpj tax_id_blocked"],
    ],
    ["TRF-030 a blocked key", byKey("CPF", "731.905.284-97"), ["pix_key tax_id_blocked"]],
    [
      "TRF-032 a wrong document to validate",
      pix({ pix_key_validation: { cpf_cnpj: "123" } }),
      ["pix_key_validation pix_key_validation_invalid"],
    ],
    ["TRF-032 no document to validate", pix({ pix_key_validation: { cpf_cnpj: "" } }), []],
    [
      "TRF-034 a public entity at another bank",
      ted({ to: { account_type: "ENTIDADES_PUBLICAS" } }),
      ["account_type public_entity_invalid"],
    ],
    [
      "TRF-034 a person as public entity",
      ted({ to: { account_type: "ENTIDADES_PUBLICAS", bank_id: caixa, cpf_cnpj: "123.456.789-09" } }),
      ["account_type public_entity_invalid", "account account_unusual"],
    ],
    ["TRF-037 a centavo above the maximum", pix({ value: 250_000_01 }), ["value value_above_max"]],
    ["TRF-037 the maximum itself", pix({ value: 250_000_00 }), []],
    ["TRF-037 nothing", pix({ value: 0 }), ["value value_invalid"]],
    ["TRF-037 no value", pix({ value: null }), ["value value_invalid"]],
    [
      "TRF-041 a description of 141 letters",
      pix({ pix_description: long }),
      ["pix_description pix_description_too_long"],
    ],
    ["TRF-041 a description of 140 letters", pix({ pix_description: long.slice(1) }), []],
    [
      "TRF-042 the four allowed tags",
      pix({ pix_description: "<b>a</b><i>b</i><em>c</em><strong>d</strong>" }),
      [],
    ],
    [
      "TRF-042 any other tag",
      pix({ pix_description: "<img src=x onerror=alert(1)>" }),
      ["pix_description pix_description_unsafe"],
    ],
    [
      "TRF-043 a sign above 255",
      pix({ pix_description: "obrigado 😀" }),
      ["pix_description pix_description_characters"],
    ],
    ["TRF-044 yesterday", pix({ payment_date: "2026-08-11" }), ["payment_date payment_date_expired"]],
    ["TRF-044 today", pix({ payment_date: "2026-08-12" }), []],
    ["TRF-044 no date, which is today", pix({ payment_date: null }), []],
    ["TRF-044 a later day", pix({ payment_date: "2026-12-01" }), []],
    [
      "TRF-044 a TED on a Sunday runs on Monday",
      ted({ payment_date: "2026-08-16" }),
      ["payment_date ted_next_business_day"],
    ],
  ])("%s", async (_, body, expected) => {
    const answer = await add(body);
    expect(answer.status).toBe(200);
    expect(issuesOf(answer.body)).toEqual(expected);
    const wrong = answer.body.errors.length > 0 ? 1 : 0;
    expect(await counters()).toEqual({ value: body.value ?? 0, payments: 1, errors: wrong });
  });

  it("says everything that is wrong at once", async () => {
    const { body } = await add({ value: null, destination_bank_account: {} });
    expect(body.errors.map((issue: { field: string }) => issue.field)).toEqual(
      expect.arrayContaining(["name", "cpf_cnpj", "bank_id", "agency", "account", "account_type", "value"]),
    );
  });

  it("TRF-037 the company's own maximum counts, and its text names it", async () => {
    await setLimits({ PIX: 50_00 });
    const { body } = await add(pix({ value: 50_01 }));
    await setLimits({ PIX: 250_000_00, TED: 250_000_00, TEV: 250_000_00, BILLET: 250_000_00 });
    expect(body.errors).toEqual([{ code: "value_above_max", field: "value", data: { max: 50_00 } }]);
  });

  it("TRF-044 a TED chosen for today is too late at 16:30:01, and only then", async () => {
    const { body } = await add(ted({ payment_date: "2026-08-12" }));
    try {
      app.clock.set("2026-08-12T19:30:00Z");
      // A token lives half an hour.
      const late = await app.as("helena@aurora.example");
      const read = async () => (await late.call(contracts.listTransfers, { params: { id: batchId } })).body;
      expect((await read()).data[0].errors).toEqual([]);
      app.clock.set("2026-08-12T19:30:01Z");
      const { data, failedTransfersSummary } = await read();
      expect(data[0].errors).toMatchObject([{ code: "payment_time_expired", field: "payment_date" }]);
      expect(failedTransfersSummary).toEqual({ count: 1, value: 100_00, ids: [body.id] });
    } finally {
      app.clock.set(testStart);
    }
  });

  async function setLimits(accountLimits: object) {
    await app.services.db.withSystem((tx) =>
      sql`UPDATE companies SET settings = settings || ${JSON.stringify({ accountLimits })}::jsonb WHERE company_id = ${companyId}`.execute(
        tx,
      ),
    );
  }
});

describe("how a payment is stored", () => {
  it("TRF-006 TRF-039 a key gives Pix, the provider's own bank TEV, any other account TED", async () => {
    const methods = await Promise.all(
      [
        pix(),
        ted({ to: { bank_id: malote, agency: "0001", account: "1018437", account_digit: "1" } }),
        ted(),
        byKey("EMAIL", "a@b.com", { to: { bank_id: itau } }),
      ].map(async (body) => (await add(body)).body.payment_method),
    );
    expect(methods).toEqual(["PIX", "TEV", "TED", "PIX"]);
  });

  it.each<[string, contracts.TransferInput, Partial<Destination>]>([
    [
      "TRF-025 a CPF key that holds a CNPJ becomes one",
      byKey("CPF", "12.ABC.345/01DE-35"),
      { pix_key_type: "CNPJ", pix_key: "12ABC34501DE35" },
    ],
    [
      "TRF-025 and the other way round",
      byKey("CNPJ", "123.456.789-09"),
      { pix_key_type: "CPF", pix_key: "12345678909" },
    ],
    [
      "TRF-026 a phone with +55 is the same phone",
      byKey("TELEFONE", "+55 (11) 98765-4321"),
      { pix_key: "+5511987654321" },
    ],
    ["TRF-026 and without it", byKey("TELEFONE", "11 98765-4321"), { pix_key: "+5511987654321" }],
    [
      "TRF-027 an obfuscated CPF is left out of a Pix",
      pix({ to: { cpf_cnpj: "***.456.789-**" } }),
      { cpf_cnpj: null },
    ],
    ["TRF-005 documents are kept bare", ted(), { cpf_cnpj: "12ABC34501DE35" }],
  ])("%s", async (_, body, expected) => {
    const { body: stored } = await add(body);
    expect(stored.errors).toEqual([]);
    expect(stored.destination_bank_account).toMatchObject(expected);
  });

  it("TRF-027 decision 15: a masked CPF is never taken as a document of a TED", async () => {
    expect((await add(ted({ to: { cpf_cnpj: "***.456.789-**" } }))).body.errors).toMatchObject([
      { code: "tax_id_invalid" },
    ]);
    const masked = pix({ pix_key_validation: { cpf_cnpj: "***.456.789-**" } });
    expect((await add(masked)).body.pix_key_validation).toBeNull();
  });

  it("TRF-001 TRF-002 shows every field, and dates and links that it does not have as null", async () => {
    const { body } = await add(
      pix({
        integration_id: " NF 12 ",
        pix_description: "Nota <b>12</b>",
        pix_key_validation: { cpf_cnpj: "123.456.789-09" },
      }),
    );
    expect(body).toMatchObject({
      batch_id: batchId,
      value: 100_00,
      integration_id: "NF 12",
      pix_description: "Nota <b>12</b>",
      pix_key_validation: { cpf_cnpj: "12345678909" },
      status: "CREATED",
      status_description: null,
      created_at: testStart.toISOString(),
      transfer_date: null,
      returned_date: null,
      refunds: [],
      emv: null,
      bank_receipt_url: null,
      receipt_url: null,
      sheet_row: null,
    });
    expect((await helena.call(contracts.readTransfer, { params: { id: body.id } })).body).toMatchObject(body);
  });

  it("TRF-005 the same key or account is the same receiver, another is another", async () => {
    const receivers = await Promise.all(
      [pix(), pix({ value: 5 }), pix({ to: { pix_key: "b@exemplo.com.br" } })].map(
        async (body) => (await add(body)).body.destination_bank_account.id,
      ),
    );
    expect(receivers[0]).toBe(receivers[1]);
    expect(receivers[2]).not.toBe(receivers[0]);
  });

  it("signs that no text holds are refused, never a failure of ours", async () => {
    expect((await add(pix({ to: { name: "Jo\ud800ana" } }))).status).toBe(400);
    expect((await add(pix({ to: { name: "Jo\u0000ana" } }))).status).toBe(400);
    expect(
      (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { search: "\u0000" } }))
        .status,
    ).toBe(400);
  });

  it("amounts that a batch could not add up are complaints, not failures", async () => {
    for (let n = 0; n < 3; n++) {
      const answer = await add(pix({ value: Number.MAX_SAFE_INTEGER }));
      expect(answer.body).toMatchObject({ value: null, errors: [{ code: "value_above_max" }] });
    }
    expect(await counters()).toEqual({ value: 0, payments: 3, errors: 3 });
  });

  it.each([
    ["a fraction of a centavo", { value: 10.5 }],
    ["a negative value", { value: -1 }],
    ["a value past what is exact", { value: 2 ** 53 }],
    ["a value in text", { value: "10,00" }],
    ["a day that does not exist", { payment_date: "2026-02-30" }],
    ["a day of another age", { payment_date: "9999-12-31" }],
    ["an unknown account type", { destination_bank_account: { account_type: "CONTA_SALARIO" } }],
    ["an id that is none", { id: "1" }],
    ["a name of 256 letters", { destination_bank_account: { name: "x".repeat(256) } }],
    ["no destination", { destination_bank_account: undefined }],
  ])("refuses %s", async (_, changes) => {
    expect(await add({ ...pix(), ...changes })).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
    expect(await counters()).toEqual({ value: 0, payments: 0, errors: 0 });
  });
});

describe("who may change what", () => {
  it("TRF-020 refuses who is not signed in, an analyst, another company and a batch of boletos", async () => {
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

  it("does not find a draft of another company, by any call", async () => {
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

  it("a payment of another batch cannot be written, moved or removed through this one", async () => {
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

  it("two companies may use one id: neither sees nor disturbs the other's", async () => {
    const id = crypto.randomUUID();
    const theirs = await newBatch(marcos);
    expect((await add({ ...pix({ value: 7 }), id }, marcos, theirs)).status).toBe(200);
    expect((await add({ ...pix({ value: 5 }), id })).body.value).toBe(5);
    expect((await marcos.call(contracts.readTransfer, { params: { id } })).body.value).toBe(7);
  });
});

describe("adding, changing, removing", () => {
  it("a repeated add with the same id is one payment, also when both come at once", async () => {
    const body = { ...pix(), id: crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(body)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await counters()).toEqual({ value: 100_00, payments: 1, errors: 0 });
  });

  it("one id for two drafts at once belongs to one of them", async () => {
    const other = await newBatch();
    const body = { ...pix(), id: crypto.randomUUID() };
    const answers = await Promise.all([batchId, other, batchId, other].map((id) => add(body, helena, id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 404]));
    expect((await counters()).payments + (await counters(other)).payments).toBe(1);
  });

  it("named twice in one save, a payment is what was said last", async () => {
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

  it("counters agree after many changes at once", async () => {
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

  it("TRF-018 a batch that is no draft takes no payment, and gives none away", async () => {
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

describe("the list of a batch", () => {
  const names = (body: { data: contracts.Transfer[] }) =>
    body.data.map((transfer) => transfer.destination_bank_account.name);

  it("BAT-041 shows 50 at a time in the order they were given, and nothing past the end", async () => {
    const transfers = Array.from({ length: 120 }, (_, n) => pix({ value: n + 1 }));
    await helena.call(saveBatch, { params: { id: batchId }, body: { name: "Folha", transfers } });
    const pages = await Promise.all(["0", "1", "2", "3"].map((page) => list({ page })));
    expect(pages.map((page) => page.data.length)).toEqual([50, 50, 20, 0]);
    expect(pages.flatMap((page) => page.data.map((transfer: contracts.Transfer) => transfer.value))).toEqual(
      transfers.map((transfer) => transfer.value),
    );
    expect(pages[3].metadata).toEqual({ pagination: { itemsPerPage: 50, totalItems: 120 } });
    for (const page of ["-1", "2001", "x", "1.5"]) {
      expect(
        (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { page } })).status,
      ).toBe(400);
    }
    expect((await helena.call(contracts.listTransfers, { params: { id: crypto.randomUUID() } })).status).toBe(
      404,
    );
  });

  it("BAT-041 TRF-009 TRF-010 filters by status, errors and warnings, and counts what it filtered", async () => {
    await add(pix({ to: { name: "Certa" } }));
    const wrong = (await add(pix({ value: null, to: { name: "Errada" } }))).body.id;
    await add(ted({ payment_date: "2026-08-16", to: { name: "Avisada" } }));
    const found = async (status: string) => {
      const body = await list({ status });
      expect(body.metadata.pagination.totalItems).toBe(body.data.length);
      return names(body);
    };
    expect(await found("CREATED")).toEqual(["Certa", "Errada", "Avisada"]);
    expect(await found("WITH_ERRORS")).toEqual(["Errada"]);
    expect(await found("FAILED")).toEqual(["Errada"]);
    expect(await found("WITH_WARNINGS")).toEqual(["Avisada"]);
    for (const status of ["SCHEDULED", "RECEIVED", "TRANSFERRED", "RETURNED"])
      expect(await found(status)).toEqual([]);
    expect(await list()).toMatchObject({
      failedTransfersSummary: { count: 1, value: 0, ids: [wrong] },
      is_all_transfers_scheduled: false,
    });
    const failed = await helena.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(failed.body).toEqual({ ids: [wrong], value: 0 });
    expect(
      (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { status: "x" } }))
        .status,
    ).toBe(400);
  });

  it("BAT-041 BAT-046 names 500 failed payments on a page, all of them by a call of its own, and none of another company", async () => {
    await app.services.db.pool.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, errors, created_at)
       SELECT company_id, uuidv7(), id, n, 'CREATED', 100, 'PIX', 'Sem chave', '[{"code":"pix_key_invalid","field":"pix_key"}]', now()
       FROM batches, generate_series(1, 700) n WHERE id = $1`,
      [batchId],
    );
    await app.services.db.pool.query(
      `UPDATE batches SET payments_count = payments_count + 700, errors_count = errors_count + 700, value = value + 70000
       WHERE id = $1`,
      [batchId],
    );
    const { failedTransfersSummary: summary, data } = await list();
    expect([data.length, summary.count, summary.value]).toEqual([50, 700, 700_00]);
    expect(new Set(summary.ids).size).toBe(500);
    const all = await helena.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(new Set(all.body.ids).size).toBe(700);
    const theirs = await marcos.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(theirs).toMatchObject({ status: 404, body: { code: "not_found" } });
    const removed = await helena.call(contracts.removeTransfers, { params: { id: batchId }, body: all.body });
    expect(removed.body).toEqual({ removed: 700 });
  });

  it("finds by name, document, key, account, integration id and value, and takes signs of patterns as they are", async () => {
    await add(ted({ value: 1_234_56, integration_id: "NF-77", to: { name: "João 100% Ltda" } }));
    await add(byKey("TELEFONE", "11987654321", { value: 9_99, to: { name: "Maria_Silva Souza" } }));
    const found = async (search: string) => names(await list({ search }));
    const [joao, maria] = [["João 100% Ltda"], ["Maria_Silva Souza"]];
    for (const search of ["joão", "12.ABC.345", "12abc345", "NF-77", "1.234,56", "12345", "100%"])
      expect([search, await found(search)]).toEqual([search, joao]);
    for (const search of ["silva", "98765", "9,99", "_"])
      expect([search, await found(search)]).toEqual([search, maria]);
    for (const search of ["ninguém", "\\", "'; DROP TABLE transfers; --"])
      expect([search, await found(search)]).toEqual([search, []]);
    expect(await found("  ")).toHaveLength(2);
  });

  it("BAT-036 BAT-041 finds whatever the accents and capitals, of who wrote it and of who searches", async () => {
    const decomposed = "André Simões".normalize("NFD");
    for (const name of ["José da Conceição", "JOAO MÜLLER", "Begoña Núñez", decomposed])
      await add(pix({ to: { name, pix_key: "a@exemplo.com.br" } }));
    await add(pix({ integration_id: "Ação-Ü1", to: { name: "Renata", pix_key: "Çedilha@exemplo.com.br" } }));
    const found = async (search: string) => names(await list({ search }));
    for (const [name, ...searches] of [
      ["José da Conceição", "jose", "JOSÉ", "conceicao", "Conceição", "CONCEIÇÃO", "jose\u0301 da"],
      ["JOAO MÜLLER", "joão", "João", "muller", "müller"],
      ["Begoña Núñez", "begona", "BEGOÑA", "nunez", "ñÚñ"],
      [decomposed, "andre", "ANDRÉ", "simoes", decomposed],
      ["Renata", "acao-u1", "AÇÃO-ü", "cedilha@", "ÇEDILHA"],
    ])
      for (const search of searches) expect([search, await found(search)]).toEqual([search, [name]]);
  });

  it("BAT-041 takes %, _ and backslash for themselves", async () => {
    for (const name of ["Sinal de 50% pago", "Ana_Maria", "Barra \\ Filhos", "Ana Maria"])
      await add(pix({ to: { name } }));
    const found = async (search: string) => names(await list({ search }));
    expect(await found("50%")).toEqual(["Sinal de 50% pago"]);
    expect(await found("%")).toEqual(["Sinal de 50% pago"]);
    expect(await found("_")).toEqual(["Ana_Maria"]);
    expect(await found("ana_maria")).toEqual(["Ana_Maria"]);
    expect(await found("\\")).toEqual(["Barra \\ Filhos"]);
    expect(await found("\\%")).toEqual([]);
    expect(await found("5_%")).toEqual([]);
  });

  it("BAT-041 finds a document by its beginning, an account when it is whole, and a value", async () => {
    await add(ted({ value: 7_654_32 }));
    await add(
      byKey("CPF", "529.982.247-25", { value: 80_00, to: { name: "Zeca", cpf_cnpj: "529.982.247-25" } }),
    );
    const found = async (search: string) => names(await list({ search }));
    const padaria = ["Padaria Três Irmãos Ltda"];
    for (const search of ["12.ABC.345/01DE-35", "12abc", "12.ABC", "12345", "7.654,32", "7654,32"])
      expect([search, await found(search)]).toEqual([search, padaria]);
    for (const search of ["ABC345", "2345", "1234", "123456", "7.654,33", "765432"])
      expect([search, await found(search)]).toEqual([search, []]);
    for (const search of ["52998224725", "529.982", "80,00"])
      expect([search, await found(search)]).toEqual([search, ["Zeca"]]);
    // A text may be anywhere in a key.
    expect(await found("98224")).toEqual(["Zeca"]);
  });

  it("BAT-041 never finds another company's payments, whatever batch is asked for", async () => {
    const theirs = await newBatch(marcos);
    await add(pix({ to: { name: "José de Horizonte" } }), marcos, theirs);
    await add(pix({ to: { name: "José de Aurora" } }));
    const asked = (person: Person, id: string) =>
      person.call(contracts.listTransfers, { params: { id }, query: { search: "jose" } });
    expect(names((await asked(helena, batchId)).body)).toEqual(["José de Aurora"]);
    expect(names((await asked(marcos, theirs)).body)).toEqual(["José de Horizonte"]);
    expect((await asked(helena, theirs)).body.code).toBe("not_found");
    // Row security alone, without a word of the company.
    const { rows } = await app.services.db.withCompany(companyId, (tx) =>
      sql<{
        name: string;
      }>`SELECT name FROM transfers WHERE search_text LIKE fold_text('%de Horizonte%')`.execute(tx),
    );
    expect(rows).toEqual([]);
  });

  it("TRF-018 BAT-041 keeps a draft however long its mistakes are, and finds it by a part of them", async () => {
    // No sign like another, so that nothing of it can be pressed.
    const signs = (count: number) =>
      Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join("");
    const long = signs(255);
    const wrong = { name: long, pix_key: long, cpf_cnpj: signs(25), account: signs(30) };
    const { status, body } = await add(ted({ integration_id: long, to: wrong }));
    expect([status, body.code]).toEqual([200, undefined]);
    expect(names(await list({ search: signs(40) }))).toEqual([long]);
    expect((await change(body.id, pix({ to: { name: "Émile" } }))).status).toBe(200);
    expect(names(await list({ search: signs(1) }))).toEqual([]);
    expect(names(await list({ search: "emile" }))).toEqual(["Émile"]);
  });
});

describe("what helps to type", () => {
  it("TRF-022 says whether an integration id was used, in this company and apart from the payment itself", async () => {
    const { body } = await add(pix({ integration_id: "NF/9 é" }));
    const asked = async (person: Person, query: Record<string, string> = {}) =>
      (await person.call(contracts.readDuplicatedIntegrationId, { params: { id: "NF/9 é" }, query })).body
        .isDuplicated;
    expect(await asked(helena)).toBe(true);
    expect(await asked(helena, { except: body.id })).toBe(false);
    expect(await asked(marcos)).toBe(false);
    await helena.delete(`/api/payments/batch/${batchId}`);
    expect(await asked(helena)).toBe(false);
  });

  it("TRF-030 the blacklist holds the blocked documents", async () => {
    const { body } = await ana.call(readBlacklist);
    expect(body.data).toEqual(demoBlockedTaxIds.map(({ taxId }) => taxId).sort());
  });
});

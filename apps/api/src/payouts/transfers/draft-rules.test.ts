/** The rules of a transfer, and how a draft stores it. */
import * as contracts from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../../company/store.ts";
import { checkBooks } from "../../ledger/check-books.ts";
import { buildTestApp, type Person, type TestApp, testStart } from "../../testing/app.ts";
import {
  byKey,
  companyId,
  type Destination,
  draftCalls,
  itau,
  pix,
  ted,
} from "../../testing/transfer-drafts-kit.ts";

let app: TestApp;
let helena: Person;
let batchId: string;
beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
});
beforeEach(async () => {
  batchId = await newBatch();
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

const { newBatch, add, counters } = draftCalls(
  () => helena,
  () => batchId,
);

const caixa = "00360305";
const malote = "99999593";
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

  it("reports all mistakes together", async () => {
    const { body } = await add({ value: null, destination_bank_account: {} });
    expect(body.errors.map((issue) => issue.field)).toEqual(
      expect.arrayContaining(["name", "cpf_cnpj", "bank_id", "agency", "account", "account_type", "value"]),
    );
  });

  it("TRF-037 applies the company's own maximum, which its text names", async () => {
    await setLimits({ PIX: 50_00 });
    const { body } = await add(pix({ value: 50_01 }));
    await setLimits({ PIX: 250_000_00, TED: 250_000_00, TEV: 250_000_00, BILLET: 250_000_00 });
    expect(body.errors).toEqual([{ code: "value_above_max", field: "value", data: { max: 50_00 } }]);
  });

  it("TRF-037 Pix, TED and internal transfers have separate maximums", async () => {
    const own = { bank_id: malote, agency: "0001", account: "1018437", account_digit: "1" };
    const given = [pix, ted, (changes: object) => ted({ ...changes, to: own })];
    await setLimits({ PIX: 50_00, TED: 60_00, TEV: 70_00 });
    const found = await Promise.all(given.map((make) => add(make({ value: 70_01 }))));
    const taken = await Promise.all(given.map((make, at) => add(make({ value: 50_00 + at * 10_00 }))));
    await setLimits({ PIX: 250_000_00, TED: 250_000_00, TEV: 250_000_00, BILLET: 250_000_00 });
    expect(found.map(({ body }) => [body.payment_method, body.errors])).toEqual(
      [
        ["PIX", 50_00],
        ["TED", 60_00],
        ["TEV", 70_00],
      ].map(([method, max]) => [method, [{ code: "value_above_max", field: "value", data: { max } }]]),
    );
    expect(taken.map(({ body }) => body.errors)).toEqual([[], [], []]);
  });

  it("TRF-034 permits a public entity at any bank if the company's configuration does, but still no person", async () => {
    const entity = (cpf_cnpj: string) => ted({ to: { account_type: "ENTIDADES_PUBLICAS", cpf_cnpj } });
    const setNeed = (publicEntityNeedsCaixa: boolean) =>
      app.services.db.withCompany(companyId, (tx) => changeSettings(tx, { publicEntityNeedsCaixa }));
    await setNeed(false);
    const answers = await Promise.all(
      ["11.222.333/0001-81", "123.456.789-09"].map((one) => add(entity(one))),
    );
    await setNeed(true);
    expect(answers.map(({ body }) => issuesOf(body))).toEqual([[], ["account_type public_entity_invalid"]]);
  });

  it("TRF-044 makes a TED of today late at 16:30:01, and not before", async () => {
    const { body } = await add(ted({ payment_date: "2026-08-12" }));
    try {
      app.clock.set("2026-08-12T19:30:00Z");
      // A token is valid for half an hour.
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
  it("TRF-006 TRF-039 stores a payment to a key as Pix, to the provider's own bank as TEV, to any other account as TED", async () => {
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

  it("TRF-027 ruling D15: never accepts a masked CPF as a document of a TED", async () => {
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

  it("TRF-005 gives the same key or account the same receiver, and a different one another receiver", async () => {
    const receivers = await Promise.all(
      [pix(), pix({ value: 5 }), pix({ to: { pix_key: "b@exemplo.com.br" } })].map(
        async (body) => (await add(body)).body.destination_bank_account.id,
      ),
    );
    expect(receivers[0]).toBe(receivers[1]);
    expect(receivers[2]).not.toBe(receivers[0]);
  });

  it("refuses characters that no text can contain, without an error of ours", async () => {
    expect((await add(pix({ to: { name: "Jo\ud800ana" } }))).status).toBe(400);
    expect((await add(pix({ to: { name: "Jo\u0000ana" } }))).status).toBe(400);
    expect(
      (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { search: "\u0000" } }))
        .status,
    ).toBe(400);
  });

  it("reports amounts that a batch could not add up as issues, not as errors of ours", async () => {
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

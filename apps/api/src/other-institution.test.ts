/**
 * Texts of an installation name the configured institution; the sandbox's own appears nowhere once the environment
 * names another.
 */

import { randomUUID } from "node:crypto";
import { type CheckoutCharge, payCheckout } from "@malote/contracts/checkout";
import { listPaymentAccounts, readBankByCode, readBankImage } from "@malote/contracts/company";
import { bases, type Contract } from "@malote/contracts/contract";
import { downloadModelSheet, importSheet, readSheet } from "@malote/contracts/import";
import { contracts } from "@malote/contracts/index";
import { downloadPayinReceipt } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import {
  downloadBankReceipt,
  downloadReceipt,
  downloadReceipts,
  requestReceipts,
} from "@malote/contracts/receipts";
import { downloadReport, requestStatementOfx, requestStatementPdf } from "@malote/contracts/reports";
import { readSimulator } from "@malote/contracts/simulator";
import { readTransfer } from "@malote/contracts/transfers";
import { inventedInstitution } from "@malote/domain/own-institution";
import { readXlsx } from "hucre";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "./adapters/sandbox/demo/demo-data.ts";
import { chargeIdOf } from "./checkout/charge-id.ts";
import { readConfig } from "./platform/config.ts";
import { entriesOf, linesOf } from "./receipts/testing.ts";
import { barcodeOf } from "./testing/boletos.ts";
import { csvOf, fetchTransfers, tedHeadings, tedRow, upload } from "./testing/import-kit.ts";
import { setCompany } from "./testing/operator-kit.ts";
import {
  auroraId,
  batch,
  fetchStatement,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
} from "./testing/payments-kit.ts";

const { institution } = readConfig({
  MALOTE_ISPB: "11223344",
  MALOTE_BANK_CODE: "987",
  MALOTE_INSTITUTION_NAME: "Serra Azul Pagamentos",
});
/** The code alone proves nothing: the public list gives it to another institution. */
const theDefault = /99999593|Mesa Pagamentos|Malote IP/;

const horizonte = demoCompanies.find(({ id }) => id !== auroraId) as (typeof demoCompanies)[number];
const inTheHouse = {
  name: horizonte.name,
  cpf_cnpj: horizonte.taxId,
  bank_id: institution.ispb,
  agency: horizonte.agency,
  account: horizonte.account,
  account_digit: horizonte.accountDigit,
  account_type: "CONTA_PAGAMENTO",
} as const;

let kit: PaymentsKit;
let payments: { id: string }[];
beforeAll(async () => {
  kit = await openPayments({ config: { institution } });
  for (const { id } of demoCompanies) await setCompany(kit.services, id, { hasBoletoCharge: true });
  const id = await paidFor(kit, [pix(10_00), { value: 20_00, destination_bank_account: inTheHouse }], 100_00);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  payments = (await batch(kit.admin, id)).transfers;
});
afterAll(() => kit?.close());

/** Threads have low priority, so a busy machine delays them. */
const threadTimeout = 180_000;
const own = { ispb: institution.ispb, code: institution.code, name: institution.name };

/** Returns a file's bytes, for any caller. */
async function fetchFile({ base, path }: Contract, id: string): Promise<Buffer> {
  const { statusCode, rawPayload } = await kit.server.inject({
    url: bases[base] + path.replace(/:\w+/, id),
    headers: { authorization: `Bearer ${kit.admin.token}` },
  });
  expect(statusCode).toBe(200);
  return rawPayload;
}

/** Parameters with which any list or count answers. */
const requested: Readonly<Record<string, string>> = {
  initialDate: "2026-08-01",
  endDate: "2026-08-31",
  startDate: "2026-08-01",
  date: "2026-07-01",
  search: "maria",
  bankCode: institution.code,
  barcode: barcodeOf(10_00),
};

it.each(["payments", "validation"] as const)(
  "names the configured institution in every answer to an admin in the application %s",
  async (application) => {
    const helena = await kit.as("helena@aurora.example", application);
    const answering = contracts.filter(
      ({ method, path, policy }) =>
        method === "GET" &&
        !path.includes(":") &&
        policy.access === "session" &&
        policy.applications.includes(application),
    );
    let answered = 0;
    for (const contract of answering as readonly Contract[]) {
      const query = Object.fromEntries(
        Object.keys(contract.query?.shape ?? {}).flatMap((name) =>
          requested[name] ? [[name, requested[name]]] : [],
        ),
      );
      let { status, body } = await helena.call(contract, { query });
      if (status === 400)
        ({ status, body } = await helena.call(contract, { query: { ...query, status: "finished" } }));
      if (status === 200) answered++;
      expect(JSON.stringify(body), contract.id).not.toMatch(theDefault);
    }
    // A demo company has no logo, for example, so that call is refused.
    expect(answered).toBeGreaterThan(answering.length - 8);
  },
);

it("SET-007 names the configured institution in the list of banks, a bank by its code, its picture, and the company's account", async () => {
  expect((await kit.admin.call(readBankByCode, { params: { code: own.code } })).body).toMatchObject(own);
  // The public list gives this code to another institution.
  expect(
    (await kit.admin.call(readBankByCode, { params: { code: inventedInstitution.code } })).body,
  ).toMatchObject({
    ispb: "27084098",
  });
  expect((await kit.call(readBankImage, { params: { id: own.ispb } })).body).toContain(">987<");
  const { data } = (await kit.admin.call(listPaymentAccounts)).body;
  expect(data.length).toBeGreaterThan(0);
  for (const account of data) expect(account).toMatchObject({ bank_id: own.ispb, Bank: own });
});

it("names the configured institution in an internal payment, its id and both statements", async () => {
  const answers = await Promise.all(
    payments.map(({ id }) => kit.admin.call(readTransfer, { params: { id } })),
  );
  expect(answers.map(({ body }) => body.payment_method).sort()).toEqual(["PIX", "TEV"]);
  for (const { body } of answers) {
    expect(body.end_to_end_id ?? JSON.stringify(body)).toMatch(/E11223344/);
    expect(JSON.stringify(body)).not.toMatch(theDefault);
  }
  const { entries } = await fetchStatement(kit.stranger);
  expect(entries[0].complement.payer?.bank ?? entries[0].complement.bank).toBe(own.name);
  for (const by of [kit.admin, kit.stranger])
    expect(JSON.stringify(await fetchStatement(by))).not.toMatch(theDefault);
});

it.each([
  ["of the company", downloadReceipt, "987 · Serra Azul Pagamentos"],
  ["of the network", downloadBankReceipt, "E11223344"],
] as const)("names the configured institution in a receipt %s", async (_, contract, expected) => {
  for (const { id } of payments) {
    const text = linesOf(await fetchFile(contract, id)).join("\n");
    expect(text).toContain(expected);
    expect(text).not.toMatch(theDefault);
  }
});

it(
  "names the configured institution in receipts that a child process draws",
  async () => {
    const { status, body } = await kit.admin.call(requestReceipts, {
      body: { ids: payments.map(({ id }) => id) },
    });
    expect(status).toBe(200);
    await kit.drainJobs();
    const drawn = entriesOf(await fetchFile(downloadReceipts, body.id)).filter(({ name }) =>
      name.endsWith(".pdf"),
    );
    expect(drawn).toHaveLength(2);
    for (const { content } of drawn)
      expect(linesOf(content).join("\n")).toContain("987 · Serra Azul Pagamentos");
  },
  threadTimeout,
);

it("names the configured institution in statements as files", async () => {
  const made = async (contract: Contract) => {
    const period = { initialDate: "2026-08-01", endDate: "2026-08-31" };
    const given = contract.method === "GET" ? { query: period } : { body: period };
    const { body } = await kit.admin.call(contract, given);
    await kit.drainJobs();
    return fetchFile(downloadReport, body.id);
  };
  const ofx = (await made(requestStatementOfx)).toString("latin1");
  expect(ofx).toContain("<ORG>Serra Azul Pagamentos\n<FID>987");
  expect(ofx).toContain("<BANKID>987");
  expect(linesOf(await made(requestStatementPdf)).join("\n")).not.toMatch(theDefault);
});

it("names the configured institution in a charge's boleto and Pix code, and in the receipt of a payin", async () => {
  const { body: link } = await kit.admin.call(createPaymentLink, {
    body: {
      name: "Curso de outubro",
      amount: 150_00,
      expires_at: "2026-08-20T12:00:00Z",
      payment_methods: ["pix", "boleto"],
      payment_method_details: { boleto: { due_days: 3 } },
    },
  });
  const charge = async (payment_method: string): Promise<CheckoutCharge> => {
    const payer = { name: "Marina Lopes", cpf_cnpj: "123.456.789-09" };
    const body = { id: randomUUID(), payer, payment_method };
    const answer = await kit.call(payCheckout, {
      params: { token: link.link.split("/").at(-1) ?? "" },
      body,
    });
    expect(JSON.stringify(answer.body)).not.toMatch(theDefault);
    return answer.body;
  };
  const { boleto } = await charge("boleto");
  expect(boleto?.bank).toEqual({ code: "987-3", name: own.name });
  expect([boleto?.barcode, boleto?.digitable_line.replace(/\D/g, "")]).toEqual([
    expect.stringMatching(/^987/),
    expect.stringMatching(/^987/),
  ]);
  const { id, pix } = await charge("pix");
  expect(pix).not.toBeNull();
  expect(await kit.charges.pay(chargeIdOf({ companyId: auroraId, id: link.id }, id))).toBe(true);
  await kit.pass({ seconds: 2 });
  const { rows } = await kit.services.db.pool.query(
    "SELECT id FROM payins WHERE payment_link_id = $1 AND status = 'received'",
    [link.id],
  );
  expect(rows).toHaveLength(1);
  const receipt = linesOf(await fetchFile(downloadPayinReceipt, rows[0].id)).join("\n");
  expect(receipt).toContain("987 · Serra Azul Pagamentos");
  expect(receipt).not.toMatch(theDefault);
});

it(
  "names the configured institution in the model sheet, and in a sheet that a child process reads",
  async () => {
    const model = await readXlsx(await fetchFile(downloadModelSheet, "transfer"));
    const cells = JSON.stringify(model.sheets.map(({ rows }) => rows));
    expect(cells).toContain("987 - Serra Azul Pagamentos");
    expect(cells).not.toMatch(/Mesa Pagamentos/);

    const numbers = { 4: horizonte.agency, 6: horizonte.account, 7: horizonte.accountDigit };
    const rows = ["987", "SERRA AZUL PAGAMENTOS", "11223344"].map((bank) => tedRow({ ...numbers, 3: bank }));
    const { body: sheet } = await upload(kit.admin, csvOf([tedHeadings, ...rows]));
    expect((await kit.admin.call(importSheet, { body: { sheet_id: sheet.id } })).status).toBe(200);
    await kit.drainJobs();
    const { batch_id } = (await kit.admin.call(readSheet, { params: { id: sheet.id } })).body;
    const read = await fetchTransfers(kit.admin, batch_id, 0);
    expect(read.map(({ payment_method }) => payment_method)).toEqual(["TEV", "TEV", "TEV"]);
  },
  threadTimeout,
);

it("names the configured institution in the values that the simulator offers", async () => {
  const { magic_values } = (await kit.call(readSimulator)).body;
  const boletos = magic_values.filter(({ kind }) => kind.startsWith("Boleto"));
  expect(boletos.length).toBeGreaterThan(4);
  for (const { value } of boletos) expect(value).toMatch(/^987/);
});

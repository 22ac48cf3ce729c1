import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { deleteBatch } from "@malote/contracts/batch-life";
import { requestBatchReport } from "@malote/contracts/batches";
import { readCheckpoint } from "@malote/contracts/company";
import { exportInfractions } from "@malote/contracts/contestations";
import { bases, type Contract } from "@malote/contracts/contract";
import { requestPayinReport } from "@malote/contracts/payins";
import {
  createPayoutReport,
  downloadReport,
  readReport,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import { depositBalance } from "@malote/contracts/statement";
import { refundTransfer } from "@malote/contracts/transfers";
import { readBrCode } from "@malote/domain/br-code";
import { exportsKept, reportExports } from "@malote/domain/limits";
import { readXlsx } from "hucre";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeExport, tidyExports } from "../exports/index.ts";
import { linesOf } from "../receipts/testing.ts";
import { fileKinds } from "../registry.ts";
import type { Person } from "../testing/app.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
const november = { initialDate: "2026-11-01", endDate: "2026-11-30" };
const payouts = {
  created_at__gte: "2026-11-01",
  created_at__lte: "2026-11-30",
  status__in: ["CREATED", "SCHEDULED", "RECEIVED", "TRANSFERRED", "FAILED", "RETURNED"] as const,
};
const hostile = '=HYPERLINK("x") <b>Zoë</b> & Cia';

beforeAll(async () => {
  kit = await openPayments({ start: "2026-11-20T13:00:00Z" });
  await kit.deposit(1_000_00);
  const { id } = await draft(
    kit.admin,
    [
      pix(10_00, {
        destination_bank_account: { name: hostile, pix_key_type: "EMAIL", pix_key: "z@exemplo.com" },
      }),
      pix(11_00, {
        destination_bank_account: {
          name: "Ivo Reis",
          pix_key_type: "EMAIL",
          pix_key: "chave.pix15@exemplo.com.br",
        },
      }),
      ted(12_00, { payment_date: "2026-12-10" }),
    ],
    "Folha & Cia <11>",
  );
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await draft(kit.admin, [pix(13_00)], "Rascunho");
  kit.mails.splice(0);
});
afterAll(() => kit.close());
afterEach(() => void kit.mails.splice(0));

type Statement =
  | typeof requestStatementXlsx
  | typeof requestStatementXlsxV2
  | typeof requestStatementCsv
  | typeof requestStatementOfx
  | typeof requestStatementPdf;
const statements: readonly Statement[] = [
  requestStatementXlsx,
  requestStatementXlsxV2,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
];
const send = (contract: Contract, given: Record<string, unknown>, by: Person = kit.admin) =>
  by.call(contract, contract.method === "GET" ? { query: given as Record<string, string> } : { body: given });

async function file(by: Person, id: string) {
  const answer = await kit.server.inject({
    url: bases.payments + downloadReport.path.replace(":id", id),
    headers: { authorization: `Bearer ${by.token}` },
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}
/** The report is requested, made and announced. */
async function made(
  contract: Contract,
  given: Record<string, unknown>,
): Promise<{ id: string; bytes: Buffer; name: string }> {
  const answer = await send(contract, given);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await kit.drainJobs();
  const { bytes, headers } = await file(kit.admin, answer.body.id);
  return { id: answer.body.id, bytes, name: String(headers["content-disposition"]) };
}
const sheet = async (bytes: Buffer) => (await readXlsx(bytes)).sheets[0]?.rows ?? [];
const filesKept = () =>
  readdirSync(kit.services.config.dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath.includes("exports"),
  ).length;

describe("requesting a report", () => {
  it("TRF-057 STM-023 STM-024 refuses callers without a session, and invalid periods", async () => {
    for (const contract of statements) {
      expect(
        (await kit.call(contract, contract.method === "GET" ? { query: november } : { body: november }))
          .status,
      ).toBe(401);
      expect((await send(contract, { ...november, endDate: "2026-10-31" })).status).toBe(400);
      expect(await send(contract, { ...november, initialDate: "2025-11-01" })).toMatchObject({
        status: 422,
        body: { code: "statement_report_range" },
      });
    }
    expect((await kit.call(createPayoutReport, { body: payouts })).status).toBe(401);
    expect((await send(createPayoutReport, { ...payouts, status__in: [] })).status).toBe(400);
    expect((await send(createPayoutReport, { ...payouts, created_at__lte: "2026-10-31" })).status).toBe(400);
  });

  it("TRF-061 FST-024 is recorded for the person, for every kind of report", async () => {
    const has = async (by: Person) =>
      (await by.call(readCheckpoint, { params: { id: "HAS_CREATED_REPORT" } })).body.exists;
    const { id } = await draft(kit.admin, [pix(1_00)], "Outro rascunho");
    const calls: [Contract, object][] = [
      ...statements.map((one): [Contract, object] => [
        one,
        one.method === "GET" ? { query: november } : { body: november },
      ]),
      [createPayoutReport, { body: payouts }],
      [requestBatchReport, { params: { id } }],
      [exportInfractions, { body: {} }],
      [requestPayinReport, { body: {} }],
    ];
    for (const [contract, input] of calls) {
      await kit.services.db.pool.query("DELETE FROM checkpoints WHERE checkpoint_id = 'HAS_CREATED_REPORT'");
      const { status } = await kit.operator.call(contract, input);
      expect([contract.id, status, await has(kit.operator), await has(kit.admin)]).toEqual([
        contract.id,
        200,
        true,
        false,
      ]);
      await kit.drainJobs();
    }
    await kit.admin.call(deleteBatch, { params: { id } });
    await kit.services.db.pool.query("DELETE FROM checkpoints");
  });

  it("TRF-059 accepts at most 31 days", async () => {
    const month = { ...payouts, created_at__gte: "2026-10-31" };
    expect((await send(createPayoutReport, month)).status).toBe(200);
    const answer = await send(createPayoutReport, { ...month, created_at__gte: "2026-10-30" });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: "O intervalo de datas não pode ser maior que 31 dias." },
    });
    await kit.drainJobs();
  });

  it("limits a company to a few reports at a time", async () => {
    for (let n = 0; n < reportExports.atOnceMax; n++)
      expect((await send(requestStatementCsv, november)).status).toBe(200);
    expect(await send(requestStatementCsv, november)).toMatchObject({
      status: 429,
      body: { code: "reports_at_once" },
    });
    await kit.drainJobs();
  });
});

describe("the report of transfers", () => {
  it("TRF-057 TRF-058 contains the filtered payments, is announced by e-mail, and has no text that is a formula", async () => {
    const { id, bytes, name } = await made(createPayoutReport, payouts);
    const rows = await sheet(bytes);
    expect(rows.map((row) => [row[0], row[1], row[8], row[9]])).toEqual([
      ["Lote", "Nome ou Razão Social", "Valor", "Status"],
      ["Rascunho", "Maria Souza", 13, "Criada"],
      ["Folha & Cia <11>", `'${hostile}`, 10, "Transferida"],
      ["Folha & Cia <11>", "Ivo Reis", 11, "Falha"],
      ["Folha & Cia <11>", "Padaria Sol Nascente", 12, "Agendado"],
    ]);
    expect(name).toContain("transferencias-2026-11-01-a-2026-11-30.xlsx");
    const [mail] = kit.mails;
    expect(mail).toMatchObject({ to: "helena@aurora.example", subject: "Seu relatório está pronto" });
    expect(mail?.text).toContain(`/pagamentos/transferencias?arquivo=${id}`);
    expect((await kit.analyst.call(readReport, { params: { id } })).body).toMatchObject({
      state: "ready",
      rows_count: 4,
    });
  });

  it("TRF-057 applies the requested statuses, search and bank", async () => {
    const some = async (filter: object) =>
      (await sheet((await made(createPayoutReport, { ...payouts, ...filter })).bytes))
        .slice(1)
        .map((row) => row[8]);
    expect(await some({ status__in: ["FAILED", "SCHEDULED"] })).toEqual([11, 12]);
    expect(await some({ search: "ivo" })).toEqual([11]);
    expect(await some({ bank_id: "60701190", status__in: ["TRANSFERRED"] })).toEqual([]);
    expect(await some({ bank_id: "60701190" })).toEqual([12]);
  });

  it("TRF-057 applies the requested days to the days of the batches", async () => {
    const on = async (created_at__gte: string, created_at__lte: string) =>
      (await sheet((await made(createPayoutReport, { ...payouts, created_at__gte, created_at__lte })).bytes))
        .slice(1)
        .map((row) => row[8]);
    expect(await on("2026-11-20", "2026-11-20")).toEqual([13, 10, 11, 12]);
    expect(await on("2026-11-21", "2026-11-30")).toEqual([]);
    expect(await on("2026-11-01", "2026-11-19")).toEqual([]);
    // The date of a single payment is in December.
    expect(await on("2026-12-01", "2026-12-31")).toEqual([]);
  });
});

describe("the statement as a file", () => {
  it("STM-023 has in the XLS each entry between both balances, with amounts as numbers", async () => {
    const { bytes, name } = await made(requestStatementXlsxV2, november);
    const rows = await sheet(bytes);
    // The cells are dates and no texts; a running month ends today.
    expect(rows.slice(1).map((row) => row[0])).toEqual(
      ["2026-11-01", "2026-11-20", "2026-11-20", "2026-11-20"].map((day) => new Date(day)),
    );
    expect(rows.map((row) => [row[3], row[9], row[10]])).toEqual(
      [
        ["Descrição", "Valor (R$)", "Saldo (R$)"],
        ["Saldo de abertura", "", 0],
        [expect.stringContaining("Pix recebido"), 1000, 1000],
        ["Lote Folha & Cia <11>", -33, 967],
        ["Saldo de fechamento", "", 967],
      ].map((row) => row.map((cell) => (cell === "" ? expect.toSatisfy((text) => !text) : cell))),
    );
    expect(name).toContain("extrato-2026-11-01-a-2026-11-30.xlsx");
  });

  it("STM-022 STM-023 has in the old report the columns of the page and then the other party, and records its use", async () => {
    const used = async (by: Person) =>
      (await by.call(readCheckpoint, { params: { id: "HAS_USED_OLD_STATEMENT_REPORT" } })).body.exists;
    for (const contract of statements.filter((one) => one !== requestStatementXlsx))
      await made(contract, november);
    expect([await used(kit.admin), await used(kit.operator)]).toEqual([false, false]);
    const rows = await sheet((await made(requestStatementXlsx, november)).bytes);
    expect(rows[0]).toEqual([
      "Data",
      "Descrição",
      "Banco",
      "Agência",
      "CC",
      "Status",
      "Valor (R$)",
      "Saldo (R$)",
      "Nome",
      "CPF ou CNPJ",
    ]);
    expect(rows.map((row) => row[6]).slice(2, 4)).toEqual([1000, -33]);
    expect(await used(kit.admin)).toBe(true);
    expect(await used(kit.operator)).toBe(false);
  });

  it("STM-023 has the same in the CSV as texts, with negative amounts unchanged", async () => {
    const text = (await made(requestStatementCsv, november)).bytes.toString("utf8");
    const lines = text.replace("\ufeff", "").trimEnd().split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[3]).toContain(';"Lote Folha & Cia <11>";');
    expect(lines[3]).toContain(";-33,00;967,00;");
  });

  it("STM-024 names the account in the OFX and keeps each entry's id", async () => {
    const { bytes } = await made(requestStatementOfx, november);
    const text = bytes.toString("latin1");
    expect(text).toMatch(/^OFXHEADER:100\r\nDATA:OFXSGML\r\n/);
    expect(text).toContain("<BANKID>593");
    expect(text).toContain("<DTSTART>20261101\n<DTEND>20261120");
    expect(text).toContain("<DTASOF>20261120");
    expect(text).toContain("<TRNTYPE>DEBIT\n");
    expect(text).toContain("<TRNAMT>-33.00\n");
    expect(text).toMatch(/<FITID>.+\n<NAME>Mariana Teles Prado\n<MEMO>Pix recebido de Mariana Teles Prado\n/);
    expect(text).toContain("<MEMO>Lote Folha &amp; Cia &lt;11&gt;\n");
    expect(text).toContain("<BALAMT>967.00\n");
    const ids = [...text.matchAll(/<FITID>(.+)/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
    const again = (await made(requestStatementOfx, november)).bytes.toString("latin1");
    expect([...again.matchAll(/<FITID>(.+)/g)].map(([, id]) => id)).toEqual(ids);
  });

  it("STM-024 shows in the PDF the period, the account and each entry between the two balances", async () => {
    const { bytes } = await made(requestStatementPdf, november);
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(bytes.subarray(-6).toString()).toContain("%%EOF");
    const lines = linesOf(bytes);
    expect(lines).toContain("Extrato de 01/11/2026 a 20/11/2026");
    expect(lines).toContain("CNPJ 27.418.639/0001-48   Agência 0001   Conta 1018420-7");
    expect(lines.slice(lines.indexOf("01/11/2026"))).toEqual([
      ...["01/11/2026", "Saldo de abertura", "0,00"],
      ...["20/11/2026", "Pix recebido de Mariana Teles Prado", "recebido", "1.000,00", "1.000,00"],
      ...["20/11/2026", "Lote Folha & Cia <11>", "lote pago", "-33,00", "967,00"],
      ...["20/11/2026", "Saldo de fechamento", "967,00"],
    ]);
  });
});

describe("the link", () => {
  it("STM-025 is e-mailed to the requester, for every form of the statement", async () => {
    for (const contract of statements) {
      const { id } = await made(contract, november);
      const mails = kit.mails.splice(0);
      expect([contract.id, mails]).toMatchObject([
        contract.id,
        [{ to: "helena@aurora.example", subject: "Seu extrato está pronto" }],
      ]);
      expect(mails[0]?.text).toContain(`/pagamentos/saldo?arquivo=${id}`);
    }
  });

  it("STM-025 opens only for the company, and for seven days", async () => {
    const { id } = await made(requestStatementCsv, november);
    expect((await file(kit.stranger, id)).status).toBe(404);
    expect((await kit.stranger.call(readReport, { params: { id } })).status).toBe(404);
    expect((await file(kit.analyst, id)).status).toBe(200);
    const before = filesKept();
    const stateNow = async () => (await kit.admin.call(readReport, { params: { id } })).body.state;
    await kit.pass({ days: 6, hours: 23, minutes: 59, seconds: 59 });
    expect([(await file(kit.admin, id)).status, await stateNow()]).toEqual([200, "ready"]);
    await kit.pass({ seconds: 1 });
    expect([(await file(kit.admin, id)).status, await stateNow()]).toEqual([404, "expired"]);
    await tidyExports(fileKinds, kit.services);
    expect(filesKept()).toBeLessThan(before);
  });

  it("reports that it is not ready, is made once by two workers, and is given up without a job", async () => {
    const { body } = await send(requestStatementCsv, {
      initialDate: "2026-11-01",
      endDate: "2026-11-30",
    });
    expect(await file(kit.admin, body.id)).toMatchObject({ status: 404 });
    kit.enqueued.splice(0);
    const job = { companyId: auroraId, exportId: body.id };
    const before = filesKept();
    await Promise.all([makeExport(fileKinds, kit.services, job), makeExport(fileKinds, kit.services, job)]);
    await kit.drainJobs();
    expect(kit.mails).toHaveLength(1);
    expect(filesKept()).toBe(before + 1);

    const lost = (await send(requestStatementCsv, november)).body.id;
    kit.enqueued.splice(0);
    kit.mails.splice(0);
    kit.clock.advance({ hours: exportsKept.makingHours + 1 });
    await tidyExports(fileKinds, kit.services);
    await kit.drainJobs();
    expect(kit.mails.map(({ subject }) => subject)).toEqual(["Não foi possível preparar seu extrato"]);
    expect((await kit.admin.call(readReport, { params: { id: lost } })).body.state).toBe("failed");
  });
});

describe("the account for adding balance", () => {
  it("STM-020 shows the account and a code with the value", async () => {
    expect((await kit.call(depositBalance, { body: { value: 1 } })).status).toBe(401);
    expect((await kit.admin.call(depositBalance, { body: { value: 0 } })).status).toBe(400);
    const { body } = await kit.admin.call(depositBalance, { body: { value: 1_234_56 } });
    const own = { bank: "593", agency: "0001", account: "1018420", account_digit: "7" };
    expect(body).toMatchObject({ ...own, value: 1_234_56, pix_key: body.cpf_cnpj });
    expect(readBrCode(body.pix_qrcode_emv_payload)).toMatchObject({ amountCents: 1_234_56 });
    const { rows } = await kit.services.db.withSystem((tx) =>
      sql`SELECT FROM ledger_transactions WHERE cause LIKE 'deposit%'`.execute(tx),
    );
    expect(rows).toEqual([]);
  });
});

it("STM-024 names in the OFX the payee of a returned payment, in 32 characters", async () => {
  const name = "Indústria & Comércio de Embalagens Santa Cecília";
  const to = { name, pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
  const { id } = await draft(kit.admin, [pix(7_00, { destination_bank_account: to })]);
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  const [{ id: tid }] = (await batch(kit.admin, id)).transfers;
  await kit.admin.call(refundTransfer, { params: { id, tid } }, { "idempotency-key": randomUUID() });
  const { bytes } = await made(requestStatementOfx, november);
  expect(bytes.toString("latin1")).toMatch(
    /<NAME>Indústria &amp; Comércio de Embalage\n<MEMO>Devolução: Chave PIX não encontrada\.\n/,
  );
});

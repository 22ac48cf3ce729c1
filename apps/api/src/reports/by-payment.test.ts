/** Files of the statement with a line for each payment, and the payee of a returned payment. */
import { randomUUID } from "node:crypto";
import { cancelScheduledBatch } from "@malote/contracts/batch-life";
import { bases } from "@malote/contracts/contract";
import {
  downloadReport,
  readReport,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import type { StatementEntry } from "@malote/contracts/statement";
import { refundTransfer } from "@malote/contracts/transfers";
import { readXlsx } from "hucre";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countPaymentLines } from "../ledger/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { linesOf } from "../receipts/testing.ts";
import { listEntriesBetween, type NumberedEntry } from "../statement/index.ts";
import { boletoDraft, boletoOf } from "../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { linesByPayment } from "./by-payment.ts";

let kit: PaymentsKit;
const november = { initialDate: "2026-11-01", endDate: "2026-11-30" };
const [folha, adiado, contas] = ["Lote Folha", "Lote Adiado", "Lote Contas"];

beforeAll(async () => {
  // Wednesday, 18 November 2026, 10:00 in São Paulo.
  kit = await openPayments({ start: "2026-11-18T13:00:00Z" });
  await kit.deposit(1_000_00);
  const paid = await draft(
    kit.admin,
    [
      pix(10_01, {
        destination_bank_account: {
          name: "Maria Souza",
          cpf_cnpj: "52998224725",
          pix_key_type: "EMAIL",
          pix_key: "maria@exemplo.com.br",
        },
      }),
      pix(11_02, {
        destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
      }),
      // It is returned on the next business day.
      ted(100_03, {}, "61420738526"),
    ],
    "Folha",
  );
  await closing(kit.admin, paid.id);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  const [, { id: tid }] = (await batch(kit.admin, paid.id)).transfers;
  await kit.admin.call(refundTransfer, { params: { id: paid.id, tid } }, { "idempotency-key": randomUUID() });
  const later = { payment_date: "2026-12-10" };
  const scheduled = await draft(kit.admin, [pix(5_00, later), pix(6_00, later)], "Adiado");
  await closing(kit.admin, scheduled.id);
  await kit.drainJobs();
  await kit.admin.call(
    cancelScheduledBatch,
    { params: { id: scheduled.id } },
    { "idempotency-key": randomUUID() },
  );
  const bills = await boletoDraft(kit.admin, [boletoOf(30_00, { description: "Aluguel" })], "Contas");
  await closing(kit.admin, bills.id);
  await kit.drainJobs();
  await kit.passUntil("2026-11-19T15:00:00Z");
  await kit.pass({ seconds: 1 });
});
afterAll(() => kit.close());

const read = <Result>(work: (tx: Tx) => Promise<Result>) => kit.services.db.readCompany(auroraId, work);
const entries = () => read((tx) => listEntriesBetween(tx, 0, 100));

type StatementCall =
  | typeof requestStatementCsv
  | typeof requestStatementOfx
  | typeof requestStatementPdf
  | typeof requestStatementXlsx
  | typeof requestStatementXlsxV2;
async function made(contract: StatementCall, lines?: "payments") {
  const given = { ...november, ...(lines && { lines }) };
  const answer = await kit.admin.call(
    contract,
    contract.method === "GET" ? { query: given } : { body: given },
  );
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await kit.drainJobs();
  const file = await kit.server.inject({
    url: bases.payments + downloadReport.path.replace(":id", answer.body.id),
    headers: { authorization: `Bearer ${kit.admin.token}` },
  });
  const { body } = await kit.admin.call(readReport, { params: { id: answer.body.id } });
  return { bytes: file.rawPayload, name: String(file.headers["content-disposition"]), rows: body.rows_count };
}

/** Reads the lines by payment, two at a time. */
async function splitAll(slices: AsyncIterable<NumberedEntry[]>): Promise<NumberedEntry[]> {
  const lines: NumberedEntry[] = [];
  for await (const part of linesByPayment(read, slices, 2)) lines.push(...part);
  return lines;
}

/** Returns the lines of a CSV by its headings, without the opening and closing balances. */
async function fetchCsv(lines?: "payments") {
  const text = (await made(requestStatementCsv, lines)).bytes.toString("utf8");
  const [headings = [], ...rows] = text
    .replace("\ufeff", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(";").map((cell) => cell.replaceAll('"', "")));
  const all = rows.map((row) => Object.fromEntries(headings.map((name, at) => [name, row[at] ?? ""])));
  return all.filter(({ Descrição: text }) => !text?.startsWith("Saldo de"));
}
const centavos = (text = "") => Number(text.replaceAll(".", "").replace(",", ""));
const about = (rows: Awaited<ReturnType<typeof fetchCsv>>, text: string) =>
  rows.filter((row) => row["Descrição"]?.startsWith(text));
const sumOf = (rows: Awaited<ReturnType<typeof fetchCsv>>) =>
  rows.reduce((sum, row) => sum + centavos(row["Valor (R$)"]), 0);

describe("a statement by payment", () => {
  it("STM-023 has in the CSV a line for each payment with its payee, and the lines sum to the batch's entry to the centavo", async () => {
    const [short, long] = [await fetchCsv(), await fetchCsv("payments")];
    expect(about(short, folha)).toHaveLength(1);
    expect(
      about(long, folha).map((row) => [row["Nome"], row["CPF ou CNPJ"], row["Banco"], row["Valor (R$)"]]),
    ).toEqual([
      ["Maria Souza", "***.982.247-**", "", "-10,01"],
      ["Chave Pix chave.pix15@exemplo.com.br", "", "", "-11,02"],
      ["Padaria Sol Nascente", "***.207.385-**", "Itaú Unibanco", "-100,03"],
    ]);
    for (const name of [folha, adiado, contas, "Lote cancelado: Adiado"])
      expect([name, sumOf(about(long, name))]).toEqual([name, sumOf(about(short, name))]);
    expect(about(long, contas)[0]).toMatchObject({
      Descrição: "Lote Contas · Aluguel",
      Nome: expect.stringMatching(/ Ltda$/),
      "CPF ou CNPJ": expect.stringMatching(/^\d{2}\.\d{3}\.\d{3}\/0001-\d\d$/),
      Banco: "Itaú Unibanco",
    });
  });

  it("STM-023 returned payments have lines of their own, also those of a cancelled batch", async () => {
    const back = (await fetchCsv("payments")).filter((row) => centavos(row["Valor (R$)"]) > 0).slice(1);
    expect(back.map((row) => [row["Nome"], row["Valor (R$)"], row["Status"]])).toEqual([
      ["Chave Pix chave.pix15@exemplo.com.br", "11,02", "estornado"],
      ["Maria Souza", "5,00", "estornado"],
      ["Maria Souza", "6,00", "estornado"],
      ["Padaria Sol Nascente", "100,03", "estornado"],
    ]);
  });

  it("STM-023 computes the balance of each line from the one before, ending at the account's", async () => {
    const rows = await fetchCsv("payments");
    let balance = 0;
    for (const row of rows) {
      balance += centavos(row["Valor (R$)"]);
      expect(centavos(row["Saldo (R$)"])).toBe(balance);
    }
    expect(balance).toBe(await fetchBalance(kit.admin));
  });

  it.each([
    ["the XLS", requestStatementXlsxV2],
    ["the old report", requestStatementXlsx],
  ])(
    "STM-023 %s has a line for each payment on request, and otherwise one for a batch",
    async (_, contract) => {
      const linesOfFolha = async (lines?: "payments") => {
        const [, ...rows] = (await readXlsx((await made(contract, lines)).bytes)).sheets[0]?.rows ?? [];
        return rows.filter((row) => row.some((cell) => String(cell).startsWith(folha))).length;
      };
      expect([await linesOfFolha(), await linesOfFolha("payments")]).toEqual([1, 3]);
    },
  );

  it("STM-024 the PDF has a line for each payment on request, and otherwise one for a batch", async () => {
    const amounts = ["-121,06", "-10,01", "-11,02", "-100,03"];
    const found = async (lines?: "payments") => {
      const cells = linesOf((await made(requestStatementPdf, lines)).bytes);
      const isNamed = cells.some((cell) => cell.startsWith(`Maria Souza · ${folha}`));
      return [isNamed, amounts.filter((amount) => cells.includes(amount))];
    };
    expect([await found(), await found("payments")]).toEqual([
      [false, amounts.slice(0, 1)],
      [true, amounts.slice(1)],
    ]);
  });

  it("STM-024 gives each line in the OFX a unique id that never changes", async () => {
    const fetchIds = async (lines?: "payments") =>
      [...(await made(requestStatementOfx, lines)).bytes.toString("latin1").matchAll(/<FITID>(.+)/g)].map(
        ([, id]) => id,
      );
    const ids = await fetchIds("payments");
    expect(ids).toHaveLength(11);
    expect(new Set([...ids, ...(await fetchIds())]).size).toBe(11 + 3 + 1);
    expect(await fetchIds("payments")).toEqual(ids);
  });

  it("is named and counted by its lines, also if a batch is read in parts and before a file is made", async () => {
    const { name, rows } = await made(requestStatementCsv, "payments");
    expect(name).toContain("extrato-por-pagamento-2026-11-01-a-2026-11-30.csv");
    expect(rows).toBe(11);
    const slices = (async function* () {
      yield await entries();
    })();
    const parts = await splitAll(slices);
    expect(parts.map(({ id }) => id)).toEqual(
      (await fetchCsv("payments")).map((row) => row["Identificador"]),
    );
    expect(await read((tx) => countPaymentLines(tx, { after: 0, upTo: 100 }))).toBe(11);
  });

  it("keeps the single line of a batch if its payments do not sum to it", async () => {
    const [, closed] = await entries();
    if (!closed) throw new Error("no batch was closed");
    const other = { ...closed, value: closed.value - 1 };
    const slices = (async function* () {
      yield [other];
    })();
    expect(await splitAll(slices)).toEqual([other]);
  });
});

describe("a payment that was sent back", () => {
  it("STM-011 STM-018 shows its payee with the CPF masked, and the account of a TED", async () => {
    const shown: StatementEntry[] = (await fetchStatement(kit.analyst)).entries;
    expect(shown[0]).toMatchObject({
      type: "REFUND",
      value: 100_03,
      complement: {
        isTed: true,
        isPix: false,
        receiver: {
          name: "Padaria Sol Nascente",
          document: "***.207.385-**",
          bank: "Itaú Unibanco",
          agency: "1234",
          account: "56789",
          account_digit: "7",
        },
      },
    });
    expect(shown.find(({ value }) => value === 11_02)?.complement).toMatchObject({
      isTed: false,
      isPix: true,
      receiver: { name: "Chave Pix chave.pix15@exemplo.com.br", account: null },
    });
  });

  it("STM-023 STM-024 names its payee in every file", async () => {
    const ofx = (await made(requestStatementOfx)).bytes.toString("latin1");
    expect(ofx).toMatch(
      /<NAME>Padaria Sol Nascente\n<MEMO>Devolução: .+ · \*{3}\.207\.385-\*\* · Itaú Unibanco\n/,
    );
    const lines = linesOf((await made(requestStatementPdf)).bytes);
    expect(lines).toContainEqual(expect.stringMatching(/^Padaria Sol Nascente · Devolução: /));
    const rows = (await readXlsx((await made(requestStatementXlsx)).bytes)).sheets[0]?.rows ?? [];
    expect(rows.at(-2)?.slice(2)).toEqual([
      ...["Itaú Unibanco", "1234", "56789-7", "estornado", 100.03, expect.any(Number)],
      ...["Padaria Sol Nascente", "***.207.385-**"],
    ]);
  });
});

/** The story, equal in every time zone: edges of days, months and years, and what people see of them. */

import * as batchIssues from "@malote/contracts/batch-issues";
import * as batchLife from "@malote/contracts/batch-life";
import * as batches from "@malote/contracts/batches";
import { type BatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { downloadModelSheet, importSheet, readSheet, uploadSheet } from "@malote/contracts/import";
import { readBalance, readStatement } from "@malote/contracts/statement";
import { listTransfers, type TransferInput } from "@malote/contracts/transfers";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import type { Answer, Environment } from "./environment.ts";

const pixKey = demoCompanies[0]?.pixKeys[0]?.key ?? "";

/** 2018-11-04 began at 01:00 in São Paulo, and the last hour of 2019-02-16 occurred twice. */
const deposits = [
  "2018-11-03T02:59:59Z",
  "2018-11-04T02:59:59Z",
  "2018-11-04T03:00:00Z",
  "2019-01-01T01:59:59Z",
  "2019-01-01T02:00:00Z",
  "2019-02-17T01:59:59Z",
  "2019-02-17T02:59:59Z",
  "2019-02-17T03:00:00Z",
  "2026-02-01T02:59:59.999Z",
  "2026-02-01T03:00:00Z",
  "2026-03-01T02:59:59Z",
  "2026-03-01T03:00:00Z",
];
const months = [
  "2018-11",
  "2018-12",
  "2019-01",
  "2019-02",
  "2026-01",
  "2026-02",
  "2026-12",
  "2027-01",
  "2028-02",
  "2028-03",
];
const days = [
  "2018-11-03",
  "2018-11-04",
  "2019-02-16",
  "2019-02-17",
  "2026-02-28",
  "2026-12-31",
  "2028-02-28",
  "2028-02-29",
];

/** A TED in the last second of its day and in the next one, before a weekend, a holiday and the year's end. */
const closings = [
  "2026-08-14T19:30:00Z",
  "2026-08-14T19:30:01Z",
  "2026-12-30T19:30:00Z",
  "2026-12-30T19:30:01Z",
  "2026-12-31T15:00:00Z",
];
/** Instants around the night of a scheduled day, and the morning that its TED waits for. */
const newYearsNight = [
  "2027-01-01T02:59:59Z",
  "2027-01-01T03:00:00Z",
  "2027-01-04T09:29:59Z",
  "2027-01-04T09:30:00Z",
];
const leapNight = ["2028-02-29T02:59:59Z", "2028-02-29T03:00:00Z", "2028-02-29T09:30:00Z"];
const leapEvening = ["2028-02-29T19:30:00Z", "2028-02-29T19:30:01Z"];
const marchNight = ["2028-03-01T02:59:59Z", "2028-03-01T03:00:00Z"];

type Recorder = (name: string, value: unknown) => void;

export async function playStory(environment: Environment, record: Recorder): Promise<void> {
  const asked = async (name: string, answer: Promise<Answer>) => {
    const { body, sha256 } = await answer;
    record(name, body ?? sha256);
    return body;
  };
  const receive = async (instants: readonly string[]) => {
    for (const instant of instants) {
      await environment.goTo(instant);
      const id = `E88888801${instant.replace(/\D/g, "").slice(0, 12)}${instant.replace(/\D/g, "").padEnd(20, "0").slice(9, 20)}`;
      await environment.network.depositPix({ pixKey, value: 5_000_00, endToEndId: id });
      await environment.settle();
    }
  };
  const showStatements = async () => {
    for (const month of months) {
      const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
        .toISOString()
        .slice(0, 10);
      const query = { initialDate: `${month}-01`, endDate: last, page: "1" };
      await asked(`statement of ${month}`, environment.call(readStatement, { query }));
    }
    for (const day of days) {
      const query = { initialDate: day, endDate: day, page: "1" };
      await asked(`statement of ${day}`, environment.call(readStatement, { query }));
    }
    await asked("balance", environment.call(readBalance));
  };
  const closed: string[] = [];
  const close = async (instant: string, transfers: TransferInput[]) => {
    await environment.goTo(instant);
    const created = await environment.call(batches.createBatch, {
      body: { name: `Folha de ${instant}`, transfers },
    });
    const { id } = created.body;
    closed.push(id);
    record(`draft at ${instant}`, created.body);
    await asked(`checked at ${instant}`, environment.call(batches.validateBatch, { params: { id } }));
    // Confirms the findings of the checks, like a person who read them.
    const checks = await environment.call(readBatchChecks, { params: { id } });
    record(`checks at ${instant}`, checks.body);
    const body = {
      confirmations: (checks.body as BatchChecks).missing.map(({ kind, fingerprint }) => ({
        kind,
        fingerprint,
      })),
    };
    const answer = environment.call(batchLife.closeBatch, { params: { id }, body });
    await asked(`closed at ${instant}`, answer);
    const { status } = await answer;
    if (status !== 200) throw new Error(`nothing was closed at ${instant}`);
    await environment.settle();
    await showPayments(`just closed at ${instant}`, id);
    return id;
  };
  const showPayments = (name: string, id: string) =>
    asked(`payments ${name}`, environment.call(listTransfers, { params: { id } }));

  await receive(deposits);
  await showStatements();

  for (const instant of closings) await close(instant, [ted(1, instant), pix(2, instant)]);
  const scheduled = await close("2026-12-31T20:00:00Z", [
    pix(3, "2027", "2027-01-01"),
    ted(4, "2027", "2027-01-04"),
  ]);
  for (const instant of newYearsNight) {
    await receive([instant]);
    await showPayments(`scheduled, at ${instant}`, scheduled);
  }
  const leapDay = "2028-02-29";
  const leap = await close("2028-02-28T15:00:00Z", [pix(5, "2028", leapDay), ted(6, "2028", leapDay)]);
  await close("2028-02-28T19:30:01Z", [ted(7, "2028"), pix(8, "2028")]);
  for (const instant of leapNight) {
    await receive([instant]);
    await showPayments(`on the leap day, at ${instant}`, leap);
  }
  for (const instant of leapEvening) await close(instant, [ted(9, instant), pix(10, instant)]);
  await receive(marchNight);
  await environment.goTo("2028-03-02T12:00:00Z");

  await importWithDates(environment, asked);
  await showStatements();
  for (const id of closed) {
    await showPayments("at the end", id);
    await asked("batch at the end", environment.call(batches.readBatch, { params: { id } }));
    for (const format of ["csv", "xlsx"]) {
      await asked(
        `report as ${format}`,
        environment.call(batches.downloadBatchReport, { params: { id }, query: { format } }),
      );
    }
  }
  for (const [initialDate, endDate] of [
    ["2026-08-14", "2026-08-14"],
    ["2026-12-30", "2026-12-31"],
    ["2028-02-28", "2028-02-29"],
    ["2028-01-01", "2028-12-31"],
  ] as const) {
    await asked(
      `batches of ${initialDate}`,
      environment.call(batches.listBatches, { query: { initialDate, endDate, page: "0" } }),
    );
  }
  for (const kind of ["transfer", "transfer-pix"]) {
    for (const format of ["csv", "xlsx"]) {
      await asked(
        `model ${kind} as ${format}`,
        environment.call(downloadModelSheet, { params: { kind }, query: { format } }),
      );
    }
  }
  for (const { subject, text } of environment.mails) record(`e-mail ${subject}`, text);
  record("books", await environment.books());
}

/** Imports a sheet with days in every spelling, including a past one and one that does not exist. */
async function importWithDates(
  environment: Environment,
  asked: (name: string, answer: Promise<Answer>) => Promise<{ id: string; batch_id: string }>,
) {
  const rows = ["02/03/2028", "2028-03-31", "29/02/2027", "01/03/2028", "29/02/2032", ""].map(
    (day, index) => `Ana Lima;;EMAIL;ana@exemplo.com.br;1${index},50;${day};;`,
  );
  const sheet = ["Nome;CPF ou CNPJ;Tipo de chave Pix;Chave Pix;Valor;Data;Descrição Pix;ID", ...rows].join(
    "\r\n",
  );
  const boundary = "----------malote";
  const content = [
    `--${boundary}`,
    'content-disposition: form-data; name="fileName"',
    "",
    "folha.csv",
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="folha.csv"',
    "content-type: text/csv",
    "",
    sheet,
    `--${boundary}--`,
    "",
  ].join("\r\n");
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const { id } = await asked("uploaded", environment.call(uploadSheet, { body: content, headers }));
  await asked("import begun", environment.call(importSheet, { body: { sheet_id: id } }));
  await environment.settle();
  const read = await asked("imported", environment.call(readSheet, { params: { id } }));
  await asked("imported payments", environment.call(listTransfers, { params: { id: read.batch_id } }));
  for (const format of ["csv", "xlsx"]) {
    await asked(
      `bad rows as ${format}`,
      environment.call(batchIssues.downloadBadRows, { params: { id: read.batch_id }, query: { format } }),
    );
  }
}

/** Returns ids that are equal in every environment, so that everything derived from them is too. */
const paymentId = (number: number, mark: string) =>
  `01990000-0000-7000-8000-${String(number).padStart(2, "0")}${mark.replace(/\D/g, "").padEnd(10, "0").slice(-10)}`;

function pix(number: number, mark: string, day?: string): TransferInput {
  return {
    id: paymentId(number, mark),
    integration_id: paymentId(number, mark),
    value: 10_00 + number,
    ...(day && { payment_date: day }),
    destination_bank_account: { name: "Maria Souza", pix_key_type: "EMAIL", pix_key: "maria@exemplo.com.br" },
  };
}

function ted(number: number, mark: string, day?: string): TransferInput {
  return {
    id: paymentId(number, mark),
    integration_id: paymentId(number, mark),
    value: 20_00 + number,
    ...(day && { payment_date: day }),
    destination_bank_account: {
      name: "Padaria Sol Nascente",
      cpf_cnpj: "11222333000181",
      bank_id: "60701190",
      agency: "1234",
      account: "56789",
      account_digit: "7",
      account_type: "CONTA_CORRENTE",
    },
  };
}

/** Uploads and imports as the screen does, with the sheets that tests use. */
import { importSheet as importContract, readSheet, type Sheet } from "@malote/contracts/import";
import { listTransfers, type Transfer } from "@malote/contracts/transfers";
import { importSheet } from "../payouts/import/import-sheet.ts";
import { buildTestApp, type Person, type TestApp, type TestAppOptions } from "./app.ts";

export const buildImportApp = (options: TestAppOptions = {}): Promise<TestApp> =>
  buildTestApp({
    ...options,
    routes: [...(options.routes ?? [])],
  });

export const tedHeadings = [
  "Nome ou Razão Social",
  "CPF ou CNPJ",
  "Email (opcional)",
  "Banco",
  "Agência",
  "Dígito da agência",
  "Conta",
  "Dígito da conta",
  "Tipo de Conta (Corrente ou Poupança)",
  "Valor",
  "ID integração (opcional)",
  "Data de agendamento (opcional)",
  "Descrição Pix (opcional)",
];
export const pixHeadings = [
  "Nome",
  "CPF ou CNPJ",
  "Tipo de chave Pix",
  "Chave Pix",
  "Valor",
  "Data",
  "Descrição Pix",
  "ID",
];

/** Returns a valid row of the transfer model; Nubank's digits are not checked against the number. */
export const tedRow = (changes: Record<number, string> = {}): string[] =>
  [
    "Padaria Três Irmãos Ltda",
    "12.ABC.345/01DE-35",
    "",
    "341",
    "1234",
    "",
    "12345",
    "1",
    "Corrente",
    "100,00",
    "",
    "",
    "",
  ].map((text, column) => changes[column] ?? text);
export const pixRow = (changes: Record<number, string> = {}): string[] =>
  ["Ana Lima", "", "EMAIL", "ana@exemplo.com.br", "10,50", "", "", ""].map(
    (text, column) => changes[column] ?? text,
  );

export const csvOf = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(
    rows
      .map((row) =>
        row.map((text) => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(";"),
      )
      .join("\r\n"),
  );

const boundary = "------------------------malote";

export interface Part {
  name: string;
  fileName?: string | undefined;
  type?: string;
  content: string | Buffer;
}

export function multipart(parts: readonly Part[], closes = true): Buffer {
  const pieces = parts.flatMap(({ name, fileName, type, content }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? "" : `; filename="${fileName}"`}\r\n`,
    `${type || fileName !== undefined ? `content-type: ${type ?? "application/octet-stream"}\r\n` : ""}\r\n`,
    content,
    "\r\n",
  ]);
  return Buffer.concat([
    ...pieces.map((piece) => Buffer.from(piece)),
    Buffer.from(closes ? `--${boundary}--\r\n` : ""),
  ]);
}
export const multipartType = { "content-type": `multipart/form-data; boundary=${boundary}` };
export const uploadPath = "/api/payments/batch/sheet/upload";

export const upload = (person: Person, content: Buffer | string, fileName = "folha.csv") =>
  person.post(
    uploadPath,
    multipart([
      { name: "fileName", content: fileName },
      { name: "file", fileName, content },
    ]),
    multipartType,
  );

/** Runs the enqueued jobs as the worker does. */
export async function runImports(app: TestApp): Promise<void> {
  for (const job of app.enqueued.splice(0)) {
    if (job.queue === "import-sheet")
      await importSheet(app.services, job.data as { companyId: string; sheetId: string });
  }
}

/** Imports a file and returns the sheet that the screen shows at the end. */
export async function importFile(
  app: TestApp,
  person: Person,
  content: Buffer | string,
  fileName?: string,
): Promise<Sheet> {
  const uploaded = await upload(person, content, fileName);
  if (uploaded.status !== 200) throw new Error(JSON.stringify(uploaded.body));
  const started = await person.call(importContract, { body: { sheet_id: uploaded.body.id } });
  if (started.status !== 200) throw new Error(JSON.stringify(started.body));
  await runImports(app);
  return (await person.call(readSheet, { params: { id: uploaded.body.id } })).body;
}

export async function fetchTransfers(person: Person, batchId: string, page = 0): Promise<Transfer[]> {
  const answer = await person.call(listTransfers, { params: { id: batchId }, query: { page: String(page) } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

export async function draftOfFile(app: TestApp, person: Person, content: Buffer | string, fileName?: string) {
  const sheet = await importFile(app, person, content, fileName);
  if (!sheet.batch_id) throw new Error(`not imported: ${JSON.stringify(sheet)}`);
  return { sheet, batchId: sheet.batch_id, transfers: await fetchTransfers(person, sheet.batch_id) };
}

export const codes = (transfer: Transfer) => transfer.errors.map((issue) => issue.code);

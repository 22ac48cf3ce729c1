/**
 * How fast a sheet is read and cleaned, without storing it (the floor under goals P1 and P2). Processor time of all
 * threads counts, since other work may share the machine. Prints one JSON line.
 */

import { sheetLimits } from "../apps/api/src/import/sheet/limits.ts";
import { openSheet } from "../apps/api/src/import/sheet/read-sheet.ts";
import { openXlsx } from "../apps/api/src/import/sheet/read-xlsx.ts";
import { buildWorkbook, columnName, worksheet } from "../apps/api/src/import/sheet/testing-workbook.ts";

const rowCount = 100_000;
const rounds = 7;
const headings = [
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
  "Centro de custo",
  "Filial",
];
const valueColumn = 9;

function rowTexts(index: number): string[] {
  return [
    `Fornecedor José da Silva ${index}`,
    String(10_000_000_000 + index),
    `p${index}@empresa.com.br`,
    "001",
    String(1_000 + (index % 9_000)),
    "1",
    String(100_000 + index),
    "7",
    "Conta corrente",
    (1 + index * 1.37).toFixed(2),
    `ID-${index}`,
    "20/11/2026",
    `Nota ${index}`,
    "CC-1",
    "Matriz",
  ];
}

function buildXlsx(): Buffer {
  const strings = new Map<string, number>();
  const shared = (text: string) => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const cell = (text: string, column: number, row: number) =>
    column === valueColumn && row > 1
      ? `<c r="${columnName(column)}${row}" s="1"><v>${text}</v></c>`
      : `<c r="${columnName(column)}${row}" s="2" t="s"><v>${shared(text)}</v></c>`;
  const row = (texts: string[], number: number) =>
    `<row r="${number}" spans="1:15">${texts.map((text, column) => cell(text, column, number)).join("")}</row>`;
  const rows = [row(headings, 1)];
  for (let index = 0; index < rowCount; index++) rows.push(row(rowTexts(index), index + 2));
  return buildWorkbook({
    strings: [...strings.keys()].map((text) => `<t>${text}</t>`),
    formats: ["0.00", "@"],
    sheets: [{ xml: worksheet(rows.join("")) }],
  });
}

function buildCsv(): Buffer {
  const rows = [headings, ...Array.from({ length: rowCount }, (_, index) => rowTexts(index))];
  return Buffer.from(rows.map((texts) => texts.join(";")).join("\r\n"));
}

async function readOnly(bytes: Buffer): Promise<number> {
  let rows = 0;
  const [tab] = await openXlsx(bytes, sheetLimits);
  if (tab === undefined) throw new Error("no tab");
  for await (const block of tab()) rows += block.length;
  return rows - 1;
}

async function readAndClean(bytes: Buffer, fileName: string): Promise<number> {
  let rows = 0;
  for await (const block of (await openSheet(bytes, fileName)).transfers()) rows += block.length;
  return rows;
}

async function measure(work: () => Promise<number>) {
  const cpuSeconds: number[] = [];
  const wallSeconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const rows = await work();
    wallSeconds.push((performance.now() - startedAt) / 1_000);
    const { user, system } = process.cpuUsage(before);
    cpuSeconds.push((user + system) / 1_000_000);
    if (rows !== rowCount) throw new Error(`read ${rows} of ${rowCount} rows`);
  }
  const [first] = cpuSeconds;
  return {
    cpuFirst: round3(first ?? 0),
    cpuMedian: round3(median(cpuSeconds)),
    wallMedian: round3(median(wallSeconds)),
  };
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const round3 = (number: number) => Math.round(number * 1_000) / 1_000;

const xlsx = buildXlsx();
const csv = buildCsv();
globalThis.gc?.();
const rssBefore = process.memoryUsage().rss;
const result = {
  bench: "sheet-read",
  rows: rowCount,
  columns: headings.length,
  xlsxBytes: xlsx.length,
  csvBytes: csv.length,
  xlsxRead: await measure(() => readOnly(xlsx)),
  xlsxReadAndClean: await measure(() => readAndClean(xlsx, "a.xlsx")),
  csvReadAndClean: await measure(() => readAndClean(csv, "a.csv")),
  extraMebibytes: Math.round((process.memoryUsage().rss - rssBefore) / 1024 / 1024),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

/**
 * Speed of reading and cleaning a sheet without storing it (the floor of goals P1 and P2), in processor time of all
 * threads, since other work may share the machine. Prints one JSON line.
 */

import { openXlsx } from "@malote/sheet-reader/read-xlsx";
import { openSheet } from "../apps/api/src/payouts/import/sheet/read-sheet.ts";
import { buildCsv, buildXlsx, headings, rowCount } from "./big-sheet.ts";

const rounds = 7;
async function readOnly(bytes: Buffer): Promise<number> {
  let rows = 0;
  const [tab] = await openXlsx(bytes);
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

/** Sheets that share a child process, and sheets that never do. Node reports every child that a process starts. */
import { channel } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Person, TestApp } from "../../testing/app.ts";
import { buildImportApp, csvOf, importFile } from "../../testing/import-kit.ts";

let app: TestApp;
let helena: Person;
beforeAll(async () => {
  app = await buildImportApp();
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());

const headings = ["Nome", "Chave Pix", "Valor"];
const sheetOf = (rows: number) =>
  csvOf([headings, ...Array.from({ length: rows }, (_, n) => [`Ana ${n}`, "ana@exemplo.com.br", "1,00"])]);

async function importAndCount(content: Buffer | string) {
  let started = 0;
  const note = () => started++;
  const children = channel("child_process");
  children.subscribe(note);
  try {
    const { state, rows_read } = await importFile(app, helena, content);
    return { state, rows_read, started };
  } finally {
    children.unsubscribe(note);
  }
}

it("reads one ordinary sheet after another in the same process", async () => {
  await importAndCount(sheetOf(1));
  expect(await importAndCount(sheetOf(3))).toEqual({ state: "imported", rows_read: 3, started: 0 });
  expect(await importAndCount(sheetOf(2))).toEqual({ state: "imported", rows_read: 2, started: 0 });
});

it("reads the sheet after a refused one in a new process", async () => {
  await importAndCount(sheetOf(1));
  expect(await importAndCount("Isto;não é\numa;planilha\n")).toMatchObject({ state: "refused", started: 0 });
  expect(await importAndCount(sheetOf(2))).toEqual({ state: "imported", rows_read: 2, started: 1 });
});

it("keeps no process whose memory a large sheet has filled", async () => {
  expect(await importAndCount(sheetOf(10_001))).toMatchObject({ state: "imported", rows_read: 10_001 });
  expect(await importAndCount(sheetOf(2))).toEqual({ state: "imported", rows_read: 2, started: 1 });
});

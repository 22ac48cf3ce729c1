import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { promisesNamedOf } from "./steps/promise-names.mjs";

async function findIn(path: string, text: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), "malote-names-"));
  try {
    for (const folder of ["apps", "packages", "proofs", "e2e", "bench", "scripts"])
      mkdirSync(join(root, folder));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return await promisesNamedOf(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const store = "apps/api/src/payins/store.ts";

it.each([
  ["an async function", "export async function rowOf(tx: Tx) { await tx; }"],
  ["an async arrow function", "const rowOf = async (tx: Tx) => tx;"],
  ["an async method", "const kit = { async rowOf(tx: Tx) {} };"],
  ["a method of a class", "class Kit { async rowOf() {} }"],
  ["a declared type", "interface Kit { rowOf(tx: Tx): Promise<Row> }"],
  ["a property of an interface", "interface Kit { rowOf: (tx: Tx) => Promise<Row> }"],
  ["a return type", "export const rowOf = (tx: Tx): Promise<Row> => ask(tx);"],
  ["an asynchronous generator", "async function* rowOf(tab: Tab): AsyncGenerator<Row> { yield* tab(); }"],
  ["a statement that runs", "const rowOf = (tx: Tx) => sql<Row>`SELECT 1`.execute(tx);"],
  ["a function that asks", "function rowOf(tx: Tx) { if (tx) return findRow(tx); return undefined; }"],
  ["several at once", "const rowOf = (tx: Tx) => Promise.all([tx]);"],
])("refuses xOf for %s", async (_, text) => {
  expect(await findIn(store, text)).toEqual([
    `${store}: rowOf returns a promise, so its name begins with a verb`,
  ]);
});

it.each([
  ["a value that is derived", "const rowOf = ({ id }: Row) => id;"],
  ["a condition of SQL", "const rowOf = (tx: Tx) => sql`t.id IS NOT NULL`;"],
  [
    "promises in a function inside",
    "const rowOf = (id: string) => { const ask = async () => id; return id; };",
  ],
  ["a verb", "export async function readRow(tx: Tx) { await tx; }"],
  ["a word that ends so", "export async function proof(tx: Tx) { await tx; }"],
])("accepts %s", async (_, text) => {
  expect(await findIn(store, text)).toEqual([]);
});

it("reads the packages, and neither the screens nor the proofs", async () => {
  const text = "export async function rowOf() {}";
  expect(await findIn("packages/domain/src/money.ts", text)).toHaveLength(1);
  expect(await findIn("apps/web/src/payins/api.ts", text)).toEqual([]);
  expect(await findIn("proofs/work/rows.ts", text)).toEqual([]);
});

import { buffer } from "node:stream/consumers";
import { csvStart } from "@malote/sheet-reader/write-csv";
import { expect, it } from "vitest";
import { slicesAfter, tablePieces } from "./table.ts";

it("reads a table from the last row of each slice on, and writes it slice by slice", async () => {
  const pages = [[1, 2], [3], []];
  const after: (number | undefined)[] = [];
  const slices = slicesAfter<number>(async (last) => {
    after.push(last);
    return pages[after.length - 1] ?? [];
  });
  const table = {
    name: "a",
    headings: ["id", "text"],
    slices,
    cellsOf: (row: number) => [String(row), "=1+1"],
  };
  expect((await buffer(tablePieces(table, "csv"))).toString()).toBe(
    `${csvStart}"id";"text"\r\n"1";"'=1+1"\r\n"2";"'=1+1"\r\n"3";"'=1+1"\r\n`,
  );
  expect(after).toEqual([undefined, 2, 3]);
});

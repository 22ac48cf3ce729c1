/** Sheets without known headings: refused with their columns, which a person may assign. */
import { gather } from "@malote/sheet-reader/testing-workbook";
import { describe, expect, it } from "vitest";
import { csv } from "../../../testing/read-sheet-kit.ts";
import type { HeadingHints } from "./headings.ts";
import { openSheet } from "./read-sheet.ts";
import { outsideModelText, SheetRefusal } from "./refusal.ts";

const people = [
  "Ana Lima;529.982.247-25;ana@exemplo.com.br;10,50;20/11/2026;3",
  "Bia Reis;111.444.777-35;(11) 98765-4321;1.200,00;;4",
];
const opened = (lines: string[], hints?: HeadingHints) =>
  openSheet(csv(lines), "a.csv", hints === undefined ? {} : { hints });
async function catchRefusal(work: Promise<unknown>): Promise<SheetRefusal> {
  const answer = await work.catch((error: unknown) => error);
  if (!(answer instanceof SheetRefusal)) throw new Error(`no refusal but ${JSON.stringify(answer)}`);
  return answer;
}
const chosen = { 0: "name", 1: "taxId", 2: "pixKey", 3: "value", 4: "paymentDate", 5: null } as const;

describe("headings without meaning", () => {
  it.each([
    ["letters", ["A;B;C;D;E;F"], "A"],
    ["words of their own", ["Quem;Registro;Para onde;Quanto;Até;Qtd"], "Quem"],
    ["one known word", ["Nome;Registro;Para onde;Quanto;Até;Qtd"], "Nome"],
    ["none", [], "Coluna 1"],
    ["a title above none", ["Pagamentos de novembro"], "Coluna 1"],
  ])("IMP-010 show the text of the model, with suggestions by the cells: %s", async (_, above, heading) => {
    const refusal = await catchRefusal(opened([...above, ...people]));
    expect(refusal).toMatchObject({ code: "sheet_wrong_format", message: outsideModelText });
    expect(refusal.layout?.columns[0]?.heading).toBe(heading);
    expect(refusal.layout?.columns.slice(1).map(({ field }) => field)).toEqual([
      "taxId",
      "pixKey",
      "value",
      "paymentDate",
      null,
    ]);
  });

  it("IMP-010 ask which of several columns with centavos holds the amount", async () => {
    const refusal = await catchRefusal(opened(["A;B;C", "ana@exemplo.com.br;1,00;2,00"]));
    expect(refusal.layout?.columns.map(({ field, may_be }) => [field, may_be])).toEqual([
      ["pixKey", null],
      [null, "value"],
      [null, "value"],
    ]);
  });

  it.each([
    ["prose", ["bom dia;tudo bem", "até logo;abraço"]],
    ["one column", ["10,00", "20,00"]],
  ])("IMP-010 offer no columns if nothing could be paid: %s", async (_, lines) => {
    expect(await catchRefusal(opened(lines))).toMatchObject({ message: outsideModelText, layout: undefined });
  });
});

describe("columns that a person assigns", () => {
  it.each([
    ["is below letters", ["A;B;C;D;E;F"]],
    ["begins the sheet", []],
  ])("return every payment if the first one %s", async (_, above) => {
    const sheet = await opened([...above, ...people], { chosen });
    const drafts = (await gather(sheet.transfers())).flat().map(({ draft }) => draft);
    expect(drafts).toMatchObject([
      { name: "Ana Lima", taxId: "52998224725", pixKey: "ana@exemplo.com.br", value: 10_50 },
      { name: "Bia Reis", pixKey: "(11) 98765-4321", value: 1_200_00 },
    ]);
  });

  it("are remembered for meaningful headings, and not for single letters or missing ones", async () => {
    const own = ["Quem;Registro;Para onde;Quanto;Até;Qtd", ...people];
    const remembered = async (lines: string[]) => {
      const { headings } = await opened(lines, { chosen });
      return opened(lines, { remembered: { [headings.layout.key]: chosen } });
    };
    expect((await remembered(own)).headings.columnOf).toMatchObject({ pixKey: 2, value: 3 });
    for (const lines of [["A;B;C;D;E;F", ...people], people])
      expect((await catchRefusal(remembered(lines))).code).toBe("sheet_wrong_format");
  });
});

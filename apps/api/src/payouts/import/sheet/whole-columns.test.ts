/** The whole column decides what it holds, not its first rows. */
import { bankBarcode, formatBoletoLine } from "@malote/domain/boleto-code";
import { cents } from "@malote/domain/money";
import { gather } from "@malote/sheet-reader/testing-workbook";
import { describe, expect, it } from "vitest";
import { csv } from "../../../testing/read-sheet-kit.ts";
import { sheetLimits } from "./limits.ts";
import { openSheet } from "./read-sheet.ts";
import { SheetRefusal } from "./refusal.ts";

const headings = "Nome;CPF;Chave Pix;Banco;Agência;Conta;Tipo;Valor";
const row = (type: string, more = "") => `Ana;;;001;1;1234-3;${type};1,00${more}`;
const rows = (count: number, type: string) => Array.from({ length: count }, () => row(type));
/** One block of the file decides, so a few more rows already follow the decision. */
const few = { ...sheetLimits, decidingRowsMax: 1 };

const read = async (lines: string[], limits = sheetLimits, chosen?: Record<number, "accountType" | null>) => {
  const sheet = await openSheet(csv(lines), "a.csv", { limits, hints: { chosen } });
  const drafts = (await gather(sheet.transfers())).flat().map(({ draft }) => draft);
  return { drafts, layout: sheet.layout() };
};
const refused = async (work: Promise<unknown>): Promise<SheetRefusal> => {
  const answer = await work.catch((error: unknown) => error);
  if (!(answer instanceof SheetRefusal)) throw new Error(`no refusal but ${JSON.stringify(answer)}`);
  return answer;
};
const columnsOf = ({ columns }: { columns: readonly { heading: string; field: string | null }[] }) =>
  columns.map(({ heading, field }) => [heading, field]);

describe("a column without a clear name", () => {
  it("IMP-012 IMP-020 is read as types of accounts if its first cells are below the twentieth row", async () => {
    const { drafts } = await read([headings, ...rows(40, ""), row("Poupança")]);
    expect(drafts.at(-1)?.accountType).toBe("CONTA_POUPANCA");
  });

  it("IMP-012 is not read as types of accounts if only its first rows look like them", async () => {
    const { layout } = await read([headings, ...rows(20, "corrente"), ...rows(60, "fornecedor")]);
    expect(columnsOf(layout)).toContainEqual(["Tipo", null]);
  });

  it("IMP-012 is read as boletos if the first of them is below the twentieth row", async () => {
    const line = formatBoletoLine(
      bankBarcode({ bankCode: "001", dueDate: null, value: cents(12_345), freeField: "0".repeat(25) }),
    );
    const sheet = await openSheet(
      csv(["Conta;O que pagar;Pagar em", ...Array.from({ length: 40 }, () => "Luz;;"), `Luz;${line};`]),
      "a.csv",
    );
    expect(sheet.headings.kind).toBe("billet");
    expect((await gather(sheet.boletos())).flat().at(-1)?.draft.barcode).toBe(line);
  });
});

describe("the rows below the deciding ones", () => {
  /** Number of rows in a block. */
  const first = (type: string) => rows(1_000, type);

  it.each([
    ["only there holds types of accounts", [...first(""), ...rows(10, "Poupança")]],
    ["holds mostly something else there", [...first("corrente"), ...rows(1_500, "fornecedor")]],
  ])("IMP-012 ask about a column that %s", async (_, lines) => {
    const refusal = await refused(read([headings, ...lines], few));
    expect(refusal).toMatchObject({
      code: "sheet_unclear_columns",
      message: "A coluna Tipo não tem o mesmo conteúdo do início ao fim da planilha. Escolha o que há nela.",
    });
    expect(refusal.layout?.columns.find(({ heading }) => heading === "Tipo")).toMatchObject({
      field: null,
      may_be: "accountType",
    });
  });

  it("IMP-012 follow a person's choice for the column without another question", async () => {
    const lines = [headings, ...first(""), row("Poupança")];
    const { drafts } = await read(lines, few, { 6: "accountType" });
    expect(drafts.at(-1)?.accountType).toBe("CONTA_POUPANCA");
    expect((await read(lines, few, { 6: null })).drafts.at(-1)?.accountType).toBeNull();
  });

  it("add the cells of a column that was empty before, and a column beside the headings, to the preview", async () => {
    const { layout } = await read(
      [`${headings};Centro de custo;`, ...first("corrente"), row("corrente", ";CC-1;;nota")],
      few,
    );
    expect(columnsOf(layout).slice(-2)).toEqual([
      ["Centro de custo", null],
      ["Coluna 11", null],
    ]);
    expect(layout.columns.slice(-2).map(({ sample }) => sample)).toEqual([["CC-1"], ["nota"]]);
  });
});

it("lists a column beside the headings as ignored", async () => {
  const { layout } = await read([headings, row("corrente", ";nota")]);
  expect(columnsOf(layout).at(-1)).toEqual(["Coluna 9", null]);
});

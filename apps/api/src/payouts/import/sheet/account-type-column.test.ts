/** A column of account types that its heading does not name. */
import { expect, it } from "vitest";
import { readHeadings } from "./read-columns.ts";

const row = (...texts: string[]) => ({ sheetRow: 1, hidden: false, texts, kinds: [] });
const columnOf = (heading: string, cells: readonly string[], choice?: Record<number, "accountType" | null>) =>
  readHeadings(
    row("Nome", "Banco", "Agência", "Conta", heading, "Valor"),
    cells.map((cell) => row("Ana", "001", "1", "23", cell, "1,00")),
    choice,
  ).columnOf.accountType;

it.each([
  ["Tipo", ["PJ", "PF"]],
  ["Tipo", ["CPF", "E-mail", "Celular"]],
  ["Tipo", ["Pagamento", "Pagamento"]],
  ["Tipo", ["Salário", "corrente", "Bônus", "13º"]],
  ["Tipo", ["", ""]],
  ["Tipo", ["C", "E", "T"]],
  ["Tipo", ["P", "P"]],
  ["Centro de custo", ["corrente", "poupança"]],
])("IMP-012 %s with %j is not a column of account types", (heading, cells) => {
  expect(columnOf(heading, cells)).toBeUndefined();
});

it("IMP-012 follows a person's choice for the column, not its cells", () => {
  expect(columnOf("Tipo", ["corrente", "poupança"], { 4: null })).toBeUndefined();
});

it.each([
  ["Tipo", ["corrente", "CC", "poupança", "poupanca", "CP", "C/C", ""]],
  ["Tipo", ["C", "P", "c", ""]],
  ["Tipo", ["C"]],
  ["Tipo", ["C", "Poupança"]],
  ["Tp.", ["Conta Poupança", "conta de pagamento", "Conta Corrente"]],
  ["TIPO (conta)", ["poupança"]],
  ["Corrente ou poupança", ["?"]],
])("IMP-012 IMP-020 %s with %j is the column of account types", (heading, cells) => {
  expect(columnOf(heading, cells)).toBe(4);
});

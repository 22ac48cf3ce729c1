import { expect, it } from "vitest";
import { guardFormula, removeFormulaGuard } from "./formula-guard.ts";

it.each([
  "\u200b=1",
  "\u0001=1",
  "=1+1",
  "+55",
  "-5",
  "@x",
  "'=a",
  "''=a",
  "＝x",
  " =1",
  "Ana",
  "'s",
  "|x",
  "%x",
  "Fulano,=1+1",
  "x,'=1",
  'x,"=1',
  "\t=1,=2",
  ",;=1",
  "x\n-1, +2",
  "'x,=1",
  "x,\u{e0001}=1",
  "Ana, Bia",
])("removes exactly the guard that our exports put before %j", (text) => {
  expect(removeFormulaGuard(guardFormula(text))).toBe(text);
});

import { expect, it } from "vitest";
import { printable } from "./printable.ts";

it.each([
  ["Ação & Cia. Ltda – 100 €", "Ação & Cia. Ltda – 100 €"],
  ["José Müller", "José Müller"],
  ["Łukasz Žižek Đorđe", "Lukasz Žižek Dorde"],
  ["Ana\r\n\t  Souza\u0000", "Ana Souza"],
  // No character may reverse the following text or hide a part of it.
  ["Ana\u202eazuoS\u200b\u2066", "AnaazuoS"],
  ["Ivo \ud83d\ude00 \ud800", "Ivo ? ?"],
  ["ﬁm ①", "fim 1"],
])("prints %j as %j", (written, printed) => {
  expect(printable(written)).toBe(printed);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  choice,
  choices,
  cursor,
  day,
  isUuid,
  matching,
  month,
  naming,
  opaque,
  pageNumber,
  period,
  readAddress,
  readValues,
  type SearchParam,
  size,
  text,
} from "./search-params.ts";

const id = "0198f000-0000-7000-8000-0000000000b1";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T15:00:00Z"), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Parameter, given text, its value in the address (undefined: dropped) and the value of the page. */
const cases: [what: string, SearchParam<unknown, unknown>, string, unknown, unknown][] = [
  ["page", pageNumber, "3", 3, 3],
  ["page", pageNumber, "1", 1, 1],
  ["page", pageNumber, "2.7", 2, 2],
  ["page", pageNumber, "0", undefined, 1],
  ["page", pageNumber, "-2", undefined, 1],
  ["page", pageNumber, "abc", undefined, 1],
  ["page", pageNumber, "Infinity", undefined, 1],
  ["page", pageNumber, "99999999999999999999", undefined, 1],
  ["month", month, "2026-02", "2026-02", "2026-02"],
  ["month", month, "2026-13", undefined, "2026-11"],
  ["month", month, "fevereiro", undefined, "2026-11"],
  ["day", day(() => null), "2026-02-28", "2026-02-28", "2026-02-28"],
  ["day", day(() => null), "28/02/2026", "2026-02-28", "2026-02-28"],
  ["day", day(() => null), "2026-02-30", undefined, null],
  ["first day of a period", period.de, "x", undefined, "2026-11-01"],
  ["last day of a period", period.ate, "x", undefined, "2026-11-30"],
  ["text", text(5), "folha de novembro", "folha", "folha"],
  ["choice", choice(["pago", "falha"]), "falha", "falha", "falha"],
  ["choice", choice(["pago", "falha"]), "toString", undefined, null],
  ["choices", choices(["ted", "pix", "boleto"]), "pix,ted,pix,x", ["pix", "ted"], ["pix", "ted"]],
  ["choices", choices(["ted", "pix"]), "x", undefined, []],
  ["form", matching(/^\d{8}$/), "60701190", "60701190", "60701190"],
  ["form", matching(/^\d{8}$/), "607", undefined, null],
  ["name", naming(isUuid), id, id, id],
  ["name", naming(isUuid), `${id}0`, undefined, undefined],
  ["id", opaque, "novo", "novo", "novo"],
  ["cursor", cursor, "a".repeat(600), "a".repeat(500), "a".repeat(500)],
  ["size", size([10, 20, 50]), "20", 20, 20],
  ["size", size([10, 20, 50]), "30", undefined, 10],
];

it.each(cases)("a %s reads its text", (_what, param, given, inAddress, onPage) => {
  const params = { p: param };
  expect(readAddress(params, { p: given })).toEqual({ p: inAddress });
  expect(readValues(params, { p: given })).toEqual({ p: onPage });
});

it.each(cases)("a %s reads the value of a link as it reads its text", (_what, param, given, inAddress) => {
  const params = { p: param };
  const once = readAddress(params, { p: given });
  if (inAddress !== undefined) expect(readAddress(params, once)).toEqual(once);
});

it("SES-072 a period takes the days that exist from its address, and the others from the month", () => {
  expect(readValues(period, { de: "2026-99-99", ate: "2026-11-20" })).toEqual({
    de: "2026-11-01",
    ate: "2026-11-20",
  });
});

it("an address never names a default, and keeps what is not its own out", () => {
  const params = { pagina: pageNumber, mes: month, busca: text() };
  expect(Object.keys(readAddress(params, {}))).toEqual([]);
  expect(readAddress(params, { outra: "1", mes: "2026-02" })).toEqual({ mes: "2026-02" });
  expect(readValues(params, {})).toEqual({ pagina: 1, mes: "2026-11", busca: "" });
});

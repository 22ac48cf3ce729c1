import { expect, it } from "vitest";
import { factsOfEntry } from "./words.ts";

it("calls a report by its name, and a request by its own", () => {
  const kindOf = (kind: string) => factsOfEntry({ detail: { kind } as never })[0]?.value;
  expect(kindOf("statement_xlsx_v2")).toBe("Extrato XLSX");
  expect(kindOf("payouts")).toBe("Transferências XLSX");
  expect(kindOf("WITHDRAWAL")).toBe("Resgate");
});

import { expect, it } from "vitest";
import { bankOnWire, banksOnWire } from "./banks.ts";

// Today's public list gives every institution a code, so only a table of the test's own distinguishes the lists.
it("SET-026 VAL-011 lists an institution without a code for Pix and among all, not among banks of accounts", () => {
  const bank = bankOnWire({ code: "341", ispb: "60701190", name: "Itaú Unibanco" });
  const withoutCode = bankOnWire({ code: null, ispb: "12345678", name: "Cooperativa Sem Código" });
  const table = [bank, withoutCode];
  for (const query of [{}, { pix: "false" }, { all: "false" }, { pix: "false", all: "false" }] as const)
    expect(banksOnWire(query, table)).toEqual([bank]);
  for (const query of [{ pix: "true" }, { all: "true" }, { pix: "true", all: "false" }] as const)
    expect(banksOnWire(query, table)).toEqual(table);
});

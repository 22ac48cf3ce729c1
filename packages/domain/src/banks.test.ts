import { getBanks } from "@brazilian-utils/brazilian-utils";
import { afterEach, describe, expect, it } from "vitest";
import { banks, findBankByCode, findBankByIspb, readBank, takesBalance } from "./banks.ts";
import { inventedInstitution, nameOwnInstitution, ownInstitution } from "./own-institution.ts";

describe("bank table", () => {
  it("has every listed institution once and ours under code 593", () => {
    const ids = new Set(banks().map((bank) => bank.ispb));
    expect(ids.size).toBe(banks().length);
    expect(banks()).toHaveLength(getBanks().length);
    expect(findBankByCode("593")).toBe(ownInstitution());
    expect(findBankByIspb("99999593")).toBe(ownInstitution());
    expect(findBankByIspb("27084098")).toBeUndefined();
  });

  it.each(
    (
      "001 00000000,033 90400888,041 92702067,077 00416968,104 00360305,197 16501555,208 30306294,237 60746948," +
      "260 18236120,070 00000208,085 05463212,290 08561701,323 10573521,336 31872495,341 60701190,380 22896431," +
      "422 58160789,745 33479023,748 01181521,756 02038232,399 01701201"
    )
      .split(",")
      .map((pair) => pair.split(" ") as [string, string]),
  )("bank %s has the ISPB %s", (code, ispb) => {
    expect(findBankByCode(code)?.ispb).toBe(ispb);
    expect(findBankByIspb(ispb)?.code).toBe(code);
  });

  it("finds every bank by its code, its ISPB and its shown name", () => {
    for (const bank of banks()) {
      expect(readBank(bank.ispb)).toBe(bank);
      if (bank.code) expect(readBank(bank.code)).toBe(bank);
      expect(readBank(bank.name), bank.name).toBe(bank);
    }
  });
});

describe("as another institution", () => {
  const other = { ispb: "11223344", name: "Serra Azul Pagamentos" };
  afterEach(() => nameOwnInstitution(inventedInstitution));

  it("lists us under our own ISPB, code and name, and returns the invented institution's code to its owner", () => {
    // Read before the change, so that the cache must not return it.
    expect(readBank("593")).toBe(inventedInstitution);
    nameOwnInstitution({ ...other, code: "987" });
    expect(readBank("987")).toBe(ownInstitution());
    expect(readBank("serra azul pagamentos")).toBe(ownInstitution());
    expect(readBank("593")?.ispb).toBe("27084098");
    expect(readBank("Mesa Pagamentos IP")).toBeUndefined();
    expect(findBankByIspb("99999593")).toBeUndefined();
  });

  it("STM-034 has each ISPB and code once, and accepts balance at our account with any code of ours", () => {
    nameOwnInstitution({ ...other, code: "237" });
    expect(banks().filter(({ code }) => code === "237")).toEqual([ownInstitution()]);
    expect(findBankByIspb("60746948")).toBeUndefined();
    expect(takesBalance(ownInstitution())).toBe(true);
    expect(takesBalance({ code: "033" })).toBe(false);
  });
});

describe("readBank", () => {
  it.each([
    ["1", "001"],
    ["001", "001"],
    ["33", "033"],
    ["0341", "341"],
    ["00000000", "001"],
    ["416968", "077"],
    ["Banco do Brasil", "001"],
    ["BANCO DO BRASIL S/A", "001"],
    ["bb", "001"],
    ["Itaú", "341"],
    ["ITAU UNIBANCO S.A.", "341"],
    ["itaú unibanco", "341"],
    ["Caixa", "104"],
    ["CEF", "104"],
    ["Nubank", "260"],
    ["Nu Pagamentos", "260"],
    ["260 - Nu Pagamentos", "260"],
    ["260-Nubank", "260"],
    ["1 Banco do Brasil", "001"],
    ["Bradesco (237)", "237"],
    ["Bradesco - 237", "237"],
    ["104 - qualquer agência", "104"],
    ["  Sicoob ", "756"],
    ["Mercado Pago", "323"],
    ["593", "593"],
  ])("IMP-013 reads '%s' as %s", (text, code) => {
    expect(readBank(text)?.code).toBe(code);
    // The second answer comes from memory.
    expect(readBank(text)?.code).toBe(code);
  });

  it.each(["Brasil", " BRASIL ", "brasil"])("IMP-019 reads '%s' as empty", (text) => {
    expect(readBank(text)).toBeUndefined();
  });

  it.each([
    "",
    "0",
    "000",
    "999",
    "Banco",
    "260 - Itaú",
    "Itaú (260)",
    "banco que não existe",
    "x".repeat(5_000),
  ])("finds no bank for '%s'", (text) => {
    expect(readBank(text)).toBeUndefined();
  });
});

it("STM-034 refuses to send balance to accounts at seven of the banks", () => {
  const excluded = banks()
    .filter((bank) => !takesBalance(bank))
    .map(({ code }) => code);
  expect(excluded.sort()).toEqual(["001", "033", "077", "104", "237", "748", "756"]);
  expect(takesBalance({ code: null })).toBe(true);
});

import { inventedInstitution, nameOwnInstitution, ownInstitution } from "@malote/domain/own-institution";
import { defaultTransferMethod } from "@malote/domain/transfer";
import { afterEach, expect, it } from "vitest";
import { readInstitution } from "./institution.ts";

afterEach(() => {
  delete document.documentElement.dataset["institution"];
  nameOwnInstitution(inventedInstitution);
});

it("reads the institution from the page, so that the form applies the server's rules", () => {
  document.documentElement.dataset["institution"] = "11223344 987 Serra Azul Pagamentos";
  readInstitution();
  expect(ownInstitution()).toEqual({ ispb: "11223344", code: "987", name: "Serra Azul Pagamentos" });
  expect([defaultTransferMethod("11223344"), defaultTransferMethod("99999593")]).toEqual(["TEV", "TED"]);
});

it("keeps the invented institution when the page names none", () => {
  document.documentElement.dataset["institution"] = "__INSTITUTION__";
  readInstitution();
  expect(ownInstitution()).toBe(inventedInstitution);
});

import { describe, expect, it } from "vitest";
import { isFullName, isLikeName, normalisePersonName } from "./person-name.ts";

describe("a person's name", () => {
  it.each(["", " ", "Helena", "  Helena  ", "Helena\t", "\u200bHelena\u0000"])(
    "ACC-006 refuses '%s', which has fewer than two words",
    (text) => expect(isFullName(text)).toBe(false),
  );

  it.each(["Helena Prado", " Helena   Prado ", "Helena\u00a0Prado", "Ana de Sá e Silva"])(
    "ACC-006 accepts '%s'",
    (text) => expect(isFullName(text)).toBe(true),
  );

  it("is stored as one line with single spaces, without invisible characters", () => {
    expect(normalisePersonName("  Ana\n de \u0000 S\u00e1\ud800 ")).toBe("Ana de S\u00e1\ufffd");
  });
});

describe("comparison of names", () => {
  it.each([
    ["Rita Souza", "RITA DE SOUZA LIMA"],
    ["Padaria Três Irmãos", "Padaria Tres Irmaos Ltda"],
    ["Rita", "Rita Souza"],
  ])("'%s' and '%s' may belong to one person", (one, other) => expect(isLikeName(one, other)).toBe(true));

  it.each([
    ["Rita Souza", "Heitor Esteves Guedes"],
    ["Rita Souza", "Rita Lima"],
    ["", "Rita Lima"],
    ["Ltda", "Rita Lima"],
  ])("'%s' and '%s' belong to two people", (one, other) => expect(isLikeName(one, other)).toBe(false));
});

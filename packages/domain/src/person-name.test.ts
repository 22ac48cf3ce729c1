import { describe, expect, it } from "vitest";
import { isFullName, isLikeName, normalisePersonName } from "./person-name.ts";

describe("a person's name", () => {
  it.each(["", " ", "Helena", "  Helena  ", "Helena\t", "\u200bHelena\u0000"])(
    "ACC-006 '%s' has not two words",
    (text) => expect(isFullName(text)).toBe(false),
  );

  it.each(["Helena Prado", " Helena   Prado ", "Helena\u00a0Prado", "Ana de Sá e Silva"])(
    "ACC-006 '%s' has",
    (text) => expect(isFullName(text)).toBe(true),
  );

  it("is kept as one line with single spaces, without what cannot be seen", () => {
    expect(normalisePersonName("  Ana\n de \u0000 S\u00e1\ud800 ")).toBe("Ana de S\u00e1\ufffd");
  });
});

describe("two names", () => {
  it.each([
    ["Rita Souza", "RITA DE SOUZA LIMA"],
    ["Padaria Três Irmãos", "Padaria Tres Irmaos Ltda"],
    ["Rita", "Rita Souza"],
  ])("'%s' and '%s' may be of the same", (one, other) => expect(isLikeName(one, other)).toBe(true));

  it.each([
    ["Rita Souza", "Heitor Esteves Guedes"],
    ["Rita Souza", "Rita Lima"],
    ["", "Rita Lima"],
    ["Ltda", "Rita Lima"],
  ])("'%s' and '%s' are of two", (one, other) => expect(isLikeName(one, other)).toBe(false));
});

import { describe, expect, it } from "vitest";
import { foldText } from "./fold-text.ts";
import { shorten, shortenMiddle } from "./shorten.ts";

describe("shorten", () => {
  it.each([
    ["Folha", 5, "Folha"],
    ["Folha de maio", 5, "Folha..."],
    ["Folha de maio", 6, "Folha..."],
    ["👍👍👍", 2, "👍👍..."],
    ["", 3, ""],
  ])("'%s' at %i is '%s'", (text, max, short) => {
    expect(shorten(text, max)).toBe(short);
  });
});

describe("shortenMiddle", () => {
  it("MED-033 keeps start and extension within the length", () => {
    const short = shortenMiddle("comprovante-da-entrega-em-sao-paulo.pdf", 30);
    expect(short).toBe("comprovante-da...sao-paulo.pdf");
    expect(short).toHaveLength(30);
    expect(shortenMiddle("curto.pdf", 30)).toBe("curto.pdf");
  });
});

describe("foldText", () => {
  it("compares texts without accents, case and extra spaces", () => {
    expect(foldText("  Itaú   UNIBANCO\u00a0")).toBe("itau unibanco");
    expect(foldText("ÇÃO")).toBe("cao");
  });
});

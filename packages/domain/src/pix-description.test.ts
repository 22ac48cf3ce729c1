import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type PixDescriptionNode,
  parsePixDescription,
  pixDescriptionProblem,
  pixDescriptionTags,
  pixDescriptionText,
} from "./pix-description.ts";

describe("parsePixDescription", () => {
  it.each([
    "<script>alert(1)</script>",
    "<b onclick=alert(1)>oi</b>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>oi</a>",
    "<br>",
    "<b/>",
    "</div>",
    "<!-- oi -->",
    "<?php ?>",
    "<u>oi</u>",
    "<bold>oi</bold>",
    "<b",
    "<B\nSTYLE=x>",
    "<b>".repeat(9),
  ])("TRF-042 refuses %s", (text) => {
    expect(pixDescriptionProblem(text)).toBe("pix_description_unsafe");
  });

  it.each([
    "pago ✓",
    "pago 👍",
    "Ā",
    "&#8364;",
    "&#x2713;",
    "&#999999;",
    "nulo\u0000",
    "tela\u001b[2J",
    "\u0080",
  ])("TRF-043 refuses %j", (text) => {
    expect(pixDescriptionProblem(text)).toBe("pix_description_characters");
  });

  it.each([
    ["140 characters", "a".repeat(140), undefined],
    ["141 characters", "a".repeat(141), "pix_description_too_long"],
    ["140 characters, not counting marks", `<b>${"a".repeat(140)}</b>`, undefined],
    ["141 characters and marks", `<b>${"a".repeat(141)}</b>`, "pix_description_too_long"],
    ["an entity counts as its character", "&amp;".repeat(140), undefined],
    ["a novel", "<b></b>".repeat(100_000), "pix_description_too_long"],
    ["nothing", "", undefined],
    ["accents of Latin-1, up to its last sign", "Ação, não é? Ñ ü ç º ª § ÿ", undefined],
    ["the last sign of Latin-1 beside a mark", "<b>ÿ</b>", undefined],
  ])("TRF-041 TRF-043 %s", (_what, text, problem) => {
    expect(pixDescriptionProblem(text)).toBe(problem);
  });

  it.each<[string, PixDescriptionNode[]]>([
    ["Aluguel de maio", ["Aluguel de maio"]],
    ["<b>Aluguel</b> de maio", [{ tag: "b", children: ["Aluguel"] }, " de maio"]],
    ["<STRONG >A<em>b</em></STRONG>", [{ tag: "strong", children: ["A", { tag: "em", children: ["b"] }] }]],
    ["<b>aberto", [{ tag: "b", children: ["aberto"] }]],
    ["sobra</b>", ["sobra"]],
    ["<b>a<i>b</b>c", [{ tag: "b", children: ["a", { tag: "i", children: ["b"] }] }, "c"]],
    ["5 < 6 & 7 > 3, <3", ["5 < 6 & 7 > 3, <3"]],
    ["&lt;b&gt; &amp; &#233;", ["<b> & é"]],
    ["&desconhecido;", ["&desconhecido;"]],
  ])("TRF-042 parses %s", (written, tree) => {
    expect(parsePixDescription(written)).toMatchObject({ kind: "parsed", tree });
  });

  it("returns the text for networks and files, without markup", () => {
    expect(pixDescriptionText("<b>Aluguel</b> &amp; <i>luz</i>")).toBe("Aluguel & luz");
    expect(pixDescriptionText("<u>x</u>")).toBeUndefined();
  });

  it("TRF-042 builds trees of text and the four tags only, whose text is the parsed text", () => {
    const bits = fc.constantFrom(
      "<b>",
      "</b>",
      "<i>",
      "</em>",
      "<em>",
      "<strong>",
      "&lt;",
      "<",
      ">",
      "a",
      " ",
      "é",
    );
    const written = fc.oneof(
      fc.string(),
      fc.array(bits).map((parts) => parts.join("")),
    );
    const flat = (nodes: PixDescriptionNode[]): string =>
      nodes
        .map((node) => {
          if (typeof node === "string") return node;
          expect(pixDescriptionTags).toContain(node.tag);
          return flat(node.children);
        })
        .join("");
    fc.assert(
      fc.property(written, (text) => {
        const description = parsePixDescription(text);
        expect(pixDescriptionProblem(text)).toBe(
          description.kind === "refused" ? description.code : undefined,
        );
        if (description.kind === "parsed") expect(flat(description.tree)).toBe(description.text);
      }),
      { numRuns: 500 },
    );
  });
});

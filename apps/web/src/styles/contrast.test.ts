import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

/** Both colours of each token: first light, then dark. A brand's own override the shared ones. */
function tokensOf(brand: "malote" | "horizonte"): Map<string, [string, string]> {
  const [shared = "", own = ""] = css.split('[data-brand="horizonte"]');
  const tokens = new Map<string, [string, string]>();
  for (const part of brand === "malote" ? [shared] : [shared, own]) {
    for (const [, name = "", light = "", dark = ""] of part.matchAll(
      /--([\w-]+): light-dark\((#\w+), (#\w+)\)/g,
    ))
      tokens.set(name, [light, dark]);
  }
  return tokens;
}

function luminance(color: string): number {
  const hex =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join("") : color.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Pairs of text and ground that the screens use. */
const pairs = [
  ["red", "red-bg"],
  ["yellow", "yellow-bg"],
  ["green", "green-bg"],
  ["blue", "blue-bg"],
  ["grey", "grey-bg"],
  ["on-brand", "brand-600"],
  ["on-brand", "brand-700"],
  ["on-red", "red-fill"],
  ["brand-600", "surface"],
  ["brand-600", "paper"],
  ["brand-700", "brand-50"],
  ["brand-700", "brand-100"],
  // Parts of a chart are no text and need less contrast; their legends are beside them.
  ...["red", "yellow", "green", "blue", "violet", "grey"].map((tone) => [tone, "surface"]),
  ...["paper", "surface", "sunken", "hover"].flatMap((ground) =>
    ["ink", "ink-2", "ink-3"].map((text) => [text, ground]),
  ),
] as [string, string][];

it("measures as the standard does", () => {
  expect(contrast("#000", "#fff")).toBeCloseTo(21);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

const grounds = ["paper", "surface", "sunken", "hover", "brand-50", "red-bg", "yellow-bg", "blue-bg"];

it("draws the focus as an outline of one colour, which forced colours keep", () => {
  expect(css).toContain("--focus: 2px solid var(--brand-600);");
});

describe.each(["malote", "horizonte"] as const)("the colours of %s", (brand) => {
  const tokens = tokensOf(brand);
  it.each(grounds)("the focus is visible on %s in both themes", (ground) => {
    const [line, other] = [tokens.get("brand-600"), tokens.get(ground)];
    for (const theme of [0, 1] as const)
      expect(contrast(line?.[theme] ?? "", other?.[theme] ?? "")).toBeGreaterThanOrEqual(3);
  });

  it.each(pairs)("%s is readable on %s in both themes", (text, ground) => {
    const [one, other] = [tokens.get(text), tokens.get(ground)];
    for (const theme of [0, 1] as const)
      expect(contrast(one?.[theme] ?? "", other?.[theme] ?? "")).toBeGreaterThanOrEqual(4.5);
  });
});

import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { brandOf, originOf } from "./brand.ts";

it.each([
  ["malote", {}, "http://localhost:3000"],
  ["horizonte", {}, "http://horizonte.localhost:3000"],
  ["malote", { MALOTE_PUBLIC_URL: "https://malote.example/" }, "https://malote.example"],
  ["horizonte", { MALOTE_PUBLIC_URL: "https://malote.example" }, "https://malote.example"],
  [
    "horizonte",
    {
      MALOTE_PUBLIC_URL: "https://malote.example",
      MALOTE_BRANDS: "outra.example=horizonte,https://pagar.horizonte.example=horizonte",
    },
    "https://pagar.horizonte.example",
  ],
] as const)("people meet %s, configured by %o, at %s", (brand, env, origin) => {
  expect(originOf(readConfig(env), brand)).toBe(origin);
});

it("SHL-001 gives an origin of the environment its brand in any notation, and any other origin the default one", () => {
  const config = readConfig({ MALOTE_BRANDS: "https://Banco.Example=horizonte" });
  const brandAt = (host: string) => brandOf(config, { protocol: "https", host });
  expect([brandAt("banco.example"), brandAt("outro.example")]).toEqual(["horizonte", "malote"]);
});

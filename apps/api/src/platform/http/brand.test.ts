import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { originOf } from "./brand.ts";

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

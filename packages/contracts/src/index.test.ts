/** Server, reference, permission table and proofs read one list of calls. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { contracts } from "./index.ts";

it("lists every call that a module declares", async () => {
  const names = readdirSync(import.meta.dirname).filter(
    (name) => /\.ts$/.test(name) && !/\.test\.ts$|^index\.ts$/.test(name),
  );
  const modules = await Promise.all(names.map((name) => import(`./${name}`) as Promise<object>));
  const declared = modules
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === "object" && value !== null && "policy" in value && "path" in value);
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((call) => !contracts.includes(call)).map(({ id }) => id)).toEqual([]);
});

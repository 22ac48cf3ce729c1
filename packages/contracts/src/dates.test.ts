/** Representation of days and instants in every contract (SES-072). */
import { describe, expect, it } from "vitest";
import type { Contract } from "./contract.ts";
import { contracts } from "./index.ts";
import { date, instant } from "./wire.ts";

interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Returns whether a field's name stands for a day or a moment, which is sent as text. */
const isDateName = (name: string) =>
  /(^|_|[a-z])(date|Date)(__(gte|lte))?$/.test(name) && !/update/i.test(name);

function* datesIn(schema: Schema, name = ""): Generator<{ name: string; schema: Schema }> {
  for (const choice of schema.anyOf ?? schema.oneOf ?? []) yield* datesIn(choice, name);
  if (schema.type === "string" && isDateName(name)) yield { name, schema };
  for (const [key, inner] of Object.entries(schema.properties ?? {})) yield* datesIn(inner, key);
  if (schema.items) yield* datesIn(schema.items, name);
}

const partsOf = (contract: Contract) =>
  (["query", "body", "response"] as const).flatMap((part) => {
    const io = part === "response" ? "output" : "input";
    const schema = contract[part]?.toJSONSchema({ io, unrepresentable: "any" }) as Schema | undefined;
    return schema ? [...datesIn(schema)].map((found) => ({ call: contract.id, part, ...found })) : [];
  });

describe("days in calls", () => {
  it("SES-072 are YYYY-MM-DD, and existing days", () => {
    for (const good of ["2026-11-20", "2028-02-29"]) expect(date.safeParse(good).success).toBe(true);
    for (const bad of [
      "20/11/2026",
      "2026-11-31",
      "2026-1-2",
      "20261120",
      "2026-11-20T00:00:00Z",
      "",
      "hoje",
    ])
      expect([bad, date.safeParse(bad).success]).toEqual([bad, false]);
    for (const bad of ["20/11/2026 10:00", "2026-11-20"]) expect(instant.safeParse(bad).success).toBe(false);
  });

  it("SES-072 are days or instants wherever a name means a date, in every call", () => {
    const found = contracts.flatMap(partsOf);
    expect(found.length).toBeGreaterThan(60);
    const others = found.filter(({ schema: { format } }) => format !== "date" && format !== "date-time");
    expect(others.map(({ call, part, name }) => `${call} ${part}.${name}`)).toEqual([]);
  });
});

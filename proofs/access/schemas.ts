/** Inputs of a call by its contract, read from the schemas so that a new call needs no extra code. */
import { randomUUID } from "node:crypto";
import type { Contract } from "@malote/contracts/contract";
import fc from "fast-check";

/** The part of JSON Schema that our contracts use; `example` and `likely` throw for any other keyword. */
export interface Schema {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

export const parts = ["params", "query", "body"] as const;
export type Part = (typeof parts)[number];
export type Input = Partial<Record<Part, unknown>>;

export function schemaOf(contract: Contract, part: Part): Schema | undefined {
  return contract[part]?.toJSONSchema({ io: "input", unrepresentable: "any" }) as Schema | undefined;
}

const choicesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf;

/** A place in a call where an id may be. `[]` in the path is an element of a list. */
export interface Slot {
  part: Part;
  path: readonly string[];
  schema: Schema;
}

const idNames = /^(id|ids|search)$|(_id|_ids|Id|Ids)$/;

/** Ids that name no record of a company, with their meaning. */
const ofNoCompany: Readonly<Record<string, string>> = {
  bank_id: "a bank of the country's list",
  bankId: "a bank of the country's list",
  integration_id: "what the customer's own system calls a payment",
};

function isIdLike(name: string, schema: Schema): boolean {
  if (schema.format === "uuid") return true;
  const isText = schema.type === "string" && !schema.enum && schema.const === undefined && !schema.format;
  return isText && idNames.test(name) && !(name in ofNoCompany);
}

/** Returns one shape per alternative of the body; each counts as a separate call. */
export function shapesOf(contract: Contract): { body: Schema | undefined }[] {
  const body = schemaOf(contract, "body");
  const shapes = body && choicesOf(body);
  return shapes ? shapes.map((shape) => ({ body: shape })) : [{ body }];
}

export function slotsOf(contract: Contract, body: Schema | undefined): Slot[] {
  const found: Slot[] = [];
  const walk = (part: Part, path: readonly string[], name: string, schema: Schema): void => {
    if (isIdLike(name, schema)) found.push({ part, path, schema });
    for (const choice of choicesOf(schema) ?? []) walk(part, path, name, choice);
    for (const [key, inner] of Object.entries(schema.properties ?? {}))
      walk(part, [...path, key], key, inner);
    if (schema.items) walk(part, [...path, "[]"], name, schema.items);
  };
  for (const part of parts) {
    const schema = part === "body" ? body : schemaOf(contract, part);
    if (schema) walk(part, [], "", schema);
  }
  return found;
}

export const nameOfSlot = ({ part, path }: Slot) => `${part}.${path.join(".").replaceAll(".[]", "[]")}`;

/** Returns the smallest value that fits: only required fields. */
export function example(schema: Schema, name = ""): unknown {
  const [choice] = choicesOf(schema) ?? [];
  if (choice) return example(choice, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, example(schema.properties?.[key] ?? {}, key)]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => example(schema.items ?? {}, name));
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, schema.exclusiveMinimum === undefined ? 0 : 1);
    case "string":
      return exampleText(schema, name);
    default:
      return null;
  }
}

function exampleText({ format, pattern, minLength = 0 }: Schema, name: string): string {
  if (format === "uuid") return randomUUID();
  if (format === "date") return /^(initial|from|start)/.test(name) ? "2026-01-01" : "2027-12-31";
  if (format === "date-time") return "2026-08-12T13:00:00Z";
  if (pattern) return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })[0] ?? "";
  return "abc".padEnd(minLength, "c");
}

/** Fields that a body needs beside a list so that the server reads the list. */
const beside: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "createBatch billets": { type: "BILLET" },
  // A group has rows only where they have that error.
  "fixIssueGroup ids": { code: "payment_date_expired", field: "payment_date" },
};

/** Returns the whole input of a call, with the given ids in their places. */
export function inputOf(
  contract: Contract,
  body: Schema | undefined,
  ids: readonly { slot: Slot; value: string }[],
): Input {
  const input: Input = {};
  for (const part of parts) {
    const schema = part === "body" ? body : schemaOf(contract, part);
    if (!schema) continue;
    const wanted = ids.filter(({ slot }) => slot.part === part);
    input[part] = wanted.reduce<unknown>(
      (value, { slot, value: id }) => put(value, slot.path, id, schema),
      example(schema),
    );
    for (const { slot } of wanted)
      Object.assign(input[part] as object, beside[`${contract.id} ${slot.path[0]}`]);
  }
  return input;
}

/** Puts an id in its place and creates the values around it. */
function put(value: unknown, [key, ...rest]: readonly string[], id: string, schema: Schema): unknown {
  if (key === undefined) return id;
  if (key === "[]") {
    const items = schema.items ?? {};
    const [first] = Array.isArray(value) ? value : [];
    return [put(first ?? example(items), rest, id, items)];
  }
  const holder = schema.properties ? schema : choicesOf(schema)?.find((choice) => choice.properties);
  const inner = holder?.properties?.[key] ?? {};
  const around = (value ?? example(holder ?? schema)) as Record<string, unknown>;
  return { ...around, [key]: put(around[key] ?? example(inner, key), rest, id, inner) };
}

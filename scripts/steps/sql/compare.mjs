/** Compares the declared row with the row that PostgreSQL sends. */
import { SymbolFlags, TypeFlags } from "typescript/unstable/sync";
import { alternativesOf, isUnknown } from "./program.mjs";

/**
 * Result of node-postgres for each PostgreSQL type, with the parsers of platform/db/database.ts.
 * @type {Map<number, string>}
 */
const sent = new Map([
  [16, "boolean"],
  // int8 becomes an exact number; numeric stays a text.
  ...[20, 21, 23, 26, 700, 701].map((oid) => /** @type {const} */ ([oid, "number"])),
  ...[18, 19, 25, 1042, 1043, 1700, 2950, 1082].map((oid) => /** @type {const} */ ([oid, "string"])),
  // Type of a literal without a type, and of a function without a result.
  ...[705, 2278].map((oid) => /** @type {const} */ ([oid, "string"])),
  ...[1114, 1184].map((oid) => /** @type {const} */ ([oid, "Date"])),
  ...[114, 3802].map((oid) => /** @type {const} */ ([oid, "json"])),
  [17, "Buffer"],
  // Includes uuid; each bigint of a list stays a text.
  ...[1009, 1014, 1015, 2951, 1016].map((oid) => /** @type {const} */ ([oid, "string[]"])),
  ...[1005, 1007].map((oid) => /** @type {const} */ ([oid, "number[]"])),
  [1185, "Date[]"],
  [1000, "boolean[]"],
]);

/**
 * @param {import("./program.mjs").Source} source
 * @param {import("typescript/unstable/sync").Type | undefined} row
 * @param {{ name: string, dataTypeID: number }[]} columns
 * @param {(column: any) => boolean | undefined} mayBeNull undefined where unknown
 * @returns {string[]} what differs
 */
export function differences(source, row, columns, mayBeNull) {
  if (!row || isUnknown(row)) return [];
  const declared = declaredBy(source, row);
  const found = [];
  const names = columns.map(({ name }) => name);
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    found.push(`${name} comes twice`);
  for (const [name, property] of declared)
    if (!names.includes(name) && !property.isOptional) found.push(`${name} is declared and does not come`);
  for (const column of columns) {
    const property = declared.get(column.name);
    if (!property) found.push(`${column.name} comes and is not declared`);
    else found.push(...differencesOf(source, column, property, mayBeNull(column)));
  }
  return found;
}

/** Keyed by row, because many statements share one. */
const declaredRows = new WeakMap();

/** @returns {Map<string, { type: any, kinds: Set<string>, isOptional: boolean }>} */
function declaredBy(source, row) {
  const known = declaredRows.get(row);
  if (known) return known;
  const declared = new Map();
  for (const property of source.checker.getPropertiesOfType(row)) {
    const type = source.checker.getTypeOfSymbol(property);
    const kinds = new Set(alternativesOf(type).map((one) => kindOf(source, one)));
    const isOptional = Boolean(property.flags & SymbolFlags.Optional);
    declared.set(property.name, { type, kinds, isOptional });
  }
  declaredRows.set(row, declared);
  return declared;
}

function differencesOf(source, column, { type, kinds: declared, isOptional }, mayBeNull) {
  const { name, dataTypeID } = column;
  if (isUnknown(type)) return [];
  const comes = sent.get(dataTypeID);
  if (!comes) return [`${name} has a type that the check does not know, ${dataTypeID}`];
  const kinds = new Set(declared);
  const isNullable = kinds.delete("null");
  if (isOptional) kinds.delete("undefined");
  const found = [];
  const fits = comes === "json" ? isJson : (kind) => kind === comes;
  if (![...kinds].every(fits))
    found.push(`${name} is declared ${source.checker.typeToString(type)} and comes as ${comes}`);
  if (mayBeNull === true && !isNullable)
    found.push(`${name} may be null and is declared as if it never were`);
  if (mayBeNull === false && isNullable) found.push(`${name} is never null and is declared as if it may be`);
  return found;
}

const isJson = (kind) => !["undefined", "bigint", "Date", "Buffer"].includes(kind);

/** @returns {string} */
function kindOf(source, type) {
  if (type.isIntersectionType()) {
    // A branded number or text.
    const kinds = (type.getTypes() ?? []).map((one) => kindOf(source, one));
    return kinds.find((kind) => kind !== "object") ?? "object";
  }
  const { flags } = type;
  if (flags & (TypeFlags.String | TypeFlags.StringLiteral | TypeFlags.TemplateLiteral)) return "string";
  if (flags & (TypeFlags.Number | TypeFlags.NumberLiteral)) return "number";
  if (flags & (TypeFlags.Boolean | TypeFlags.BooleanLiteral)) return "boolean";
  if (flags & TypeFlags.Null) return "null";
  if (flags & TypeFlags.Undefined) return "undefined";
  if (flags & (TypeFlags.BigInt | TypeFlags.BigIntLiteral)) return "bigint";
  const name = type.getSymbol()?.name;
  if (name === "Date" || name === "Buffer") return name;
  if (source.checker.isArrayType(type) || source.checker.isTupleType(type)) {
    const items = source.checker.getTypeArguments(type);
    if (items.some(isUnknown)) return "object";
    const kinds = new Set(items.flatMap(alternativesOf).map((one) => kindOf(source, one)));
    return kinds.size === 1 ? `${[...kinds][0]}[]` : "object";
  }
  return "object";
}

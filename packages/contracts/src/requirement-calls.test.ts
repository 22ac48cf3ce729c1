/**
 * Browser and server take an address from one contract, so a renamed path breaks neither. Only the pages of
 * requirements name the paths, so the test reads them there.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Base, Contract } from "./contract.ts";
import { contracts } from "./index.ts";

const pages = new URL("../../../docs/requirements/", import.meta.url);
const notRequirements = new Set(["README.md", "audit.md", "decisions.md"]);

/** The API of a call whose requirement is not about the payments API. */
const basesOfArea: Record<string, Base[]> = { VAL: ["contacerta"], CRD: ["cards"] };
const basesOfNumber: Record<string, Base[]> = {
  "SES-036": ["login"],
  "COM-008": ["contacerta"],
  // Two equivalent backends serve the user calls (COM-016).
  "COM-015": ["payments", "contacerta"],
  "COM-022": ["payments", "contacerta"],
  "COM-023": ["payments", "contacerta"],
  "COM-024": ["payments", "contacerta"],
  "DEV-004": ["payments", "contacerta"],
  "SET-022": ["payments", "contacerta"],
  "SET-023": ["contacerta"],
};
/** Requirements that give the path, and the method in words or in another line. */
const namedInWords: readonly [number: string, base: Base, call: string][] = [
  ["COM-021", "payments", "POST user"],
  ["COM-021", "contacerta", "POST user"],
  ["FST-014", "contacerta", "POST /app/settings/twoFactor/secret"],
  ["FST-014", "contacerta", "POST /app/settings/twoFactor"],
  ["TRF-057", "payments", "POST /app/payout_reports"],
];

const callsNamed = readdirSync(pages)
  .filter((page) => page.endsWith(".md") && !notRequirements.has(page))
  .flatMap((page) => readFileSync(new URL(page, pages), "utf8").split("\n"))
  .flatMap((line) => {
    const number = /^- \*\*([A-Z]{3}-\d{3})\*\*/.exec(line)?.[1];
    if (!number) return [];
    const bases = basesOfNumber[number] ?? basesOfArea[number.slice(0, 3)] ?? (["payments"] as const);
    const calls = [...line.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)].map(([, call = ""]) => call);
    return calls.flatMap((call) => bases.map((base) => [number, base, call] as const));
  })
  .concat(namedInWords);

/**
 * Removes variable names, which are not on the wire: `GET user/{id}?a&b[&c]` and the contract's `GET /user/:id` become
 * equal.
 */
const withoutNames = (path: string) => path.replace(/^\/?/, "/").replace(/\{\w+\}|:\w+/g, ":");
function contractOf(base: Base, call: string): Contract | undefined {
  const [, method, path = ""] = /^(\w+) ([^?[]+)/.exec(call) ?? [];
  return contracts.find(
    (one) =>
      one.base === base && one.method === method && withoutNames(one.path) === withoutNames(path.trim()),
  );
}
const queryOf = (call: string) => call.split("?")[1]?.match(/\w+(?=[=&[\]]|$)/g) ?? [];

it("finds the calls that requirements name", () => {
  expect(new Set(callsNamed.map(([number]) => number)).size).toBeGreaterThan(100);
  expect(queryOf("GET /a?initialDate&page[&search][&bankId]")).toEqual([
    "initialDate",
    "page",
    "search",
    "bankId",
  ]);
  expect(queryOf("DELETE /a?also={bool}")).toEqual(["also"]);
});

it.each(callsNamed)("%s is served at %s %s", (_, base, call) => {
  const contract = contractOf(base, call);
  expect(contract).toBeDefined();
  expect(Object.keys(contract?.query?.shape ?? {})).toEqual(expect.arrayContaining(queryOf(call)));
});

import { bases } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { afterEach, expect, it } from "vitest";
import { addressOf } from "./call.ts";

const { dataset } = document.documentElement;
afterEach(() => {
  delete dataset["apis"];
});

/** One call of each API. */
const first = Object.keys(bases).map((base) => {
  const contract = contracts.find((one) => one.base === base && !one.path.includes(":"));
  if (!contract) throw new Error(`${base} has no call`);
  return [base, contract] as const;
});

it.each(first)("SES-035 %s is called at its own address, which differs from all others", (base, contract) => {
  const usual = addressOf(contract, {});
  expect(usual).toBe(`/api/${base}${contract.path}`);
  dataset["apis"] = first.map(([name]) => `${name}=https://${name}.example/v1`).join(" ");
  expect(addressOf(contract, {})).toBe(`https://${base}.example/v1${contract.path}`);
  dataset["apis"] = `${base}=/outro/caminho`;
  expect(addressOf(contract, {})).toBe(`/outro/caminho${contract.path}`);
  // Moving one API moves no other.
  for (const [name, other] of first)
    if (name !== base) expect(addressOf(other, {})).toBe(`/api/${name}${other.path}`);
});

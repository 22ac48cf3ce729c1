import { expect, it } from "vitest";
import { textOrNull } from "./line-of-text.ts";
import { normaliseDestination } from "./transfer.ts";

it.each([
  ["Ana Lima", "Ana Lima"],
  ["  Ana Lima\n", "Ana Lima"],
  ["Ana\tLima", "Ana Lima"],
  ["Lu\u200bz\u202e & Cia\ufeff", "Luz & Cia"],
  ["Eli\ufe0fs\u{e0100}a\u17b4 P\u034fra\u3164do", "Elisa Prado"],
  ["An\ue000a\u{f0000} \ufdd0Li\uffffma", "Ana Lima"],
  ["Ana\u2028Lima", "Ana Lima"],
  ["Jo\0ana", "Jo\0ana"],
  ["\u200b\u202e", null],
  ["", null],
  [null, null],
])("reads %j as %j", (text, line) => expect(textOrNull(text)).toBe(line));

it("removes invisible characters from the name of a payment's receiver", () => {
  const nothing = { taxId: null, email: null, bankIspb: null, agency: null, agencyDigit: null };
  const account = { account: null, accountDigit: null, accountType: null, pixKeyType: null, pixKey: null };
  expect(normaliseDestination({ ...nothing, ...account, name: "E\u200bl\u202etrica Luz" }).name).toBe(
    "Eltrica Luz",
  );
});

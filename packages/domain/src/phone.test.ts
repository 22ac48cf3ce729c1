import { describe, expect, it } from "vitest";
import { formatPhone, isMobile, parsePhone } from "./phone.ts";

describe("phone numbers", () => {
  it.each([
    ["11987654321", "11987654321", "(11) 98765-4321"],
    ["(11) 98765-4321", "11987654321", "(11) 98765-4321"],
    ["+55 11 98765-4321", "11987654321", "(11) 98765-4321"],
    ["5511987654321", "11987654321", "(11) 98765-4321"],
    ["011 98765.4321", "11987654321", "(11) 98765-4321"],
    ["(48) 3241-7788", "4832417788", "(48) 3241-7788"],
    ["+55 48 3241 7788", "4832417788", "(48) 3241-7788"],
    ["048 3241 7788", "4832417788", "(48) 3241-7788"],
    ["5532417788", "5532417788", "(55) 3241-7788"],
    ["0800 123 4567", "08001234567", "0800 123 4567"],
  ])("%s is read as %s and shown as %s", (text, digits, shown) => {
    expect(parsePhone(text)).toBe(digits);
    expect(formatPhone(digits)).toBe(shown);
  });

  it.each([
    "",
    "98765-4321",
    "(10) 98765-4321",
    "(11) 8765-4321",
    "(11) 88765-4321",
    "119876543210",
    "+44 20 7946 0958",
    "11 9876a-4321",
    "0900 123 4567",
  ])("refuse '%s'", (text) => {
    expect(parsePhone(text)).toBeUndefined();
  });

  it("are mobiles with a nine after the area code", () => {
    expect(isMobile("11987654321")).toBe(true);
    expect(isMobile("4832417788")).toBe(false);
    expect(isMobile("08001234567")).toBe(false);
  });

  it("show unreadable text unchanged", () => {
    expect(formatPhone("123")).toBe("123");
  });
});

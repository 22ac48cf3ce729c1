import { describe, expect, it } from "vitest";
import { isStrongPassword, openPasswords } from "./passwords.ts";

describe("a strong password", () => {
  it.each([
    ["Abcdef1!", true],
    ["ção-Ção1", true],
    ["Abcde1!", false],
    ["abcdefg1!", false],
    ["ABCDEFG1!", false],
    ["Abcdefgh!", false],
    ["Abcdefg1", false],
    ["Abcdefg1 ", false],
    ["", false],
    ["😀😀😀aA1", false],
    ["😀😀😀😀😀aA1", true],
  ])("ACC-010 '%s' is strong: %s", (password, strong) => expect(isStrongPassword(password)).toBe(strong));
});

describe("stored passwords", () => {
  const passwords = openPasswords();

  it("are argon2id with the cost that OWASP recommends, and never the same twice", async () => {
    const [one, two] = await Promise.all([passwords.hash("Segredo-1"), passwords.hash("Segredo-1")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.matches(one, "Segredo-1")).toBe(true);
    expect(await passwords.matches(one, "segredo-1")).toBe(false);
  });

  it("are never accepted for an unknown account, whatever the password", async () => {
    expect(await passwords.matches(undefined, "")).toBe(false);
    expect(await passwords.matches(undefined, "Segredo-1")).toBe(false);
  });
});

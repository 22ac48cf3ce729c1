import { describe, expect, it } from "vitest";
import { boundedQueue, isStrongPassword, openPasswords } from "./passwords.ts";

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

  it("are argon2id with the cost OWASP asks for, and never twice the same", async () => {
    const [one, two] = await Promise.all([passwords.hash("Segredo-1"), passwords.hash("Segredo-1")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.matches(one, "Segredo-1")).toBe(true);
    expect(await passwords.matches(one, "segredo-1")).toBe(false);
  });

  it("say no to an account that does not exist, whatever the password", async () => {
    expect(await passwords.matches(undefined, "")).toBe(false);
    expect(await passwords.matches(undefined, "Segredo-1")).toBe(false);
  });
});

describe("the queue", () => {
  /** Work that ends when it is asked. */
  function piece() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { work: () => promise, end: resolve };
  }

  it("refuses one more than may wait, and takes the next when there is room again", async () => {
    const inTurn = boundedQueue(2, 3);
    const pieces = Array.from({ length: 5 }, piece);
    const all = pieces.map(({ work }) => inTurn(work));
    await expect(inTurn(async () => undefined)).rejects.toMatchObject({ code: "too_many_requests" });
    pieces[0]?.end();
    await all[0];
    const late = inTurn(async () => "late");
    for (const { end } of pieces) end();
    expect(await late).toBe("late");
    await Promise.all(all);
  });

  it("never has more at work than it may, and goes on after a failure", async () => {
    const inTurn = boundedQueue(2, 100);
    let atWork = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++atWork);
      await Promise.resolve();
      atWork--;
      throw new Error("fails");
    };
    const ends = await Promise.allSettled(Array.from({ length: 50 }, () => inTurn(work)));
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
    expect(most).toBe(2);
    expect(await inTurn(async () => "still there")).toBe("still there");
  });
});

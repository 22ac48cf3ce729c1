import { expect, it } from "vitest";
import { companySemaphore } from "./company-semaphore.ts";

/** Work that ends on request. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

it("runs a few of a company at a time, takes the next in order, and does not let a company wait for another", async () => {
  const inTurn = companySemaphore(2, 10);
  const begun: string[] = [];
  const pieces = ["a1", "a2", "a3", "a4"].map((name) => ({ name, ...piece() }));
  const all = pieces.map(({ name, work }) =>
    inTurn("a", () => {
      begun.push(name);
      return work();
    }),
  );
  await inTurn("b", async () => void begun.push("b1"));
  expect(begun).toEqual(["a1", "a2", "b1"]);
  pieces[1]?.end();
  await all[1];
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  for (const { end } of pieces) end();
  await Promise.all(all);
  expect(begun.at(-1)).toBe("a4");
});

it("refuses one more than may wait, only of that company", async () => {
  const inTurn = companySemaphore(1, 2);
  const first = piece();
  const all = [
    inTurn("a", first.work),
    inTurn("a", async () => undefined),
    inTurn("a", async () => undefined),
  ];
  await expect(inTurn("a", async () => undefined)).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await inTurn("b", async () => "served")).toBe("served");
  first.end();
  await Promise.all(all);
  expect(await inTurn("a", async () => "room again")).toBe("room again");
});

it("continues after a failure", async () => {
  const inTurn = companySemaphore(1, 10);
  const ends = await Promise.allSettled([
    inTurn("a", () => Promise.reject(new Error("fails"))),
    inTurn("a", async () => "goes on"),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

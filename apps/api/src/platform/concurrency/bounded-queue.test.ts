import { describe, expect, it } from "vitest";
import { boundedQueue } from "./bounded-queue.ts";

describe("the queue", () => {
  /** Work that ends on request. */
  function piece() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { work: () => promise, end: resolve };
  }

  it("refuses one more than may wait, and accepts the next when there is room again", async () => {
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

  it("never runs more than its maximum, and continues after a failure", async () => {
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

import { describe, expect, it } from "vitest";
import {
  correctionAfter,
  grantQueries,
  minutesUntilQuery,
  refilled,
  spareTokens,
} from "./directory-allowance.ts";

describe("the allowance of queries at the Pix directory", () => {
  it.each([
    [500, 0, 500],
    [500, 30_000, 501],
    [500, 3 * 60_000, 506],
    [999, 3 * 60_000, 1_000],
    [500, -60_000, 500],
  ])("grows from %s tokens, %s ms later, to %s", (tokens, elapsedMs, left) => {
    expect(refilled(tokens, elapsedMs)).toBe(left);
  });

  it.each([
    // A query of a person takes one token, down to the last.
    [1_000, 3, 0, 3, 3],
    [2.9, 3, 0, 2, 2],
    [0.9, 1, 0, 0, 0],
    [0, 1, 0, 0, 0],
    // A query that leaves a hundred to people takes twenty tokens until its answer.
    [1_000, 1, 100, 1, 20],
    [120, 1, 100, 1, 20],
    [119.99, 1, 100, 0, 0],
    [1_000, 100, 100, 45, 900],
    [159, 5, 100, 2, 40],
    [40, 1, 100, 0, 0],
    [1_000, 0, 100, 0, 0],
  ])(
    "with %s tokens grants, of %s queries that leave %s, %s that take %s",
    (tokens, wanted, spare, granted, taken) => {
      expect(grantQueries(tokens, wanted, spare)).toEqual({ granted, taken });
    },
  );

  it.each([
    [1, 0, 0, 0],
    [1, 1, 0, -19],
    [1, 0, 100, 19],
    [1, 1, 100, 0],
    [45, 3, 100, 42 * 19],
  ])(
    "after %s queries, %s of them for unknown keys, that leave %s, grows by %s",
    (asked, notFound, spare, change) => {
      expect(correctionAfter({ asked, notFound }, spare)).toBe(change);
    },
  );

  it("costs one for a known key and twenty for an unknown one, with or without tokens reserved for others", () => {
    for (const spare of [0, spareTokens])
      for (const [notFound, cost] of [
        [0, 1],
        [1, 20],
      ] as const) {
        const { granted, taken } = grantQueries(500, 1, spare);
        expect(taken - correctionAfter({ asked: granted, notFound }, spare)).toBe(cost);
      }
  });

  it.each([
    [100, 100, 10],
    [119, 100, 1],
    [119.99, 100, 1],
    [0, 100, 60],
    [0, 0, 1],
    [500, 100, 1],
  ])("with %s tokens permits one more query that leaves %s after %s minutes", (tokens, spare, minutes) => {
    expect(minutesUntilQuery(tokens, spare)).toBe(minutes);
  });
});

import { expect, test } from "@playwright/test";
import { killAgainAndAgain } from "../bench/proofs/kills/run.ts";

/** The short form of the proof of goal R1; `node bench/proofs/kills.ts` is the long one. */
test("loses nothing it acknowledged and pays nothing twice, killed again and again under sixteen clients", async () => {
  test.setTimeout(120_000);
  const report = await killAgainAndAgain({ kills: 6, groupEvery: 5, seed: 7 });
  expect(report.faults).toEqual([]);
  expect(report.plantsMissed, "planted faults nobody noticed").toEqual([]);
  expect(report.orders, "payments the network was given").toBeGreaterThan(20);
});

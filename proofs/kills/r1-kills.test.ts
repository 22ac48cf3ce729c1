import { proof } from "../proof.ts";
import { killAgainAndAgain } from "./run.ts";

const readyP99MsMax = 2_000;

proof(
  "R1",
  "loses nothing it acknowledged and pays nothing twice, killed at any moment under sixteen clients",
  { unit: "kills", short: 6, reduced: 60, full: 1_000 },
  async ({ count, size, seed, tell }) => {
    const report = await killAgainAndAgain({ kills: count, groupEvery: 5, seed, tell });
    const faults = [...report.faults];
    // A few kills on a machine that runs other tests too say nothing about the slowest start.
    if (size !== "short" && report.readyMs.p99 > readyP99MsMax)
      faults.push(`ready again after ${Math.round(report.readyMs.p99)} ms at p99`);
    return {
      faults,
      figures: {
        acknowledged: report.acknowledged,
        orders: report.orders,
        ready_p99_ms: Math.round(report.readyMs.p99),
      },
      planted: { count: report.planted, missed: report.plantsMissed },
    };
  },
);

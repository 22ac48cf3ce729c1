import { proof } from "../proof.ts";
import { killAgainAndAgain } from "./run.ts";

proof(
  "R1",
  "loses nothing acknowledged and pays nothing twice when it is killed at any moment under sixteen clients",
  { unit: "kills", short: 2, reduced: 40, full: 1_000 },
  killAgainAndAgain,
);

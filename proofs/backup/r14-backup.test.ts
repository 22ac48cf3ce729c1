import { proof } from "../proof.ts";
import { backUpAndRestore } from "./back-up-and-restore.ts";

proof(
  "R14",
  "moves a working installation completely from the embedded PostgreSQL to another one",
  { unit: "backups", short: 1, reduced: 3, full: 10 },
  backUpAndRestore,
);

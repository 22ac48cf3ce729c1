import { aroundFaults } from "./faults/around.ts";
import { batchFaults } from "./faults/batches.ts";
import { blockFaults } from "./faults/blocks.ts";
import { controlFaults } from "./faults/controls.ts";
import { ledgerFaults } from "./faults/ledger.ts";
import { paymentFaults } from "./faults/payments.ts";
import { stepFaults } from "./faults/steps.ts";

/** Faults that R15 counts. */
export const faults = [
  ...ledgerFaults,
  ...batchFaults,
  ...paymentFaults,
  ...controlFaults,
  ...blockFaults,
  ...aroundFaults,
  ...stepFaults,
];

/** What the boot, the worker and the operator may ask of payments on their way. */

export {
  closeRailDeadLetter,
  countDeadLetters,
  listRailDeadLetters,
  type RailDeadLetter,
} from "./dead-letter-events.ts";
export { askAboutSilentPayments, companiesWithSilentPayments } from "./find-silent-payments.ts";
export { handleEvents, retryDeadLetters } from "./handle-events.ts";
export {
  findPaymentWithoutOutcome,
  keepOperatorOutcome,
  type OperatorOutcome,
} from "./outcome-by-operator.ts";
export { sendDuePayments } from "./send-payments.ts";

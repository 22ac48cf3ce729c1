/** Public functions of payments under way, for the boot, the worker and the operator. */

export {
  closeRailDeadLetter,
  listRailDeadLetters,
  type RailDeadLetter,
} from "./dead-letter-store.ts";
export { countDeadLetters } from "./dead-letters.ts";
export { askAboutSilentPayments } from "./find-silent-payments.ts";
export { handleEvents, retryDeadLetters } from "./handle-events.ts";
export { listNetworkFiles, type NetworkFile } from "./network-file-store.ts";
export { saveNetworkFile } from "./network-files.ts";
export { type OperatorOutcome, recordOperatorOutcome } from "./outcome-by-operator.ts";
export type { ReportHandlers } from "./receive-reports.ts";
export { sendDuePayments } from "./send-payments.ts";
export { webhookRoutes } from "./webhook.ts";

/** What the boot and the worker may ask of payments on their way. */

export { countDeadLetters } from "./dead-letter-events.ts";
export { askAboutSilentPayments, companiesWithSilentPayments } from "./find-silent-payments.ts";
export { handleEvents, retryDeadLetters } from "./handle-events.ts";
export { sendDuePayments } from "./send-payments.ts";

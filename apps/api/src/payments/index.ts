/** What the boot and the worker may ask of payments on their way. */

export { countAside } from "./aside.ts";
export { askAboutSilentPayments, companiesWithSilentPayments } from "./ask-again.ts";
export { hearAgain, hearEvents } from "./hear-events.ts";
export { orphanAfterMs, sendDuePayments } from "./send-payments.ts";
export { wakePayments } from "./store.ts";

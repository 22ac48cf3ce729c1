/** What the boot and the worker may ask of contestations. */
export { handleInfractionEvent } from "./handle-event.ts";
export { collectRefunds } from "./refunds.ts";

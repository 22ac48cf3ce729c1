/** Public functions of contestations, for the boot and the worker. */
export { handleInfractionEvent } from "./handle-event.ts";
export { collectRefunds } from "./refunds.ts";

/** Public functions of contestations, for the boot, the worker and approved requests. */
export { executeInfractions } from "./answer.ts";
export { handleInfractionEvent } from "./handle-event.ts";
export { collectRefunds } from "./refunds.ts";
export { findInfractionsOfPix } from "./store.ts";

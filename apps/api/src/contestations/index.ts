/** What the boot, the worker and the simulator may ask of contestations. */
export { keepInfractionDeadlines } from "./deadlines.ts";
export { handleInfractionEvent } from "./handle-event.ts";
export { collectRefunds } from "./refunds.ts";
export { wakeAnswers } from "./store.ts";

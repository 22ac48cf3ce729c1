/**
 * Options of a worker thread that processes files for minutes: it starts with low priority, so that request handling
 * comes first. Loading its modules alone takes a fifth of a second.
 */
export const lowPriorityThread = {
  execArgv: ["--import", new URL("./lower-priority.ts", import.meta.url).href],
};

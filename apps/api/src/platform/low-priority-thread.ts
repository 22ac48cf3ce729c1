/**
 * For a worker thread that works through files for minutes: it lets those go first that answer people, and from its first
 * moment, since reading its own modules is a fifth of a second of work.
 */
export const lowPriorityThread = {
  execArgv: ["--import", new URL("./lower-priority.ts", import.meta.url).href],
};

import { createLog, type Log } from "../platform/log.ts";

/** Returns a log with readable lines. */
export function readableLog(level = "info"): { log: Log; lines(message?: string): Line[]; text(): string } {
  let written = "";
  const log = createLog(level, {
    write(line) {
      written += line;
    },
  });
  const all = () => written.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
  return {
    log,
    text: () => written,
    lines: (message) => all().filter((line) => message === undefined || line["msg"] === message),
  };
}

export type Line = Record<string, unknown>;

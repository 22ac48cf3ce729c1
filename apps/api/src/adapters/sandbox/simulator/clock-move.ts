/** Where a wished move of the clock leads. */
import type { moveClock } from "@malote/contracts/simulator";
import { addDays, nextBusinessDay, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import type * as z from "zod";

type ClockMove = Exclude<z.output<typeof moveClock.body>, { to: "real_time" }>;

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** One move leads at most this far: years of due work at once are a slip of the finger. */
const furthestMs = 366 * 24 * hourMs;

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The instant to move to; undefined when there is no such time, it has passed, or it lies too far ahead. */
export function targetOfMove(move: ClockMove, now: Date): Date | undefined {
  if ("time" in move && !timeOfDay.test(move.time)) return undefined;
  const target = wished(move, now);
  const ahead = target.getTime() - now.getTime();
  return ahead >= 0 && ahead <= furthestMs ? target : undefined;
}

function wished(move: ClockMove, now: Date): Date {
  const today = saoPauloDate(now);
  if ("to" in move) return new Date(startOfDay(nextBusinessDay(today)).getTime() + 8 * hourMs);
  if ("advance_ms" in move) return new Date(now.getTime() + move.advance_ms);
  if ("instant" in move) return new Date(move.instant);
  const [hours = 0, minutes = 0] = move.time.split(":").map(Number);
  const sinceMidnight = hours * hourMs + minutes * minuteMs;
  const comesToday = new Date(startOfDay(today).getTime() + sinceMidnight);
  if (comesToday > now) return comesToday;
  return new Date(startOfDay(addDays(today, 1)).getTime() + sinceMidnight);
}

/** Computes the target of a requested move of the clock. */
import type { moveClock } from "@malote/contracts/simulator";
import { addDays, nextBusinessDay, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { dayMs, hourMs, minuteMs } from "@malote/domain/durations";
import type * as z from "zod";

type ClockMove = z.output<typeof moveClock.body>;

/** Furthest target of one move: a jump of years would be an input error, and all its work would be due at once. */
const furthestMs = 366 * dayMs;

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the target instant; `out_of_reach` for an invalid time of day or a target that is too far ahead. */
export function targetOfMove(move: ClockMove, now: Date): Date | "has_passed" | "out_of_reach" {
  if ("time" in move && !timeOfDay.test(move.time)) return "out_of_reach";
  const target = wished(move, now);
  if (target < now) return "has_passed";
  return target.getTime() - now.getTime() <= furthestMs ? target : "out_of_reach";
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

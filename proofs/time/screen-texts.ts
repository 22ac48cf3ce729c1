/** Entry of a process that acts as a browser in another time zone: formats its input as the screens do. */
import { readFileSync } from "node:fs";
import {
  currentMonth,
  daysOfMonth,
  formatDate,
  formatDateTime,
  formatMonth,
  formatNear,
  todayIn,
} from "../../apps/web/src/ui/format.ts";

const plant = process.argv[2];
const texts: string[] = [];
const instants = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
const dates = /(?<=")\d{4}-\d{2}-\d{2}(?=")/g;
const recorded = readFileSync(0, "utf8").replaceAll("\\", "");
for (const [instant] of recorded.matchAll(instants)) {
  const moment = new Date(instant);
  const soon = new Date(moment.getTime() + 3 * 3_600_000);
  texts.push(
    [
      formatDate(instant),
      formatDateTime(instant),
      formatNear(instant, moment),
      formatNear(instant, soon),
      todayIn(moment),
      formatMonth(currentMonth(moment)),
      JSON.stringify(daysOfMonth(currentMonth(moment))),
    ].join(" | "),
  );
  if (plant === "the browser's own zone") texts.push(moment.toLocaleDateString("pt-BR"));
}
for (const [date] of recorded.matchAll(dates)) texts.push(formatDate(date));
process.stdout.write(texts.join("\n"));

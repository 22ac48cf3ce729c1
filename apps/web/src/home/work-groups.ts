/** Queue of work by deadline: the item that expires first comes first. */
import type { WorkItem } from "@malote/contracts/home";
import { addDays, type CalendarDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { timeLeft } from "./work-words.ts";

export interface WorkGroup {
  title: string;
  /** Text beside the title. */
  note: string | null;
  items: WorkItem[];
}

/** Empty groups are left out. */
export function groupsOf(items: readonly WorkItem[], now: Date): WorkGroup[] {
  const today = saoPauloDate(now);
  const week = addDays(today, 7);
  const groups = new Map<string, WorkGroup>();
  const order: string[] = [];
  for (const item of items) {
    const { title, note } = placeOf(item, now, today, week);
    let group = groups.get(title);
    if (!group) {
      group = { title, note, items: [] };
      groups.set(title, group);
      order.push(title);
    }
    group.items.push(item);
  }
  return [...groups.values()].sort((one, other) => rankOf(one.title) - rankOf(other.title));
}

const later = ["Hoje", "Esta semana", "Depois"];
/** Hours of today come in their own order, before the rest. */
const rankOf = (title: string) => later.indexOf(title);

function placeOf(item: WorkItem, now: Date, today: CalendarDate, week: CalendarDate) {
  const due = item.due_at === null ? undefined : new Date(item.due_at);
  const day = due && saoPauloDate(due);
  // Only the banks' cut-offs have an hour; any other deadline is the end of the day.
  if (due && day === today && (item.kind === "approve_batch" || item.kind === "fund_batch")) {
    const [hours, minutes] = saoPauloTime(due).split(":");
    return {
      title: `Antes das ${hours}h${minutes}`,
      note: `para a TED sair hoje · ${timeLeft(due.toISOString(), now)}`,
    };
  }
  // An item without deadline waits for the person already.
  if (!day || day <= today || item.kind === "first_steps") return { title: "Hoje", note: null };
  return { title: day <= week ? "Esta semana" : "Depois", note: null };
}

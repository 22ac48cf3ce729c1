/** The queue by deadline: what stops being possible first stands first. */
import type { WorkItem } from "@malote/contracts/home";
import { addDays, type CalendarDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { timeLeft } from "./work-words.ts";

export interface WorkGroup {
  title: string;
  /** Text beside the title. */
  note: string | null;
  items: WorkItem[];
}

/** Groups without anything in them are left out. */
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
/** Hours of this day come in their own order, before the rest. */
const rankOf = (title: string) => later.indexOf(title);

function placeOf(item: WorkItem, now: Date, today: CalendarDate, week: CalendarDate) {
  const due = item.due_at === null ? undefined : new Date(item.due_at);
  const day = due && saoPauloDate(due);
  // Only banks' hours are hours of a day: everything else that ends today ends with it.
  if (due && day === today && (item.kind === "approve_batch" || item.kind === "fund_batch")) {
    const [hours, minutes] = saoPauloTime(due).split(":");
    return {
      title: `Antes das ${hours}h${minutes}`,
      note: `para a TED sair hoje · ${timeLeft(due.toISOString(), now)}`,
    };
  }
  // Without a deadline it waits for the person already.
  if (!day || day <= today || item.kind === "first_steps") return { title: "Hoje", note: null };
  return { title: day <= week ? "Esta semana" : "Depois", note: null };
}

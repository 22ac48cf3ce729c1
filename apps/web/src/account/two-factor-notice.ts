import type { CalendarDate } from "@malote/domain/calendar";

/** FST-020: `29/07` becomes the next 29 July, with its year: a past day would warn about nothing. */
export function twoFactorNotice(text: string | null, today: CalendarDate): string | null {
  if (text === null) return null;
  return text.replace(/\b(\d{2})\/(\d{2})\b(?!\/)/, (_, day: string, month: string) => {
    const year = Number(today.slice(0, 4));
    const isOver = `${month}-${day}` < today.slice(5);
    return `${day}/${month}/${isOver ? year + 1 : year}`;
  });
}

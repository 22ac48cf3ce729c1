/** FST-020: `29/07` becomes the next 29 July there is, with its year: a day that is over would frighten nobody into anything. */
export function twoFactorNotice(text: string | null, now: Date): string | null {
  if (text === null) return null;
  return text.replace(/\b(\d{2})\/(\d{2})\b(?!\/)/, (_, day: string, month: string) => {
    const year = now.getFullYear();
    const isOver = new Date(year, Number(month) - 1, Number(day), 23, 59, 59) < now;
    return `${day}/${month}/${isOver ? year + 1 : year}`;
  });
}

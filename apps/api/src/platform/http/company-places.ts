/** How many of one kind of call a company has open in this process; the next is refused, not kept waiting. */
import type { AppError } from "../app-error.ts";

/** Takes a place, or throws what `full` makes. Answers how to give it back, which is done once. */
export function companyPlaces(max: number, full: () => AppError): (companyId: string) => () => void {
  const open = new Map<string, number>();
  return (companyId) => {
    const others = open.get(companyId) ?? 0;
    if (others >= max) throw full();
    open.set(companyId, others + 1);
    return () => {
      const left = (open.get(companyId) ?? 1) - 1;
      if (left > 0) open.set(companyId, left);
      else open.delete(companyId);
    };
  };
}

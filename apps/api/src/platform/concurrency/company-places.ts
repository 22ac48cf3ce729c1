/** Places for open calls of one kind, per company and process; a call without a place is refused and does not wait. */
import type { AppError } from "../app-error.ts";

/** Takes a place or throws the error of `full`. Returns the function that releases it; call it once. */
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

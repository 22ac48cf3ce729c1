import { readStatement } from "@malote/contracts/statement";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { daysOfMonth, type Month } from "../ui/format.ts";

export const statementKeys = {
  all: ["statement"] as const,
  page: (month: Month, page: number) => [...statementKeys.all, month, page] as const,
};

/** `page` is counted from 0 here and sent plus one (STM-016). */
export function statementQuery(month: Month, page: number) {
  return queryOptions({
    queryKey: statementKeys.page(month, page),
    queryFn: ({ signal }) =>
      call(readStatement, { query: { ...daysOfMonth(month), page: page + 1 }, signal }),
    placeholderData: keepPreviousData,
  });
}

import { usePageSearch } from "../shell/use-page-search.ts";
import { currentMonth, daysOfMonth, isMonth, type Month } from "../ui/format.ts";

/** Value in the address bar for each status, in the order of the menu. */
export type StatusWords<Status extends string> = Readonly<Record<string, { status: Status; label: string }>>;

export interface PaymentFilters<Status extends string> {
  month: Month;
  status: Status | null;
  search: string;
  /** The bank's ISPB. */
  bankId: string | null;
}

/** Returns the filter as the calls over all batches take it (TRF-051, BIL-032). */
export function filterQuery<Status extends string>({
  month,
  status,
  search,
  bankId,
}: PaymentFilters<Status>) {
  return {
    ...daysOfMonth(month),
    ...(status && { status }),
    ...(search && { search }),
    ...(bankId && { bankId }),
  };
}

/** Address parameters of a page over all batches: filters, page and open payment. */
export function usePaymentsSearch<Status extends string>(words: StatusWords<Status>) {
  const [search, change] = usePageSearch((raw) => ({
    mes: isMonth(raw["mes"]) ? raw["mes"] : currentMonth(),
    status: raw["status"] && Object.hasOwn(words, raw["status"]) ? raw["status"] : null,
    busca: raw["busca"]?.slice(0, 100) ?? "",
    banco: /^\d{8}$/.test(raw["banco"] ?? "") ? (raw["banco"] ?? null) : null,
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    /** Payment that is open above the page. */
    detalhe: raw["detalhe"] ?? null,
    /** Batch that is open above the page. */
    lote: raw["lote"],
  }));
  const filters: PaymentFilters<Status> = {
    month: search.mes,
    status: search.status ? (words[search.status]?.status ?? null) : null,
    search: search.busca,
    bankId: search.banco,
  };
  const isFiltered = Boolean(search.busca || search.status || search.banco || search.mes !== currentMonth());
  return { ...search, filters, isFiltered, change };
}
export type PaymentsSearch<Status extends string> = ReturnType<typeof usePaymentsSearch<Status>>;

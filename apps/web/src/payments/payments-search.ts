import { useLayerSearch } from "../shell/layer-search.ts";
import { useListSearch } from "../shell/list-search.ts";
import { choice, matching, month, opaque, pageNumber, text } from "../shell/search-params.ts";
import { daysOfMonth, type Month } from "../ui/format.ts";

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
export const paymentsSearch = (words: StatusWords<string>) => ({
  busca: text(),
  status: choice(Object.keys(words)),
  banco: matching(/^\d{8}$/),
  mes: month,
  pagina: pageNumber,
  /** Payment that is open above the page. */
  detalhe: opaque,
});

export function usePaymentsSearch<Status extends string>(
  params: ReturnType<typeof paymentsSearch>,
  words: StatusWords<Status>,
) {
  const search = useListSearch(params);
  const [{ lote }, changeLayer] = useLayerSearch();
  const { mes, status, busca, banco } = search.values;
  const filters: PaymentFilters<Status> = {
    month: mes,
    status: status ? (words[status]?.status ?? null) : null,
    search: busca,
    bankId: banco,
  };
  return { ...search, filters, openBatch: lote, onBatch: (id: string) => changeLayer({ lote: id }) };
}
export type PaymentsSearch<Status extends string> = ReturnType<typeof usePaymentsSearch<Status>>;

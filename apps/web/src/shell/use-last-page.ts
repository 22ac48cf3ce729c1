import { useEffect } from "react";

interface Listed {
  data: { metadata: { pagination: { itemsPerPage: number; totalItems: number } } } | undefined;
  isPlaceholderData: boolean;
}

/**
 * Corrects the page in the address when the last rows of the last page were deleted, or an old address names a page
 * that no longer exists. `page` counts from 1, as addresses do; null is the first.
 */
export function useLastPage(
  { data, isPlaceholderData }: Listed,
  page: number,
  change: (patch: { pagina: number | null }, options: { replace: boolean }) => void,
): void {
  const { itemsPerPage = 1, totalItems = 0 } = data?.metadata.pagination ?? {};
  const isKnown = data !== undefined && !isPlaceholderData;
  const last = Math.max(1, Math.ceil(totalItems / itemsPerPage));
  useEffect(() => {
    if (isKnown && page > last) change({ pagina: last === 1 ? null : last }, { replace: true });
  }, [isKnown, last, page, change]);
}

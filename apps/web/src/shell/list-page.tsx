import { type ComponentProps, type ReactNode, useEffect, useEffectEvent } from "react";
import { Button } from "../ui/button.tsx";
import { CursorPager } from "../ui/cursor-pager.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { ListFaces } from "./list-faces.tsx";
import type { ListPlace } from "./list-search.ts";

interface Numbers {
  itemsPerPage: number;
  totalItems: number;
}

interface Cursors {
  previous: string | null;
  next: string | null;
  /** On this page. */
  rowsCount: number;
}

interface ListPageProps<List> extends Omit<ComponentProps<typeof ListFaces<List>>, "children"> {
  search: ListPlace;
  /** Title, and what stands between it and the filters. */
  header?: ReactNode;
  /** Search field first, then the other filters. */
  filters?: ReactNode;
  /** Replaces the list for filters that find nothing without a call. */
  instead?: ReactNode;
  /** How many rows the filters find; undefined when the answer has cursors. */
  numbered?: (list: List) => Numbers | undefined;
  cursors?: (list: List) => Cursors;
  /** Choice of the rows per page, beside the cursors. */
  size?: ComponentProps<typeof CursorPager>["size"];
  /** Place of the answer, when the call follows the address with a pause; the address's own when left out. */
  asked?: Pick<ListPlace, "page" | "cursor">;
  /** Content below the rows, around the buttons of the pages. */
  foot?: (pages: ReactNode) => ReactNode;
  /** Rows; the key names the page they are on. */
  children: (list: List, key: string) => ReactNode;
}

/** A list whose filters and place are in the address: its title, its filters, its faces and its pages. */
export function ListPage<List>(props: ListPageProps<List>) {
  const { search, header, filters, instead, numbered, cursors, size, asked, foot, children, ...faces } =
    props;
  useKnownPlace({ ...props, asked: asked ?? search });

  function pagesOf(list: List) {
    const numbers = numbered?.(list);
    if (numbers) {
      return <Pagination {...numbers} page={search.page - 1} onPage={(page) => search.toPage(page + 1)} />;
    }
    if (!cursors) return null;
    const { previous, next } = cursors(list);
    return (
      <CursorPager
        previous={previous}
        next={next}
        onCursor={(to) => search.toCursor(to)}
        {...(size && { size })}
      />
    );
  }
  return (
    <>
      {header}
      {filters ? (
        <FilterBar>
          {filters}
          {search.isFiltered ? (
            <Button look="quiet" size="sm" onClick={() => search.clear()}>
              Limpar filtros
            </Button>
          ) : null}
        </FilterBar>
      ) : null}
      {instead ?? (
        <ListFaces {...faces}>
          {(list) => (
            <>
              {children(list, search.key)}
              {foot ? foot(pagesOf(list)) : pagesOf(list)}
            </>
          )}
        </ListFaces>
      )}
    </>
  );
}

type KnownPlace<List> = Pick<ListPageProps<List>, "query" | "search" | "numbered" | "cursors"> & {
  asked: Pick<ListPlace, "page" | "cursor">;
};

/**
 * Corrects the place in the address when the rows of the last page were deleted, or an old address names a place that
 * no longer exists: the last page opens, or the first of a list with cursors.
 */
function useKnownPlace<List>({ query, search, asked, numbered, cursors }: KnownPlace<List>): void {
  const list = query.isPlaceholderData ? undefined : query.data;
  const numbers = list === undefined ? undefined : numbered?.(list);
  const last = numbers ? Math.max(1, Math.ceil(numbers.totalItems / numbers.itemsPerPage)) : undefined;
  const lastPage = last !== undefined && asked.cursor === undefined && asked.page > last ? last : undefined;
  const isCursorLost = asked.cursor !== undefined && list !== undefined && cursors?.(list).rowsCount === 0;
  const correct = useEffectEvent(() => {
    if (lastPage !== undefined) search.toPage(lastPage, { replace: true });
    if (isCursorLost) search.toCursor(undefined, { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place is corrected once, as its answer arrives
  useEffect(() => correct(), [lastPage, isCursorLost]);
}

import type { PatchOf, SearchParams } from "./search-params.ts";
import { usePageSearch } from "./use-page-search.ts";

interface ChangeOptions {
  replace?: boolean;
}

/** What the frame of a list needs of its address. */
export interface ListPlace {
  /** True when a filter differs from its default. */
  isFiltered: boolean;
  /** Removes the filters, and opens the first page. */
  clear: () => void;
  /** Page number, counted from 1. */
  page: number;
  /** Place in a list that has no page numbers. */
  cursor: string | undefined;
  toPage: (page: number, options?: ChangeOptions) => void;
  /** Without a cursor the first page opens. */
  toCursor: (cursor: string | undefined, options?: ChangeOptions) => void;
  /** Names the rows that the address asks for: what belongs to one page, as its selection, begins anew with the key. */
  key: string;
}

/** Filters and place of a list, in the address of its page. Another filter opens the first page of what it finds. */
export function useListSearch<Params extends SearchParams>(params: Params) {
  const [values, change] = usePageSearch(params);
  const given: Readonly<Record<string, unknown>> = values;
  const named = (role: string) => Object.keys(params).filter((name) => params[name]?.role === role);
  const nothing = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, null])) as PatchOf<Params>;
  const filters = named("filter");
  const places = [...named("page"), ...named("cursor")];
  const [pageName] = named("page");
  const [cursorName] = named("cursor");
  const first = nothing(places);
  const cursor = cursorName && given[cursorName];
  const place: ListPlace = {
    isFiltered: filters.some((name) => String(given[name]) !== String(params[name]?.absent())),
    clear: () => change({ ...nothing(filters), ...first }),
    page: pageName ? Number(given[pageName]) : 1,
    cursor: typeof cursor === "string" ? cursor : undefined,
    toPage: (page, options) =>
      change({ ...first, ...(pageName && page > 1 && { [pageName]: page }) }, options),
    toCursor: (to, options) => change({ ...first, ...(cursorName && to && { [cursorName]: to }) }, options),
    key: JSON.stringify([...filters, ...places, ...named("size")].map((name) => given[name])),
  };
  return {
    ...place,
    values,
    change,
    filter: (patch: PatchOf<Params>, options?: ChangeOptions) => change({ ...first, ...patch }, options),
    /** Removes all other filters. */
    filterOnly: (patch: PatchOf<Params>) => change({ ...nothing(filters), ...first, ...patch }),
  };
}

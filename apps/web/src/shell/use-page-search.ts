import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { type PatchOf, readValues, type SearchParams, type ValuesOf } from "./search-params.ts";

interface ChangeOptions {
  /** Adds no history entry. */
  replace?: boolean;
}

/**
 * Filters, page and open record live in the address bar: its values, with the defaults of those it lacks, and a
 * function that changes them. Reads the location and not the route's match, which waits for the guards: a filter shows
 * at once what was chosen.
 */
export function usePageSearch<Params extends SearchParams>(
  params: Params,
): [ValuesOf<Params>, (patch: PatchOf<Params>, options?: ChangeOptions) => void] {
  const search = useLocation({ select: (location) => location.search });
  const navigate = useNavigate();
  const change = useCallback(
    (patch: PatchOf<Params>, { replace = false }: ChangeOptions = {}) => {
      const written = Object.entries(patch).map(([name, value]) => [name, value ?? undefined]);
      void navigate({
        to: ".",
        search: (before) => ({ ...before, ...Object.fromEntries(written) }),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [readValues(params, search), change];
}

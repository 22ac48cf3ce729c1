import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

type Raw = Record<string, string | undefined>;

/**
 * Filters, page and open record live in the address bar. `read` turns its text into values with the page's defaults; a
 * change writes only what differs. Each change adds a history entry unless `replace` is set.
 */
export function usePageSearch<Values extends object>(
  read: (raw: Raw) => Values,
): [
  Values,
  (patch: Partial<Record<keyof Values, string | number | null>>, options?: { replace?: boolean }) => void,
] {
  const raw = useLocation({ select: (location) => location.search as Raw });
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Partial<Record<keyof Values, string | number | null>>, options: { replace?: boolean } = {}) => {
      const written = Object.entries(patch).map(([name, value]) => [
        name,
        value === null ? undefined : String(value),
      ]);
      void navigate({
        to: ".",
        search: ((before: Raw) => ({ ...before, ...Object.fromEntries(written) })) as never,
        replace: options.replace ?? false,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [read(raw), change];
}

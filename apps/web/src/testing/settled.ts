import type { QueryKey } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";
import type { renderApp } from "./render-app.tsx";

/**
 * The page is there, these reads have their answers, and nothing is under way, also of what those answers led to: a
 * further read, or a part that is loaded when it is asked for. What is absent now is not only late.
 */
export async function settled({ queryClient }: ReturnType<typeof renderApp>, ...reads: QueryKey[]) {
  await screen.findByRole("heading", { level: 1 });
  const isQuiet = () =>
    waitFor(() => {
      for (const queryKey of reads) expect(queryClient.getQueryState(queryKey)?.status).toBe("success");
      expect(queryClient.isFetching()).toBe(0);
    });
  await isQuiet();
  // Each time a turn passes as well, in which effects begin what comes next.
  await act(() => vi.dynamicImportSettled());
  await isQuiet();
  await act(() => vi.dynamicImportSettled());
}

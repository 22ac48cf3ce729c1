import type { QueryKey } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";
import type { renderApp } from "./render-app.tsx";

/**
 * Waits until the page is shown, these reads are answered, and nothing is pending, also after those answers: a further
 * read, or a part loaded on demand. An element that is absent then is not only late.
 */
export async function settled({ queryClient }: ReturnType<typeof renderApp>, ...reads: QueryKey[]) {
  await screen.findByRole("heading", { level: 1 });
  const isQuiet = () =>
    waitFor(() => {
      for (const queryKey of reads) expect(queryClient.getQueryState(queryKey)?.status).toBe("success");
      expect(queryClient.isFetching()).toBe(0);
    });
  await isQuiet();
  // Each step also lets one turn pass, in which effects start the next request.
  await act(() => vi.dynamicImportSettled());
  await isQuiet();
  await act(() => vi.dynamicImportSettled());
}

import type { QueryKey } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import type { renderApp } from "./render-app.tsx";

/**
 * The page is there, these reads have their answers, and none is under way: what is absent now is not only late. A
 * part that is loaded when it is asked for can still be late; a test that expects none imports it beforehand.
 */
export async function settled({ queryClient }: ReturnType<typeof renderApp>, ...reads: QueryKey[]) {
  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => {
    for (const queryKey of reads) expect(queryClient.getQueryState(queryKey)?.status).toBe("success");
    expect(queryClient.isFetching()).toBe(0);
  });
}

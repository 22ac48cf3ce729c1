import { QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

const triesMax = 2;

/** No answer, or a server getting back on its feet: worth another try. A refusal stays a refusal. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < triesMax && error instanceof CallError && (error.status === 0 || error.status === 503);
}

/**
 * For a record that a form opens on. A form takes what it was opened with: never what was kept of an earlier look, whose
 * fresh reading ended with the form before and which would be written back over that form's own save.
 */
export const notKept = { gcTime: 0 } as const;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a call is tried and fails with a message (SES-065), instead of waiting for the network.
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        retry: isWorthRetrying,
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      // Money is never sent twice by itself, nor later when the network is back: the person decides, with the same key.
      mutations: { networkMode: "always", retry: false },
    },
  });
}

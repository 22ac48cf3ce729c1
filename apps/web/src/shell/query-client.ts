import { QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

const triesMax = 2;

/** Retries when no answer came or the server is restarting. A refusal is final. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < triesMax && error instanceof CallError && (error.status === 0 || error.status === 503);
}

/**
 * Options of a record that a form opens on. The form must not open with a cached record while a fresh read is in
 * flight: it would later write the stale values over its own earlier save.
 */
export const notKept = { gcTime: 0 } as const;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a call fails with a message (SES-065), instead of waiting for the network.
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        retry: isWorthRetrying,
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      // Requests that move money are never retried automatically, nor when the network returns: the person
      // decides, with the same key.
      mutations: { networkMode: "always", retry: false },
    },
  });
}

import { QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

const triesMax = 2;

/** No answer, or a server getting back on its feet: worth another try. A refusal stays a refusal. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < triesMax && error instanceof CallError && (error.status === 0 || error.status === 503);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: true },
      // Money is never sent twice by itself: the person decides, with the same idempotency key.
      mutations: { retry: false },
    },
  });
}

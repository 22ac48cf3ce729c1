import type { QueryClient } from "@tanstack/react-query";
import { readSession, subscribeToSession } from "./session.ts";
import { leaveToLogin } from "./session-keeper.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

/**
 * Clears the cache when person or application change: no data of the previous one may stay on screen or in memory
 * (SES-078). Returns a function that stops it.
 */
export function forgetDataOfOthers(queryClient: QueryClient): () => void {
  let owner = ownerOf();
  return subscribeToSession(() => {
    const next = ownerOf();
    if (next === owner) return;
    const leftElsewhere = owner !== "" && next === "";
    owner = next;
    // Unsent input on this page is kept: the next refused call asks to sign in again over it.
    if (leftElsewhere && !hasUnsavedWork()) void leaveToLogin("fim");
    if (!leftElsewhere) queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== "brand" });
  });
}

function ownerOf(): string {
  const session = readSession();
  return session ? `${session.sub} ${session.company.id} ${session.application.id}` : "";
}

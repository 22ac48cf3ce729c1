import { type ChangeTopic, watchChanges } from "@malote/contracts/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { may, useSession } from "../shell/session.ts";
import { readAgain, readChanges } from "./follow-changes.ts";

/** A batch of a hundred thousand payments changes all the time: minimum interval between two reads of a page. */
const readAgainEveryMs = 2_000;
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/** Follows the company's changes while the page is visible; a hidden page reads again when the person returns. */
export function ChangeWatcher() {
  const mayFollow = may(watchChanges, useSession());
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!mayFollow) return;
    let current: AbortController | undefined;
    let failures = 0;
    const changed = new Set<ChangeTopic>();
    let planned: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;

    function note(topics: readonly ChangeTopic[]) {
      failures = 0;
      for (const topic of topics) changed.add(topic);
      planned ??= setTimeout(() => {
        planned = undefined;
        readAgain(queryClient, [...changed]);
        changed.clear();
      }, readAgainEveryMs);
    }
    async function follow() {
      if (current || document.visibilityState === "hidden") return;
      const own = new AbortController();
      current = own;
      const wait = await readChanges(note, own.signal).catch(
        // Backs off exponentially, for a proxy that refuses the stream and for a lost network.
        () => Math.min(longestPauseMs, firstPauseMs * 2 ** failures++),
      );
      if (current !== own) return;
      current = undefined;
      again = setTimeout(() => void follow(), wait);
    }
    function leave() {
      clearTimeout(again);
      current?.abort();
      current = undefined;
    }
    const onVisibility = () => (document.visibilityState === "hidden" ? leave() : void follow());
    document.addEventListener("visibilitychange", onVisibility);
    void follow();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(planned);
      leave();
    };
  }, [mayFollow, queryClient]);
  return null;
}

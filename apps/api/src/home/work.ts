/**
 * Declarations of work that waits for a user. Each feature declares its sources in `feature.ts`; `registry.ts` collects
 * them.
 */
import type { WorkItem } from "@malote/contracts/home";
import type { Policy } from "@malote/contracts/policy";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Feature } from "../platform/feature.ts";

/** Maximum number of items per source; the source's own list shows the rest. */
export const workShownMax = 20;

export interface WorkSource {
  /** Policy of the call that does the work: users who may not make it do not see the item. */
  policy: Policy;
  /** Returns at most `workShownMax` items, the most urgent first. Only reads. */
  list(tx: Tx, request: { actor: Actor; now: Date }): Promise<readonly WorkItem[]>;
  /**
   * Returns the number of items that `list` would return, without reading their details, because every page asks for
   * it.
   */
  count(tx: Tx, request: { actor: Actor; now: Date }): Promise<number>;
}

declare module "../platform/feature.ts" {
  interface Feature {
    /** Work that waits for a user, for the home page. */
    work?: readonly WorkSource[];
  }
}

export const workOf = (features: readonly Feature[]): readonly WorkSource[] =>
  features.flatMap((feature) => feature.work ?? []);

/** What a feature says about things that wait for a person. Each gives its sources in `feature.ts`; `registry.ts` collects them. */
import type { WorkItem } from "@malote/contracts/home";
import type { Policy } from "@malote/contracts/policy";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Feature } from "../platform/feature.ts";

/** Of one source: what is beyond is found in its own list. */
export const workShownMax = 20;

export interface WorkSource {
  /** Of the call that does the work: a person who may not make it has nothing to do. */
  policy: Policy;
  /** At most `workShownMax`, the most urgent first. Reads only. */
  list(tx: Tx, asked: { actor: Actor; now: Date }): Promise<readonly WorkItem[]>;
  /** How many `list` answers, without reading what each of them shows: every page asks. */
  count(tx: Tx, asked: { actor: Actor; now: Date }): Promise<number>;
}

declare module "../platform/feature.ts" {
  interface Feature {
    /** What waits for a person, on the home page. */
    work?: readonly WorkSource[];
  }
}

export const workOf = (features: readonly Feature[]): readonly WorkSource[] =>
  features.flatMap((feature) => feature.work ?? []);

/**
 * The twenty-five places of a kill, each with two sides: the work there must be complete or absent. A trigger in the
 * database stops the server inside a transaction or in its commit; the server finds the other places by itself.
 */
import type { FailPoint } from "../../apps/api/src/platform/fail-points.ts";
import type { Chance } from "../chance.ts";
import { type Moment, steps } from "./moments.ts";

export type Side =
  | { kind: "moment"; moment: Moment }
  /** The process dies at one of its first `hitsMax` passes. */
  | { kind: "fail-point"; point: FailPoint; hitsMax: number };

interface Place {
  name: string;
  sides: readonly [Side, Side];
}

const pair = (before: FailPoint, after: FailPoint, hitsMax: number): Place["sides"] => [
  { kind: "fail-point", point: before, hitsMax },
  { kind: "fail-point", point: after, hitsMax },
];

const places: readonly Place[] = [
  ...steps.map(
    (step): Place => ({
      name: step.name,
      sides: [
        { kind: "moment", moment: { ...step, at: "work" } },
        { kind: "moment", moment: { ...step, at: "commit" } },
      ],
    }),
  ),
  { name: "any commit", sides: pair("before-commit", "after-commit", 80) },
  { name: "answer under a key", sides: pair("before-answer", "after-answer", 6) },
  { name: "file kept", sides: pair("before-file-kept", "after-file-kept", 2) },
  { name: "job at work", sides: pair("after-job-fetched", "before-job-acknowledged", 6) },
  { name: "call to the network", sides: pair("before-rail-call", "after-rail-call", 3) },
  { name: "event applied", sides: pair("after-event-received", "after-event-applied", 4) },
  {
    name: "event taken off the network",
    sides: pair("before-event-acknowledged", "after-event-acknowledged", 3),
  },
  { name: "e-mail sent", sides: pair("before-mail-sent", "after-mail-sent", 1) },
];

export interface Target {
  name: string;
  side: Side;
  environment: Record<string, string>;
  /** Records the result, so that missed places are tried again. */
  met(reached: boolean): void;
}

/**
 * Chooses the place that was reached least. A missed place costs half a turn, so that a rare one is not tried forever.
 */
export function createAim(chance: Chance) {
  const first = chance.between(0, places.length - 1);
  const scores = [...places.slice(first), ...places.slice(0, first)].map((place, index) => ({
    place,
    index,
    reached: 0,
    missed: 0,
  }));
  return {
    next(): Target {
      const turns = ({ reached, missed }: (typeof scores)[number]) => reached + missed / 2;
      const score = scores.reduce((least, one) => (turns(one) < turns(least) ? one : least));
      const { place } = score;
      const side = place.sides[(score.reached + score.missed + score.index) % 2 === 0 ? 0 : 1];
      return {
        name: place.name,
        side,
        environment:
          side.kind === "fail-point"
            ? { MALOTE_FAIL_POINT: `${side.point}:${chance.between(1, side.hitsMax)}` }
            : {},
        met(reached) {
          if (reached) score.reached++;
          else score.missed++;
        },
      };
    },
    reached: () => new Map(scores.map(({ place, reached }) => [place.name, reached])),
  };
}

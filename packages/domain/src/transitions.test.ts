import { describe, expect, it } from "vitest";
import { batchStatuses, batchTransitions, canMoveBatch, releasedBatchStatuses } from "./batch-status.ts";
import { analysisStatuses, canMoveInfraction, infractionTransitions } from "./infraction.ts";
import { canMovePixKey, pixKeyStatuses, pixKeyTransitions } from "./own-pix-key.ts";
import { canMovePayin, payinStatuses, payinTransitions } from "./payin.ts";
import { canMovePayment, paymentStatuses, paymentTransitions } from "./payment-status.ts";
import { statusesBefore, statusesFrom, type Transitions } from "./transitions.ts";

type Case = [
  name: string,
  transitions: Transitions<string>,
  statuses: readonly string[],
  first: string[],
  final: string[],
  canMove: (from: never, to: never) => boolean,
];

describe.each<Case>([
  ["batch", batchTransitions, batchStatuses, ["DRAFT"], ["FINISHED", "RETURNED", "REMOVED"], canMoveBatch],
  ["payment", paymentTransitions, paymentStatuses, ["CREATED"], ["RETURNED"], canMovePayment],
  ["payin", payinTransitions, payinStatuses, ["pending"], ["refunded"], canMovePayin],
  ["Pix key", pixKeyTransitions, pixKeyStatuses, ["VALIDATING"], ["REMOVED"], canMovePixKey],
  [
    "infraction",
    infractionTransitions,
    analysisStatuses,
    ["pending"],
    ["accepted", "rejected", "delayed", "canceled"],
    canMoveInfraction,
  ],
])("%s", (_name, transitions, statuses, [first = ""], final, canMove) => {
  it("reaches each of its statuses, and ends in these", () => {
    expect(statusesFrom(transitions, first).sort()).toEqual([...statuses].sort());
    expect(statuses.filter((status) => transitions[status]?.length === 0)).toEqual(final);
  });

  it("permits the steps of its table and no other, and no step to the same status", () => {
    for (const from of statuses)
      for (const to of statuses) {
        expect(canMove(from as never, to as never)).toBe(transitions[from]?.includes(to));
        if (from === to) expect(canMove(from as never, to as never)).toBe(false);
      }
  });
});

it("returns the statuses that permit one step, and those that permit each of several", () => {
  const lights = { red: ["green"], green: ["yellow"], yellow: ["red", "green"] } as const;
  expect(statusesBefore<string>(lights, "green")).toEqual(["red", "yellow"]);
  expect(statusesBefore<string>(lights, "red", "green")).toEqual(["yellow"]);
  expect(statusesFrom<string>(lights, "red")).toEqual(["red", "green", "yellow"]);
});

it("counts a batch as released from RECEIVED on", () => {
  expect(releasedBatchStatuses).toEqual(["RECEIVED", "FINISHED", "RETURNED"]);
});

it.each([
  ["pending", "refunded"],
  ["refunded", "received"],
  ["received", "pending"],
  ["blocked", "authorized"],
  ["unauthorized", "authorized"],
  ["canceled_by_user", "expired"],
] as const)("a payin that is %s never becomes %s", (from, to) => {
  expect(canMovePayin(from, to)).toBe(false);
});

it.each([
  ["REMOVED", "REGISTERED"],
  ["VALIDATING", "REGISTERED"],
  ["ERROR", "PENDING"],
  ["CLAIM_REQUESTED", "PORTABILITY_IN_PROGRESS"],
] as const)("a Pix key that is %s never becomes %s", (from, to) => {
  expect(canMovePixKey(from, to)).toBe(false);
});

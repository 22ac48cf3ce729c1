import type { WorkItem } from "@malote/contracts/home";
import { describe, expect, it } from "vitest";
import { groupsOf } from "./work-groups.ts";
import { timeLeft, wordsOf } from "./work-words.ts";

/** 14:30 in São Paulo, a Wednesday. */
const now = new Date("2026-11-25T17:30:00Z");

const batch = (due_at: string | null): WorkItem => ({
  kind: "approve_batch",
  id: `of ${due_at}`,
  name: "Folha",
  type: "TRANSFER",
  value: 1_00,
  due_at,
  payments_count: 1,
  created_by: "Rui Tavares",
});
const claim = (due_at: string): WorkItem => ({
  kind: "answer_claim",
  due_at,
  id: `of ${due_at}`,
  key: "financeiro@aurora.example",
  claim: "PORTABILITY",
});
const titles = (items: readonly WorkItem[]) =>
  groupsOf(items, now).map(({ title, items: own }) => [title, own.length]);

it.each([
  ["+5511987654321", "(11) 98765-4321"],
  ["27418639000148", "27.418.639/0001-48"],
  ["financeiro@aurora.example", "financeiro@aurora.example"],
])("PIX-003 PIX-009 names the claimed key %s as %s", (key, shown) => {
  const item = { ...claim("2026-12-02T17:30:00Z"), key } as WorkItem;
  expect(wordsOf(item, now).title).toBe(`Outra instituição pediu a chave ${shown}`);
});

describe("queue by deadline", () => {
  it("puts the bank's last hour before the rest of the day, and names its reason", () => {
    const [first, ...rest] = groupsOf([batch("2026-11-25T19:30:00Z"), batch(null)], now);
    expect(first).toMatchObject({ title: "Antes das 16h30", note: "para a TED sair hoje · restam 2 h" });
    expect(rest.map(({ title }) => title)).toEqual(["Hoje"]);
  });

  it("counts items that ended, end today or have no deadline as today's, then those of the week, then later ones", () => {
    expect(
      titles([
        claim("2026-12-03T17:30:00Z"),
        claim("2026-12-02T17:30:00Z"),
        claim("2026-11-26T02:59:59Z"),
        claim("2026-11-24T17:30:00Z"),
        batch(null),
      ]),
    ).toEqual([
      ["Hoje", 3],
      ["Esta semana", 1],
      ["Depois", 1],
    ]);
  });

  it("leaves out empty groups", () => expect(titles([])).toEqual([]));
});

it.each([
  ["2026-11-25T17:30:30Z", "restam 1 min"],
  ["2026-11-25T18:29:59Z", "restam 59 min"],
  ["2026-11-25T18:30:00Z", "resta 1 h"],
  ["2026-11-27T17:29:59Z", "restam 47 h"],
  ["2026-11-27T17:30:00Z", "restam 2 dias"],
])("never promises more time than is left until %s: %s", (until, words) =>
  expect(timeLeft(until, now)).toBe(words),
);

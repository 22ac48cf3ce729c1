import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import {
  checkKinds,
  checkSeverity,
  checkTitle,
  decideConfirm,
  findingText,
  findUnconfirmed,
  isFarValue,
  isSteady,
  stateText,
} from "./checks.ts";

const day = (text: string) => text as CalendarDate;

describe("who may confirm", () => {
  const found = [{ kind: "same_payment", count: 2, fingerprint: "2-a" }] as const;
  const facts = {
    status: "DRAFT",
    profile: "operator",
    isPerson: true,
    userId: "rui",
    editorIds: ["rui"],
    approverRefusal: undefined,
    found,
    confirmations: [{ kind: "same_payment", fingerprint: "2-a" }],
  } as const;

  it.each([
    ["an analyst", { profile: "analyst" }, "forbidden"],
    ["a batch that is closed", { status: "RECEIVED" }, "batch_not_draft"],
    [
      "an operator of a batch that waits for approval",
      { status: "WAITING_APPROVAL", approverRefusal: "forbidden" },
      "forbidden",
    ],
    [
      "a credential in place of the approver",
      { status: "WAITING_APPROVAL", profile: "admin", isPerson: false },
      "confirmation_of_another",
    ],
    [
      "a credential for another person's batch",
      { isPerson: false, userId: "credential", profile: "admin" },
      "confirmation_of_another",
    ],
    [
      "a credential for a batch of its owner and another person",
      { isPerson: false, editorIds: ["bia", "rui"] },
      "confirmation_of_another",
    ],
    [
      "a credential for a batch without a known preparer",
      { isPerson: false, editorIds: [] },
      "confirmation_of_another",
    ],
    [
      "its preparer when another person approves",
      { status: "WAITING_APPROVAL", profile: "admin", approverRefusal: "approver_is_creator" },
      "approver_is_creator",
    ],
    [
      "a person whose approval does not count yet",
      { status: "WAITING_APPROVAL", profile: "admin", approverRefusal: "approver_too_new" },
      "approver_too_new",
    ],
    [
      "findings that changed",
      { found: [{ kind: "same_payment", count: 3, fingerprint: "3-b" }] },
      "checks_changed",
    ],
    ["findings that do not exist", { found: [] }, "checks_changed"],
  ] as const)("refuses %s", (_, change, code) => {
    expect(decideConfirm({ ...facts, ...change })).toEqual({ kind: "refused", code });
  });

  it.each([
    ["an operator of another person's draft", { userId: "bia" }],
    ["a credential for a batch of its owner", { isPerson: false }],
    ["an admin who approves", { status: "WAITING_APPROVAL", profile: "admin", userId: "helena" }],
    ["an operator who approves", { status: "WAITING_APPROVAL", userId: "bia" }],
  ] as const)("accepts %s", (_, change) => {
    expect(decideConfirm({ ...facts, ...change })).toEqual({ kind: "accepted" });
  });
});

it("requires confirmations only of these findings, and of no notes", () => {
  const found = [
    { kind: "expired_date", count: 1, fingerprint: "1-e" },
    { kind: "same_payment", count: 2, fingerprint: "2-a" },
    { kind: "changed_account", count: 1, fingerprint: "1-c" },
    { kind: "new_receiver", count: 9, fingerprint: "9-n" },
  ] as const;
  expect(findUnconfirmed(found, []).map(({ kind }) => kind)).toEqual(["same_payment", "changed_account"]);
  expect(findUnconfirmed(found, [{ kind: "same_payment", fingerprint: "2-a" }])).toEqual([found[2]]);
  expect(findUnconfirmed(found, [{ kind: "same_payment", fingerprint: "1-c" }])).toHaveLength(2);
});

it.each([
  [["2026-09-30", "2026-10-31", "2026-11-30"], true],
  [["2026-01-31", "2026-02-28", "2026-03-31"], true],
  [["2026-11-02", "2026-11-09", "2026-11-16"], true],
  [["2026-10-30", "2026-11-30"], false],
  [["2026-10-30", "2026-11-28", "2026-11-30"], false],
  [["2026-08-01", "2026-09-01", "2026-11-20"], false],
  [["2026-11-01", "2026-11-02", "2026-11-03"], false],
])("%j is a steady rhythm: %s", (days, expected) => {
  expect(isSteady(days.map(day))).toBe(expected);
});

it.each([
  [3_001_00, { paid: 3, largest: 1_000_00 }, true],
  [3_000_00, { paid: 3, largest: 1_000_00 }, false],
  [3_001_00, { paid: 2, largest: 1_000_00 }, false],
  [599_99, { paid: 9, largest: 100_00 }, false],
  [600_00, { paid: 9, largest: 100_00 }, true],
])("%s after %j is far: %s", (value, history, expected) => {
  expect(isFarValue(value, history)).toBe(expected);
});

it("describes findings in Portuguese, in singular and plural", () => {
  expect(checkTitle("same_payment", 1)).toBe("1 possível pagamento em dobro");
  expect(checkTitle("same_payment", 1_200)).toBe("1.200 possíveis pagamentos em dobro");
  const other = {
    batch_name: "Fornecedores",
    batch_status: "RECEIVED",
    status: "FINISHED",
    isHere: false,
    value: 1_234_56,
    day: day("2026-11-10"),
    person: "Rui Prado",
  } as const;
  const moved = { now: "chave 52998224725", before: "chave +5511987654321" };
  expect(findingText({ kind: "changed_account", value: 1, other: null, data: moved })).toBe(
    "Agora chave ***.982.247-**; antes chave (11) 98765-4321",
  );
  expect(findingText({ kind: "same_payment", value: 1, other, data: {} })).toBe(
    "Mesmo recebedor e valor em 10/11/2026, no lote “Fornecedores” (pago), de Rui Prado",
  );
  expect(findingText({ kind: "same_payment", value: 1, other: { ...other, isHere: true }, data: {} })).toBe(
    "Mesmo recebedor e valor neste mesmo lote",
  );
  expect(findingText({ kind: "billet_overdue", value: 1, other: null, data: { days: 2, text: "x" } })).toBe(
    "Vencido há 2 dias: confira juros e multa",
  );
  expect(findingText({ kind: "billet_overdue", value: 1, other: null, data: { days: 1 } })).toBe(
    "Vencido há 1 dia: confira juros e multa",
  );
  for (const kind of checkKinds)
    for (const text of [
      checkTitle(kind, 2),
      findingText({
        kind,
        value: 1,
        other: null,
        data: { largest: 1, paid: 3, missing: 1, days: 2, row: 4, stated: 2, sum: 1 },
      }),
    ])
      expect(text).not.toMatch(/\{n\}|NaN/);
  expect(checkSeverity("same_payment")).toBe("tick");
});

it.each([
  [{ batch_status: "WAITING_APPROVAL", status: "CREATED" }, "aguardando aprovação"],
  [{ batch_status: "WAITING", status: "CREATED" }, "aguardando saldo"],
  [{ batch_status: "RECEIVED", status: "SCHEDULED" }, "agendado"],
  [{ batch_status: "RECEIVED", status: "EXECUTING" }, "em processamento"],
  [{ batch_status: "FINISHED", status: "TRANSFERRED" }, "pago"],
] as const)("the other payment %j is %s", (other, words) => {
  expect(stateText(other)).toBe(words);
});

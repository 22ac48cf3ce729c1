import { describe, expect, it } from "vitest";
import {
  type BatchFacts,
  type BatchProfile,
  type BatchRefusal,
  type BatchStatus,
  batchStatuses,
  batchTransitions,
  batchView,
  type CloseFacts,
  canMoveBatch,
  closeStep,
  decideCancelScheduled,
  decideClose,
  decideDelete,
  decideEnableEdit,
  decideReconcile,
  decideReject,
  decideSave,
  decideSendToApproval,
} from "./batch.ts";
import { cents } from "./money.ts";

const buildBatch = (changes: Partial<BatchFacts> = {}): BatchFacts => ({
  status: "DRAFT",
  revision: 3,
  paymentCount: 2,
  errorCount: 0,
  expiredCount: 0,
  failedCount: 0,
  ...changes,
});

const buildClose = (
  changes: Omit<Partial<CloseFacts>, "batch"> & { batch?: Partial<BatchFacts> } = {},
): CloseFacts => ({
  actor: { profile: "admin" },
  approvalRevision: null,
  approverRefusal: undefined,
  ...changes,
  batch: buildBatch(changes.batch),
});

const profiles: BatchProfile[] = ["admin", "operator", "analyst"];
const every = profiles.flatMap((profile) => batchStatuses.map((status) => ({ profile, status })));

describe("decideClose", () => {
  it.each<[string, BatchRefusal, Parameters<typeof buildClose>[0]]>([
    ["an operator", "forbidden", { actor: { profile: "operator" } }],
    ["an analyst", "forbidden", { actor: { profile: "analyst" } }],
    ["a waiting batch", "batch_not_draft", { batch: { status: "WAITING" } }],
    ["a batch that is closing", "batch_not_draft", { batch: { status: "PENDING" } }],
    ["a received batch", "batch_not_draft", { batch: { status: "RECEIVED" } }],
    ["an empty batch", "batch_empty", { batch: { paymentCount: 0 } }],
    ["errors", "batch_has_errors", { batch: { errorCount: 2, expiredCount: 1 } }],
    ["passed dates only", "batch_has_expired_dates", { batch: { errorCount: 1, expiredCount: 1 } }],
    ["an outdated screen", "batch_changed", { seenRevision: 2 }],
    [
      "its creator when two people are required",
      "approver_is_creator",
      { approverRefusal: "approver_is_creator" },
    ],
    [
      "approval of a changed batch",
      "approval_content_changed",
      { batch: { status: "WAITING_APPROVAL" }, approvalRevision: 2 },
    ],
    [
      "approval of a batch that was never sent",
      "approval_content_changed",
      { batch: { status: "WAITING_APPROVAL" }, approvalRevision: null },
    ],
    [
      "approval without the revision that was read",
      "revision_missing",
      { batch: { status: "WAITING_APPROVAL" }, approvalRevision: 3 },
    ],
    [
      "approval by the creator when two people are required",
      "approver_is_creator",
      { batch: { status: "WAITING_APPROVAL" }, approvalRevision: 3, approverRefusal: "approver_is_creator" },
    ],
  ])("BAT-057 refuses %s", (_what, code, changes) => {
    expect(decideClose(buildClose(changes))).toMatchObject({ kind: "refused", code });
  });

  it("BAT-055 refuses while a payment is failed, and returns how many are", () => {
    expect(decideClose(buildClose({ batch: { failedCount: 2 } }))).toEqual({
      kind: "refused",
      code: "batch_has_failed_transfers",
      data: { count: 2 },
    });
  });

  it("BAT-053 closes a draft", () => {
    expect(decideClose(buildClose({ seenRevision: 3 }))).toEqual({
      kind: "accepted",
      to: "PENDING",
      approves: false,
    });
  });

  it("BAT-064 approves a sent batch, also by its creator unless two people are required", () => {
    const facts = { batch: { status: "WAITING_APPROVAL" as const }, approvalRevision: 3, seenRevision: 3 };
    expect(decideClose(buildClose(facts))).toMatchObject({ kind: "accepted", approves: true });
    // An operator named by the controls; the controls decide whether they count.
    expect(decideClose(buildClose({ ...facts, actor: { profile: "operator" } }))).toMatchObject({
      kind: "accepted",
    });
    expect(decideClose(buildClose({ ...facts, actor: { profile: "analyst" } }))).toMatchObject({
      code: "forbidden",
    });
  });
});

describe("decideSendToApproval", () => {
  const operator = { profile: "operator" as const };

  it.each<[BatchRefusal, BatchFacts]>([
    ["batch_not_draft", buildBatch({ status: "WAITING_APPROVAL" })],
    ["batch_empty", buildBatch({ paymentCount: 0 })],
    ["batch_has_errors", buildBatch({ errorCount: 1 })],
    ["batch_has_failed_transfers", buildBatch({ failedCount: 1 })],
  ])("BAT-061 refuses with %s", (code, batch) => {
    expect(decideSendToApproval({ batch, actor: operator })).toMatchObject({ kind: "refused", code });
  });

  it("BAT-061 refuses analysts and outdated screens", () => {
    const analyst = { profile: "analyst" as const };
    expect(decideSendToApproval({ batch: buildBatch(), actor: analyst })).toMatchObject({
      code: "forbidden",
    });
    expect(decideSendToApproval({ batch: buildBatch(), actor: operator, seenRevision: 1 })).toMatchObject({
      code: "batch_changed",
    });
  });

  it("BAT-061 binds the approval to the content", () => {
    expect(decideSendToApproval({ batch: buildBatch(), actor: operator })).toEqual({
      kind: "accepted",
      to: "WAITING_APPROVAL",
      approvalRevision: 3,
    });
  });
});

/** Returns the cases that a decision accepts, as `profile status`. */
function accepted(
  decide: (question: { status: BatchStatus; profile: BatchProfile }) => { kind: string },
): string[] {
  return every
    .filter((question) => decide(question).kind === "accepted")
    .map(({ profile, status }) => `${profile} ${status}`);
}

describe("other decisions, over every profile and status", () => {
  it.each([
    ["rejection", decideReject, "WAITING_APPROVAL", "operator", "batch_not_waiting_approval"],
    ["taking back", decideEnableEdit, "WAITING", "operator", "batch_not_editable"],
    ["deletion", decideDelete, "WAITING", "analyst", "batch_not_removable"],
    ["saving", decideSave, "DRAFT", "analyst", "batch_not_draft"],
  ] as const)(
    "refuses a %s with the reason of the profile first, then of the status",
    (_, decide, status, who, code) => {
      expect(decide({ status, profile: who })).toStrictEqual({ kind: "refused", code: "forbidden" });
      expect(decide({ status: "RECEIVED", profile: "admin" })).toStrictEqual({ kind: "refused", code });
      expect(decide({ status: "RECEIVED", profile: who })).toMatchObject({ code: "forbidden" });
    },
  );

  it("BAT-065 only an admin rejects, and only a batch that waits for approval", () => {
    expect(accepted(decideReject)).toEqual(["admin WAITING_APPROVAL"]);
  });

  it("BAT-063 BAT-065 an operator named by the controls may reject too, but no analyst", () => {
    expect(accepted((question) => decideReject({ ...question, isNamedApprover: true }))).toEqual([
      "admin WAITING_APPROVAL",
      "operator WAITING_APPROVAL",
    ]);
  });

  it("BAT-067 BAT-068 only an admin returns a waiting batch to a draft", () => {
    expect(accepted(decideEnableEdit)).toEqual(["admin WAITING_APPROVAL", "admin WAITING"]);
  });

  it("BAT-069 drafts and waiting batches can be deleted, never by analysts", () => {
    expect(accepted(decideDelete)).toEqual([
      "admin DRAFT",
      "admin WAITING",
      "operator DRAFT",
      "operator WAITING",
    ]);
  });

  it("BAT-072 keeps the receivers of a waiting batch", () => {
    expect(decideDelete({ status: "WAITING", profile: "admin" })).toMatchObject({
      mayRemoveReceivers: false,
    });
    expect(decideDelete({ status: "DRAFT", profile: "admin" })).toMatchObject({ mayRemoveReceivers: true });
  });

  it("BAT-043 BAT-062 only drafts can be saved, never by analysts", () => {
    expect(accepted(decideSave)).toEqual(["admin DRAFT", "operator DRAFT"]);
    expect(decideSave({ status: "DRAFT", profile: "operator" })).toEqual({ kind: "accepted" });
  });

  it("makes only permitted transitions in accepted decisions", () => {
    for (const decide of [decideReject, decideEnableEdit, decideDelete]) {
      for (const question of every) {
        const decision = decide(question);
        if (decision.kind === "accepted") expect(canMoveBatch(question.status, decision.to)).toBe(true);
      }
    }
    for (const from of ["DRAFT", "WAITING_APPROVAL"] as const)
      for (const to of ["PENDING", "WAITING"] as const) expect(canMoveBatch(from, to)).toBe(true);
    expect(canMoveBatch("DRAFT", "WAITING_APPROVAL")).toBe(true);
  });
});

describe("batch statuses", () => {
  it("BAT-006 leaves no final status, and reaches every status from a draft", () => {
    for (const final of ["FINISHED", "RETURNED", "REMOVED"] as const)
      expect(batchTransitions[final]).toEqual([]);
    const reached = new Set<BatchStatus>(["DRAFT"]);
    for (const status of reached) for (const next of batchTransitions[status]) reached.add(next);
    expect([...reached].sort()).toEqual([...batchStatuses].sort());
  });

  it.each<[BatchStatus, BatchStatus]>([
    ["DRAFT", "RECEIVED"],
    ["WAITING_APPROVAL", "RECEIVED"],
    ["RECEIVED", "DRAFT"],
    ["WAITING", "PENDING"],
    ["PENDING", "FINISHED"],
    ["PENDING", "DRAFT"],
    ["PENDING", "WAITING"],
  ])("BAT-006 %s never becomes %s", (from, to) => {
    expect(canMoveBatch(from, to)).toBe(false);
  });
});

describe("view of a batch", () => {
  it("BAT-021 follows status and profile", () => {
    const viewed = (view: string) =>
      every
        .filter((question) => batchView(question) === view)
        .map(({ profile, status }) => `${profile} ${status}`);
    expect(viewed("wizard")).toEqual(["admin DRAFT", "operator DRAFT"]);
    expect(viewed("approval")).toEqual(["admin WAITING_APPROVAL"]);
    expect(viewed("waiting_receipt")).toEqual(["admin WAITING", "operator WAITING", "analyst WAITING"]);
    expect(viewed("default")).toHaveLength(every.length - 6);
  });

  it("BAT-021 shows the approval view also to an operator named by the controls, but to no analyst", () => {
    // A person who became an analyst may still be named by the controls.
    const viewed = every.filter(
      (question) => batchView({ ...question, isNamedApprover: true }) === "approval",
    );
    expect(viewed.map(({ profile, status }) => `${profile} ${status}`)).toEqual([
      "admin WAITING_APPROVAL",
      "operator WAITING_APPROVAL",
    ]);
    expect(batchView({ status: "DRAFT", profile: "operator", isNamedApprover: true })).toBe("wizard");
  });

  it.each<[BatchProfile, number, boolean, string]>([
    ["admin", 100_00, false, "confirmation"],
    ["admin", 99_99, false, "funding"],
    ["admin", 0, true, "confirmation"],
    ["operator", 100_00, false, "funding"],
    ["operator", 0, true, "funding"],
  ])(
    "BAT-054 %s with %i centavos, validation account %s, leads to %s",
    (profile, available, isValidationAccount, step) => {
      const facts = {
        profile,
        totalCents: cents(100_00),
        availableCents: cents(available),
        isValidationAccount,
      };
      expect(closeStep(facts)).toBe(step);
    },
  );
});

describe("cancelling a schedule", () => {
  const scheduled = { isOfTransfers: true, isAllScheduled: true };
  it.each(every)("BAT-073 decides for a $status batch and an $profile", ({ status, profile }) => {
    expect(decideCancelScheduled({ status, profile, ...scheduled })).toEqual(
      profile === "analyst"
        ? { kind: "refused", code: "forbidden" }
        : status === "RECEIVED"
          ? { kind: "accepted", to: "RETURNED" }
          : { kind: "refused", code: "batch_not_cancellable" },
    );
  });
  it.each([
    { ...scheduled, isOfTransfers: false },
    { ...scheduled, isAllScheduled: false },
  ])("BAT-073 refuses %o", (facts) => {
    expect(decideCancelScheduled({ status: "RECEIVED", profile: "admin", ...facts })).toEqual({
      kind: "refused",
      code: "batch_not_cancellable",
    });
  });
});

describe("decideReconcile", () => {
  it.each(every)("BAT-076 decides for a $status batch and an $profile", ({ status, profile }) => {
    expect(decideReconcile({ status, profile })).toEqual(
      profile === "analyst"
        ? { kind: "refused", code: "forbidden" }
        : status === "FINISHED"
          ? { kind: "accepted" }
          : { kind: "refused", code: "batch_not_finished" },
    );
  });
});

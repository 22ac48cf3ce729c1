import { expect, it } from "vitest";
import { type EventType, eventCatalogue } from "./events.ts";

const folha = { name: "Folha", payments: 2, amount: 30_00 };
const known = { admins: ["01990000-0000-7000-8000-000000000002"] };
const limit = { ...known, by: "Ana", period: "DAILY", type: "PIX", value: 0 };
const key = { ...known, keyType: "CHAVE_ALEATORIA", key: "01990000-0000-4000-8000-000000000003" };
const until = "2026-08-19T13:00:00.000Z";
const lines = [{ label: "Banco", value: "Banco do Brasil" }];
const access = { ...known, by: "Ana", name: "Bia", email: "bia@exemplo.com.br" };
const credential = { ...known, by: "Ana", owner: null, name: "ERP", clientId: "api_1" };
const ana = { id: "01990000-0000-7000-8000-000000000002", name: "Ana" };

const request = { ...known, by: ana, requestedBy: ana.id, kind: "POLICY", facts: lines };
const by = { kind: "user", ...ana };
const refundId = "01990000-0000-7000-8000-000000000004";
const outcome = { batchId: "01990000-0000-7000-8000-000000000001", amount: 1 };

/** Payloads as in the logs of installations: one of each version ever emitted. Entries are only added. */
const emitted: Record<EventType, Record<number, object>> = {
  "batch.approval_requested": { 1: { ...folha, by: ana, checks: ["1 pagamento parece repetido"] } },
  "batch.rejected": { 1: { ...folha, by: ana, reason: null, createdBy: null } },
  "batch.sent_back": { 1: { ...folha, reason: "O valor de um boleto mudou.", people: [ana.id] } },
  "batch.approved": { 1: { by } },
  "batch.closed": { 1: { by: { ...by, kind: "machine" } } },
  "batch.released": { 1: {} },
  "batch.cancelled": { 1: {} },
  "batch.settled": { 1: {} },
  "payment.sent": { 1: { ...outcome, attempt: 2 } },
  "payment.sent_again": { 1: { ...outcome, by, scheduledFor: null } },
  "payment.returned": { 1: { ...outcome, reason: null } },
  "payment.given_back": { 1: { ...outcome, by } },
  "payment.cancelled": { 1: { ...outcome, by: { ...by, kind: "machine" } } },
  "payin.received": { 1: { amount: 1 } },
  "payin.authorized": { 1: { amount: 1 } },
  "payin.instalment_received": { 1: { amount: 1 } },
  "payin.ended": { 1: { amount: 1, status: "unauthorized", reason: "card_expired" } },
  "payin.blocked": { 1: { amount: 1, reason: "MED" } },
  "payin.block_kept": { 1: {} },
  "payin.unblocked": { 1: { amount: 1 } },
  "payin.rejected": { 1: {} },
  "payin.refund_asked": { 1: { amount: 1, refundId, by: null } },
  "payin.refunded": { 1: { amount: 1, refundId, by: "network" } },
  "payin.refund_failed": { 1: { amount: 1, refundId, reason: "A conta do pagador foi encerrada." } },
  "payin.doubled": { 1: { amount: 10_00, canGoBack: true, payer: "Bia", charge: null } },
  "infraction.reported": {
    1: { ...known, amount: 10_00, payer: "Bia", situation: "scam", answerDueAt: until },
  },
  "limit.changed": { 1: { ...limit, from: 10_00, replaced: null } },
  "limit.raise_asked": {
    1: {
      ...limit,
      from: 10_00,
      takesEffectAt: until,
      replaced: { value: 1, by: "Bia", takesEffectAt: until },
    },
  },
  "limit.raise_cancelled": { 1: limit },
  "pix_key.asked_for": { 1: { ...key, claim: "CLAIM", answerUntil: until } },
  "pix_key.lost": { 1: key },
  "pix_key.given_up": { 1: { ...key, by: "Ana", how: "release" } },
  "withdrawal.returned": { 1: { ...known, amount: 10_00, reason: null } },
  "approval.requested": { 1: { ...request, approvers: [ana.id] } },
  "approval.given": { 1: { ...request, missing: 1 } },
  "approval.refused": { 1: { ...request, isOwn: true, reason: null } },
  "company.controls_changed": {
    1: { ...known, by: "Ana", approvedBy: null, inForceAt: until, facts: lines },
  },
  "company.reply_to_changed": { 1: { ...known, by: "Ana", from: null, to: "bia@exemplo.com.br" } },
  "company.withdrawal_account_saved": { 1: { ...known, by: "Ana", isFirst: true, facts: lines } },
  "credential.created": { 1: credential },
  "credential.revoked": { 1: credential },
  "export.ended": { 1: { isReady: true } },
  "invoice.report_requested": { 1: { by: ana.id, month: "2026-07-01" } },
  "payment.finished": { 1: outcome },
  "user.created": { 1: { ...access, profile: "admin" } },
  "user.access_changed": { 1: { ...access, from: "admin", to: "analyst" } },
  "user.removed": { 1: { ...access, profile: "operator" } },
  "user.factor_reset": { 1: access },
  "user.factor_changed": { 1: { ...known, name: "Ana", isOn: true } },
  "user.recovery_codes_made": { 1: {} },
  "user.recovery_code_used": { 1: { left: 0 } },
  "user.password_changed": { 1: { endedCredentials: false } },
  "user.password_chosen": { 1: {} },
  "payment.settled": { 1: { batchId: "01990000-0000-7000-8000-000000000001", amount: 1 } },
  "payment.failed": { 1: { batchId: "01990000-0000-7000-8000-000000000001", amount: 9_007_199_254_740_991 } },
};

it.each(Object.entries(emitted))("reads every version of %s that was ever emitted", (type, versions) => {
  const { version, payload } = eventCatalogue[type as EventType];
  expect(Object.keys(versions).map(Number)).toContain(version);
  for (const sample of Object.values(versions)) expect(payload.parse(sample)).toEqual(sample);
});

it("refuses an amount of zero, and a payment without batch", () => {
  const { payload } = eventCatalogue["payment.settled"];
  const { 1: sample } = emitted["payment.settled"];
  for (const wrong of [{ amount: 0 }, { amount: 0.5 }, { batchId: "Folha" }, { batchId: undefined }])
    expect(payload.safeParse({ ...sample, ...wrong }).success).toBe(false);
});

/** Entries of the audit trail about calls refused for lack of rights. */
import { enableBatchEdit } from "@malote/contracts/batch-life";
import { changeCompanySettings } from "@malote/contracts/company";
import { changePassword } from "@malote/contracts/session";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setCompany } from "../../testing/operator-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";
import { uuidv7 } from "../uuid.ts";
import { refusalsRecordedPerHourMax } from "./record-refusals.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

async function noted() {
  const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
    sql<{ actor_name: string; subject_id: string; detail: Record<string, unknown>; request_id: string }>`
      SELECT actor_name, subject_id, detail, request_id FROM audit_entries WHERE action = 'call_refused' ORDER BY id
    `.execute(tx),
  );
  return rows;
}
const settings = { body: { accept_contacerta_suggestions: true } };

it("S10 writes one entry for a forbidden call, with the caller and the call", async () => {
  const answer = await kit.operator.call(changeCompanySettings, settings);
  expect(answer.status).toBe(403);
  expect(await noted()).toEqual([
    {
      actor_name: "Rui Tavares",
      subject_id: "changeCompanySettings",
      detail: { code: "forbidden" },
      request_id: answer.body.requestId,
    },
  ]);
});

it("S10 leaves one entry of a call that a handler forbids, and one of one too many", async () => {
  await setCompany(kit.services, auroraId, { blocked: true });
  const params = { id: uuidv7() };
  expect((await kit.analyst.call(enableBatchEdit, { params })).status).toBe(403);
  const body = { oldPassword: "errada", newPassword: "Outra-senha-2026!" };
  for (let wrong = 0; wrong < 10; wrong++)
    expect((await kit.admin.call(changePassword, { body })).status).toBe(422);
  expect((await kit.admin.call(changePassword, { body })).status).toBe(429);
  expect((await noted()).map(({ subject_id, detail }) => [subject_id, detail["code"]])).toEqual([
    ["enableBatchEdit", "forbidden"],
    ["changePassword", "too_many_tries"],
  ]);
});

it("writes no entry for a call that was not found or not signed in", async () => {
  expect((await kit.admin.call(enableBatchEdit, { params: { id: uuidv7() } })).status).toBe(404);
  expect((await kit.call(changeCompanySettings, settings)).status).toBe(401);
  expect(await noted()).toEqual([]);
});

it("S10 cannot be flooded: each bearer has a maximum per hour, and the last entry says so", async () => {
  const refuse = () => kit.analyst.call(changeCompanySettings, settings);
  for (let time = 0; time < refusalsRecordedPerHourMax + 5; time++) expect((await refuse()).status).toBe(403);
  const entries = await noted();
  expect(entries).toHaveLength(refusalsRecordedPerHourMax);
  expect(entries.at(-1)?.detail).toEqual({ code: "forbidden", moreAreNotNoted: true });
  // One bearer's refusals hide no other's, and are logged again an hour later.
  await kit.operator.call(changeCompanySettings, settings);
  kit.clock.advance({ hours: 1 });
  await refuse();
  expect(await noted()).toHaveLength(refusalsRecordedPerHourMax + 2);
});

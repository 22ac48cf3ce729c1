/** All failed payments of a batch in one list, and the rules that resending and returning share. */
import { randomUUID } from "node:crypto";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { saveControls } from "@malote/contracts/controls";
import { listFailureNotices, listFailures, resendFailures, returnFailures } from "@malote/contracts/failures";
import { failuresAtOnce } from "@malote/domain/limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import {
  bulkCalls,
  failedBatches,
  fetchFailures,
  fourPayments,
  idempotencyKey,
  pixTo,
  resendChosen,
  returnChosen,
} from "../../testing/failures-kit.ts";
import {
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { failed, failedBatch, entries } = failedBatches(() => kit);

describe.each(bulkCalls)("%s", (_, contract, makeCall) => {
  it("is refused without a token, a permission, a key or a company", async () => {
    const { id, ids } = await failedBatch();
    const input = { params: { id }, body: { ids: [ids[0] as string] } };
    expect((await kit.call(contract, input)).status).toBe(401);
    expect((await makeCall(kit.analyst, id, ids.slice(0, 1))).status).toBe(403);
    expect((await kit.admin.call(contract, input)).body.code).toBe("not_acceptable_key");
    expect((await makeCall(kit.stranger, id, ids.slice(0, 1))).body.code).toBe("not_found");
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("is refused for a payment of another batch, for none, and for more than a hundred", async () => {
    const { id, ids } = await failedBatch();
    const other = await failedBatch();
    expect((await makeCall(kit.admin, id, [ids[0], other.ids[0]])).body.code).toBe("payments_not_of_batch");
    expect((await makeCall(kit.admin, id, [])).body.code).toBe("invalid_request");
    const many = Array.from({ length: failuresAtOnce + 1 }, () => randomUUID());
    expect((await makeCall(kit.admin, id, many)).body.code).toBe("invalid_request");
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("reports why a payment that did not fail is left out, and handles the others", async () => {
    const { id, ids } = await failedBatch();
    const { body } = await makeCall(kit.admin, id, [ids[2], ids[3]]);
    expect(body.value).toBe(30_00);
    const of = (one: string | undefined) => body.data.find((found) => found.id === one);
    expect(of(ids[2])).toMatchObject({ reason: null });
    expect(of(ids[3])).toMatchObject({ outcome: "refused", reason: expect.stringMatching(/falh/) });
    expect((await fetchStatuses(kit.admin, id))[3]).toBe("FINISHED");
  });

  it("is done once for the same key, and for sixteen concurrent calls", async () => {
    const { id, ids } = await failedBatch();
    const first = await makeCall(kit.admin, id, [ids[2]], "one");
    const again = await makeCall(kit.admin, id, [ids[2]], "one");
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await makeCall(kit.admin, id, [ids[0]], "one")).body.code).toBe("idempotency_key_reused");
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => makeCall(kit.admin, id, ids.slice(0, 2))),
    );
    expect(answers.filter(({ body }) => body.value > 0)).toHaveLength(1);
    expect(await batch(kit.admin, id)).toMatchObject({ failed_count: 0 });
  });
});

describe("a payment that has changed since it was shown", () => {
  const changed = {
    outcome: "refused",
    reason: "Este pagamento mudou depois que você o viu. Confira os dados na lista e tente de novo.",
  };
  const fetchVersions = async (id: string) =>
    Object.fromEntries((await fetchFailures(kit.admin, id)).data.map((one) => [one.id, one.version]));
  /** A correction that failed again leaves this state. */
  const correctElsewhere = (id: string | undefined) =>
    kit.services.db.pool.query("UPDATE transfers SET pix_key = 'outra@exemplo.com.br' WHERE id = $1", [id]);

  it("TRF-045 is not resent, and stops no other", async () => {
    const { id, ids } = await failedBatch();
    const versions = await fetchVersions(id);
    await correctElsewhere(ids[0]);
    const body = { ids: [ids[0]!, ids[2]!], versions };
    const answer = await kit.admin.call(resendFailures, { params: { id }, body }, idempotencyKey());
    expect(answer.body).toEqual({
      data: [
        { id: ids[0], ...changed },
        { id: ids[2], outcome: "sent", reason: null },
      ],
      value: 30_00,
    });
    const seen = { ids: [ids[0]!], versions: await fetchVersions(id) };
    const again = await kit.admin.call(resendFailures, { params: { id }, body: seen }, idempotencyKey());
    expect(again.body.data).toEqual([{ id: ids[0], outcome: "sent", reason: null }]);
  });

  it.each(bulkCalls)("refuses %s if the version of one is missing", async (_, contract) => {
    const { id, ids } = await failedBatch();
    const { [ids[2]!]: __, ...versions } = await fetchVersions(id);
    const body = { ids: [ids[0]!, ids[2]!], versions };
    const answer = await kit.admin.call(contract, { params: { id }, body }, idempotencyKey());
    expect(answer).toMatchObject({ status: 422, body: { code: "versions_incomplete" } });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("TRF-046 TRF-047 is not returned, except with others of its receiver", async () => {
    const { id, ids } = await failedBatch();
    const versions = await fetchVersions(id);
    await correctElsewhere(ids[2]);
    const give = (chosen: (string | undefined)[]) =>
      kit.admin.call(
        returnFailures,
        { params: { id }, body: { ids: chosen as string[], versions } },
        idempotencyKey(),
      );
    expect((await give([ids[2]])).body).toEqual({ data: [{ id: ids[2], ...changed }], value: 0 });
    await kit.services.db.pool.query("UPDATE transfers SET email = 'ana@exemplo.com.br' WHERE id = $1", [
      ids[1],
    ]);
    const { body } = await give([ids[0], ids[1], ids[2]]);
    expect(body).toEqual({
      data: [
        { id: ids[2], ...changed },
        { id: ids[0], outcome: "given_back", reason: null },
        { id: ids[1], outcome: "given_back", reason: null },
      ],
      value: 30_00,
    });
  });
});

describe("returning", () => {
  it("TRF-047 returns the chosen ones with the others of the same receivers, each once, as one entry", async () => {
    const { id, ids } = await failedBatch();
    const { body } = await returnChosen(kit.operator, id, [ids[0]]);
    expect(body.value).toBe(30_00);
    expect(body.data.map(({ id: one }: { id: string }) => one).sort()).toEqual(ids.slice(0, 2).sort());
    expect(await fetchStatuses(kit.admin, id)).toEqual(["RETURNED", "RETURNED", "FAILED", "FINISHED"]);
    expect(await fetchBalance(kit.admin)).toBe(30_00);
    const [newest] = (await fetchStatement(kit.admin)).entries;
    expect(newest).toMatchObject({ type: "REFUND", complement: { receiver: { name: "Ana Lima" } } });
    expect(await entries("payments_given_back")).toMatchObject([{ value: 30_00 }]);
    await returnChosen(kit.admin, id, [ids[2]]);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "FINISHED",
      failed_count: 0,
      returned_count: 3,
    });
    expect(await fetchBalance(kit.admin)).toBe(60_00);
  });
});

describe("the list", () => {
  it("contains every failed payment with its reason, and none of another company or batch", async () => {
    const { id, ids } = await failedBatch();
    expect((await kit.stranger.call(listFailures, { params: { id } })).body.code).toBe("not_found");
    const { data, total } = await fetchFailures(kit.analyst, id);
    expect(total).toEqual({ count: 3, value: 60_00 });
    expect(
      data.map(({ id: one, name, to: place, value, reason }) => [one, name, place, value, reason]),
    ).toEqual([
      [ids[0], "Ana Lima", "Pix ana@exemplo.com.br", 10_00, "Conta indisponível."],
      [ids[1], "Ana Lima", "Pix ana@exemplo.com.br", 20_00, "Conta indisponível."],
      [ids[2], "Bento Cruz", "Pix bento@exemplo.com.br", 30_00, "Conta indisponível."],
    ]);
    expect(data[0]?.receiver_id).toBe(data[1]?.receiver_id);
    expect(data[2]?.receiver_id).not.toBe(data[0]?.receiver_id);
    const empty = await draft(kit.admin);
    expect((await fetchFailures(kit.admin, empty.id)).data).toEqual([]);
  });

  it("shows what each person may do, and which admins to ask otherwise", async () => {
    const { id } = await failedBatch();
    expect(await fetchFailures(kit.admin, id)).toMatchObject({
      retry: { allowed: true, waits_for_approval: false },
      give_back: { allowed: true },
      ask: [],
    });
    expect(await fetchFailures(kit.operator, id)).toMatchObject({
      retry: { allowed: true, waits_for_approval: true },
      give_back: { allowed: true },
      ask: ["Helena Prado"],
    });
    expect(await fetchFailures(kit.analyst, id)).toMatchObject({
      retry: { allowed: false, why_not: expect.stringContaining("Solicite ao administrador") },
      give_back: { allowed: false, why_not: expect.stringContaining("Solicite ao administrador") },
      ask: ["Helena Prado"],
    });
    const policy = {
      requires_other_approver: false,
      bands: [{ from: 0, approvers: 0 }],
      operator_approvers: [],
      step_up_from: null,
      operators_may_withdraw: false,
      operators_may_correct: false,
      operators_may_give_back: false,
      quarantine_hours: 24,
    };
    expect((await kit.admin.call(saveControls, { body: { version: 0, policy } })).body.outcome).toBe(
      "in_force",
    );
    expect(await fetchFailures(kit.operator, id)).toMatchObject({
      retry: { allowed: false, why_not: expect.stringContaining("só administradores corrigem") },
      give_back: { allowed: false, why_not: expect.stringContaining("só administradores devolvem") },
    });
    const { ids } = await failedBatch();
    const [first] = ids;
    expect((await resendChosen(kit.operator, id, [first])).body.code).toBe("correction_admins_only");
    expect((await returnChosen(kit.operator, id, [first])).body.code).toBe("refund_admins_only");
  });
});

describe("the notice", () => {
  const notices = async (by: Person) => (await by.call(listFailureNotices)).body;

  it("goes to the maker and the approver of the batch until no payment of it is failed", async () => {
    await kit.deposit(100_00);
    const { id, revision } = await draft(kit.operator, fourPayments(), "Fornecedores");
    await kit.operator.call(sendBatchToApproval, { params: { id }, body: { revision } });
    await closing(kit.admin, id, undefined, { revision });
    const ids = await failed(id);
    const expected = { data: [{ id, name: "Fornecedores", failed_count: 3 }], count: 1 };
    expect(await notices(kit.operator)).toEqual(expected);
    expect(await notices(kit.admin)).toEqual(expected);
    for (const person of [kit.analyst, kit.stranger])
      expect(await notices(person)).toEqual({ data: [], count: 0 });
    await returnChosen(kit.admin, id, ids.slice(0, 3));
    expect(await notices(kit.operator)).toEqual({ data: [], count: 0 });
  });

  it("names the newest three and counts all", async () => {
    for (let made = 0; made < 4; made++)
      await failedBatch([pixTo(10_00, "Ana Lima"), pixTo(20_00, "Bento Cruz")]);
    const { data, count } = await notices(kit.admin);
    expect([data.length, count]).toEqual([3, 4]);
  });
});

/** All failed payments of a batch: seen in one place, sent again or given back many at a time, each by the rules of one alone. */
import { randomUUID } from "node:crypto";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { changeBillet } from "@malote/contracts/boletos";
import {
  approveRequest,
  listApprovalRequests,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import type { Failures } from "@malote/contracts/failures";
import {
  giveBackFailures,
  listFailureNotices,
  listFailures,
  retryFailures,
} from "@malote/contracts/failures";
import { changeLimit } from "@malote/contracts/limits";
import { changeRails } from "@malote/contracts/simulator";
import { changeTransfer } from "@malote/contracts/transfers";
import { failuresAtOnce } from "@malote/domain/limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, boletoStatusesOf, boletosOf, magicBarcode } from "../../testing/boletos.ts";
import {
  auroraId,
  balanceOf,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  statementOf,
  statusesOf,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const to = (value: number, name: string) =>
  pix(value, {
    destination_bank_account: {
      name,
      pix_key_type: "EMAIL",
      pix_key: `${name.split(" ")[0]?.toLowerCase()}@exemplo.com.br`,
    },
  });
const four = () => [
  to(10_00, "Ana Lima"),
  to(20_00, "Ana Lima"),
  to(30_00, "Bento Cruz"),
  to(40_00, "Caio Reis"),
];

/** The network refuses all but the last one, as it would a bank that is out of order. Sent again as they are, they arrive. */
async function failed(id: string): Promise<string[]> {
  await kit.drainJobs();
  const { transfers } = await batch(kit.admin, id);
  const sent = transfers.slice(0, -1).map((one: { end_to_end_id: string }) => one.end_to_end_id);
  await kit.services.db.pool.query(
    `UPDATE sandbox.events SET payload = (payload - 'final') || '{"kind":"failed","reason":"Conta indisponível."}'
     WHERE end_to_end_id = ANY($1)`,
    [sent],
  );
  await kit.services.db.pool.query(
    "UPDATE sandbox.orders SET outcome = 'failed' WHERE end_to_end_id = ANY($1)",
    [sent],
  );
  await kit.pass({ seconds: 1 });
  return transfers.map((one: { id: string }) => one.id);
}
async function failedBatch(payments = four()) {
  const id = await paidFor(
    kit,
    payments,
    payments.reduce((sum, { value }) => sum + (value ?? 0), 0),
  );
  return { id, ids: await failed(id) };
}

type Ids = readonly (string | undefined)[];
const key = (text: string = randomUUID()) => ({ "idempotency-key": text });
const retry = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(retryFailures, { params: { id }, body: { ids: ids as string[] } }, key(named));
/** As the screen does: what has to be ticked is ticked, and the call goes again with that. */
async function retryTicked(by: Person, id: string, ids: Ids) {
  const { body, ...answer } = await retry(by, id, ids);
  if (body.code !== "checks_not_confirmed") return { ...answer, body };
  const confirmations = body.data.checks.map(
    ({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
      kind,
      fingerprint,
    }),
  );
  return by.call(retryFailures, { params: { id }, body: { ids: ids as string[], confirmations } }, key());
}
const giveBack = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(giveBackFailures, { params: { id }, body: { ids: ids as string[] } }, key(named));
const list = async (by: Person, id: string): Promise<Failures> =>
  (await by.call(listFailures, { params: { id } })).body;
const requests = async (by: Person) => (await by.call(listApprovalRequests)).body.data;
const entries = async (action: string) =>
  (
    await kit.services.db.pool.query(
      "SELECT detail FROM audit_entries WHERE company_id = $1 AND action = $2",
      [auroraId, action],
    )
  ).rows.map(({ detail }) => detail);

const calls = [
  ["sending again", retryFailures, retry],
  ["giving back", giveBackFailures, giveBack],
] as const;

describe.each(calls)("%s", (_, contract, ask) => {
  it("is refused without a token, a permission, a key or a company", async () => {
    const { id, ids } = await failedBatch();
    const input = { params: { id }, body: { ids: [ids[0] as string] } };
    expect((await kit.call(contract, input)).status).toBe(401);
    expect((await ask(kit.analyst, id, ids.slice(0, 1))).status).toBe(403);
    expect((await kit.admin.call(contract, input)).body.code).toBe("not_acceptable_key");
    expect((await ask(kit.stranger, id, ids.slice(0, 1))).body.code).toBe("not_found");
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("is refused of a payment that is not of the batch, of none, and of more than a hundred", async () => {
    const { id, ids } = await failedBatch();
    const other = await failedBatch();
    expect((await ask(kit.admin, id, [ids[0], other.ids[0]])).body.code).toBe("payments_not_of_batch");
    expect((await ask(kit.admin, id, [])).body.code).toBe("invalid_request");
    const many = Array.from({ length: failuresAtOnce + 1 }, () => randomUUID());
    expect((await ask(kit.admin, id, many)).body.code).toBe("invalid_request");
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("says of a payment that did not fail why it stays, and does the others", async () => {
    const { id, ids } = await failedBatch();
    const { body } = await ask(kit.admin, id, [ids[2], ids[3]]);
    expect(body.value).toBe(30_00);
    const of = (one: string | undefined) => body.data.find((found: { id: string }) => found.id === one);
    expect(of(ids[2])).toMatchObject({ reason: null });
    expect(of(ids[3])).toMatchObject({ outcome: "refused", reason: expect.stringMatching(/falh/) });
    expect((await statusesOf(kit.admin, id))[3]).toBe("FINISHED");
  });

  it("does it once for the same key, and for sixteen calls at once", async () => {
    const { id, ids } = await failedBatch();
    const first = await ask(kit.admin, id, [ids[2]], "one");
    const again = await ask(kit.admin, id, [ids[2]], "one");
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await ask(kit.admin, id, [ids[0]], "one")).body.code).toBe("idempotency_key_reused");
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(kit.admin, id, ids.slice(0, 2))));
    expect(answers.filter(({ body }) => body.value > 0)).toHaveLength(1);
    expect(await batch(kit.admin, id)).toMatchObject({ failed_count: 0 });
  });
});

describe("what changed since it was shown", () => {
  const changed = {
    outcome: "refused",
    reason: "Este pagamento mudou depois que você o viu. Confira os dados na lista e tente de novo.",
  };
  const versionsOf = async (id: string) =>
    Object.fromEntries((await list(kit.admin, id)).data.map((one) => [one.id, one.version]));
  /** As a correction that failed again leaves it. */
  const correctElsewhere = (id: string | undefined) =>
    kit.services.db.pool.query("UPDATE transfers SET pix_key = 'outra@exemplo.com.br' WHERE id = $1", [id]);

  it("TRF-045 is not sent again, and stops no other", async () => {
    const { id, ids } = await failedBatch();
    const versions = await versionsOf(id);
    await correctElsewhere(ids[0]);
    const body = { ids: [ids[0]!, ids[2]!], versions };
    const answer = await kit.admin.call(retryFailures, { params: { id }, body }, key());
    expect(answer.body).toEqual({
      data: [
        { id: ids[0], ...changed },
        { id: ids[2], outcome: "sent", reason: null },
      ],
      value: 30_00,
    });
    const seen = { ids: [ids[0]!], versions: await versionsOf(id) };
    const again = await kit.admin.call(retryFailures, { params: { id }, body: seen }, key());
    expect(again.body.data).toEqual([{ id: ids[0], outcome: "sent", reason: null }]);
  });

  it.each(calls)("refuses %s where a version of one is not said", async (_, contract) => {
    const { id, ids } = await failedBatch();
    const { [ids[2]!]: __, ...versions } = await versionsOf(id);
    const body = { ids: [ids[0]!, ids[2]!], versions };
    const answer = await kit.admin.call(contract, { params: { id }, body }, key());
    expect(answer).toMatchObject({ status: 422, body: { code: "versions_incomplete" } });
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
  });

  it("TRF-046 TRF-047 is not given back, but with others of its receiver", async () => {
    const { id, ids } = await failedBatch();
    const versions = await versionsOf(id);
    await correctElsewhere(ids[2]);
    const give = (chosen: (string | undefined)[]) =>
      kit.admin.call(
        giveBackFailures,
        { params: { id }, body: { ids: chosen as string[], versions } },
        key(),
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

describe("sending again", () => {
  it("sends the chosen ones as they are, as new orders, with the money that was reserved, and leaves one entry", async () => {
    const { id, ids } = await failedBatch();
    const before = (await batch(kit.admin, id)).transfers;
    const { body } = await retry(kit.admin, id, [ids[0], ids[2]]);
    expect(body).toEqual({
      data: [ids[0], ids[2]].map((one) => ({ id: one, outcome: "sent", reason: null })),
      value: 40_00,
    });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusesOf(kit.admin, id)).toEqual(["FINISHED", "FAILED", "FINISHED", "FINISHED"]);
    const after = (await batch(kit.admin, id)).transfers;
    expect(after[0].end_to_end_id).not.toBe(before[0].end_to_end_id);
    expect(after[0].destination_bank_account.pix_key).toBe("ana@exemplo.com.br");
    expect(await batch(kit.admin, id)).toMatchObject({ paid_count: 3, failed_count: 1, status: "RECEIVED" });
    expect(await balanceOf(kit.admin)).toBe(0);
    expect(await entries("payments_retried")).toEqual([{ payments: [ids[0], ids[2]], value: 40_00 }]);
  });

  it("stops at the limit with the payment that passes it, and sends the others", async () => {
    const { id, ids } = await failedBatch();
    const body = { period: "TRANSACTION", payment_method: "PIX", value: 25_00 } as const;
    expect((await kit.admin.call(changeLimit, { body })).status).toBe(200);
    expect((await list(kit.admin, id)).data.map(({ retry_problem }) => retry_problem)).toEqual([
      null,
      null,
      "O valor máximo é R$ 25,00",
    ]);
    const sent = await retry(kit.admin, id, ids.slice(0, 3));
    expect(sent.body.data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      "refused",
      "sent",
      "sent",
    ]);
    expect(sent.body.value).toBe(30_00);
    expect((await batch(kit.admin, id)).failed_count).toBe(1);
  });

  it("a sum of the day that is used up refuses what no longer fits and nothing before it", async () => {
    const { id, ids } = await failedBatch();
    // Three of them gave no place back: they are still counted, and the fourth arrived.
    const body = { period: "DAILY", payment_method: "PIX", value: 70_00 } as const;
    expect((await kit.admin.call(changeLimit, { body })).status).toBe(200);
    const { body: sent } = await retry(kit.admin, id, ids.slice(0, 3));
    const refusals = sent.data.filter(({ outcome }: { outcome: string }) => outcome === "refused");
    expect(refusals.length).toBeGreaterThan(0);
    for (const { reason } of refusals) expect(reason).toMatch(/limite/i);
    expect(await kit.faults()).toEqual([]);
  });

  it("of an operator waits as one request for an admin, names what it sends, and is not asked for twice", async () => {
    const { id, ids } = await failedBatch();
    kit.mails.splice(0);
    const asked = await retry(kit.operator, id, ids.slice(0, 2));
    expect(asked.body).toEqual({
      data: ids.slice(0, 2).map((one) => ({ id: one, outcome: "waits_for_approval", reason: null })),
      value: 30_00,
    });
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
    await kit.drainJobs();
    expect(kit.mails.map(({ to: address }) => address)).toEqual(["helena@aurora.example"]);
    const [request, ...more] = await requests(kit.admin);
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      kind: "CORRECTION",
      title: "Nova tentativa de 2 pagamentos",
      amount: 30_00,
      may_approve: true,
    });
    expect(kit.mails[0]?.subject).toBe("Nova tentativa de 2 pagamentos aguarda sua aprovação");
    expect(request.facts).toContainEqual({ label: "Tentar de novo", value: "2 com falha, como estão" });
    expect(request.facts).toContainEqual({ label: "Ana Lima", value: "R$ 20,00 · Conta indisponível." });
    const listed = await list(kit.operator, id);
    expect(listed.data.map(({ waits_for_approval }) => waits_for_approval)).toEqual([true, true, false]);

    const again = await retry(kit.operator, id, [ids[1], ids[2]]);
    expect(again.body.data).toEqual([
      { id: ids[1], outcome: "refused", reason: expect.stringContaining("aguardando aprovação") },
      { id: ids[2], outcome: "waits_for_approval", reason: null },
    ]);
  });

  it("an approval sends what is still failed, and nothing of a request whose payments were all resolved", async () => {
    const { id, ids } = await failedBatch();
    await retry(kit.operator, id, ids.slice(0, 3));
    const [{ id: request, digest }] = await requests(kit.admin);
    // Meanwhile the admin gives back both of Ana.
    await giveBack(kit.admin, id, [ids[0]]);
    const approved = await kit.admin.call(
      approveRequest,
      { params: { id: request }, body: { digest } },
      key(),
    );
    expect(approved.body).toMatchObject({ status: "approved" });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusesOf(kit.admin, id)).toEqual(["RETURNED", "RETURNED", "FINISHED", "FINISHED"]);

    const other = await failedBatch();
    await retry(kit.operator, other.id, other.ids.slice(0, 1));
    const waiting = (await requests(kit.admin)).find(
      ({ status }: { status: string }) => status === "pending",
    );
    await giveBack(kit.admin, other.id, [other.ids[0]]);
    const late = await kit.admin.call(
      approveRequest,
      { params: { id: waiting.id }, body: { digest: waiting.digest } },
      key(),
    );
    expect(late.body.code).toBe("approval_request_obsolete");
  });

  it("is refused of a payment that waits alone or with others, by whichever way and whoever asks; what waits goes as it was asked for", async () => {
    const { id, ids } = await failedBatch();
    const correctAlone = (by: Person, tid: string | undefined, name: string) =>
      by.call(changeTransfer, {
        params: { id, tid: tid as string },
        body: to(tid === ids[0] ? 10_00 : 30_00, name),
      });
    const sentence =
      "Este pagamento já está em um pedido aguardando aprovação: acompanhe, decida ou cancele o pedido em Aprovações.";
    await retry(kit.operator, id, [ids[1], ids[2]]);
    for (const by of [kit.operator, kit.admin]) {
      const refused = await correctAlone(by, ids[2], "Outra Pessoa");
      expect([refused.status, refused.body.code]).toEqual([409, "payment_awaits_approval"]);
      expect(refused.body.message).toBe(sentence);
    }
    // The other way round.
    expect((await correctAlone(kit.operator, ids[0], "Dora Melo")).body.awaits_approval).toBe(true);
    expect((await correctAlone(kit.admin, ids[0], "Dora Melo")).body.code).toBe("payment_awaits_approval");
    for (const by of [kit.operator, kit.admin])
      expect((await retry(by, id, [ids[0]])).body.data).toEqual([
        { id: ids[0], outcome: "refused", reason: sentence },
      ]);
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);

    const open = await requests(kit.admin);
    expect(open).toHaveLength(2);
    const { id: request, digest } = open.find(({ amount }: { amount: number }) => amount === 50_00);
    await kit.admin.call(approveRequest, { params: { id: request }, body: { digest } }, key());
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    const [, , sent] = (await batch(kit.admin, id)).transfers;
    expect(sent).toMatchObject({
      status: "FINISHED",
      destination_bank_account: { pix_key: "bento@exemplo.com.br" },
    });
  });

  it("ends a request by itself when none of its payments is failed any more, and it takes no place among twenty", async () => {
    const { id, ids } = await failedBatch(
      Array.from({ length: 23 }, (_, index) => to(10_00 + index, `Pessoa${index} Lima`)),
    );
    for (const one of ids.slice(0, 20))
      expect((await retry(kit.operator, id, [one])).body.data[0].outcome).toBe("waits_for_approval");
    const full = await retry(kit.operator, id, [ids[20]]);
    expect([full.status, full.body.code]).toEqual([409, "approval_requests_too_many"]);

    await giveBack(kit.admin, id, ids.slice(0, 2));
    const read = await kit.admin.call(listApprovalRequests);
    expect(read.body.open_count).toBe(18);
    const over = read.body.data.filter(({ status }: { status: string }) => status === "obsolete");
    expect(over).toHaveLength(2);
    const [{ id: request, digest }] = over;
    const decided = { params: { id: request }, body: { digest } };
    expect((await kit.admin.call(approveRequest, decided, key())).body.code).toBe(
      "approval_request_obsolete",
    );
    const rejected = await kit.admin.call(rejectRequest, { params: { id: request }, body: {} });
    expect(rejected.body.message).toContain("o pedido foi encerrado");

    // Those of the last hour count all the same: they were written to people.
    expect((await retry(kit.operator, id, [ids[20]])).body.code).toBe("approval_requests_too_many");
    await kit.pass({ hours: 1 });
    for (const one of ids.slice(20, 22))
      expect((await retry(kit.operator, id, [one])).body.data[0].outcome).toBe("waits_for_approval");
    expect((await retry(kit.operator, id, [ids[0]])).body.data[0].outcome).toBe("refused");
    const after = (await requests(kit.admin)).find((one: { id: string }) => one.id === request);
    expect(after).toMatchObject({ status: "obsolete", decided_by: null, approvals: [] });
    expect(Date.parse(after.decided_at)).toBe(kit.clock.now().getTime());
    expect((await kit.admin.call(listApprovalRequests)).body.open_count).toBe(20);
  });

  it("pays one code once, of two that failed for it and are sent again together", async () => {
    await kit.deposit(100_00);
    await kit.call(changeRails, { body: { failure_percent: 100 } });
    const [first, second] = [boletoOf(10_00), boletoOf(10_00)];
    const { id, revision } = await boletoDraft(kit.admin, [first, second]);
    await closing(kit.admin, id, undefined, { revision });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const ids = (await list(kit.admin, id)).data.map((one) => one.id);
    const other = (await boletosOf(kit.admin, id)).find(({ barcode }) => barcode === second.barcode);
    const correct = (confirmations: object[] = []) =>
      kit.admin.call(changeBillet, {
        params: { id },
        body: { ...boletoOf(10_00, { barcode: first.barcode }), id: other?.id, confirmations },
      });
    const asked = await correct();
    const ticks = asked.body.data?.checks?.map(
      ({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
        kind,
        fingerprint,
      }),
    );
    expect((ticks ? await correct(ticks) : asked).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    expect(await boletoStatusesOf(kit.admin, id)).toEqual(["FAILED", "FAILED"]);
    await kit.call(changeRails, { body: { failure_percent: 0 } });
    const { data, value } = (await retryTicked(kit.admin, id, ids)).body;
    expect(data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(["refused", "sent"]);
    expect(value).toBe(10_00);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    expect((await boletoStatusesOf(kit.admin, id)).sort()).toEqual(["FAILED", "PAID"]);
  });

  it("pays failed boletos again, but not one that is in another batch by now", async () => {
    await kit.deposit(100_00);
    const bad = [11_00, 12_00].map((value) => boletoOf(value, { barcode: magicBarcode(value, "15") }));
    const { id, revision } = await boletoDraft(kit.admin, [boletoOf(10_00), ...bad]);
    await closing(kit.admin, id, undefined, { revision });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const { data, ...rest } = await list(kit.admin, id);
    expect(rest).toMatchObject({ type: "BILLET", total: { count: 2, value: 23_00 } });
    expect(data.map(({ name, reason }) => [name, reason])).toEqual([
      ["Aluguel do escritório", "Boleto não registrado."],
      ["Aluguel do escritório", "Boleto não registrado."],
    ]);
    expect(data[0]?.to).toMatch(/^3419/);
    const ids = data.map((one) => one.id);
    // One that waits is not corrected alone, and one that waits alone is not sent with others.
    const alone = (by: Person, of: number, value: number) =>
      by.call(changeBillet, { params: { id }, body: { id: ids[of] as string, ...boletoOf(value) } });
    const refused = await retry(kit.operator, id, ids.slice(0, 1));
    // Its register says by now that it knows no such code.
    expect(refused.body.data.checks).toMatchObject([{ kind: "billet_register", count: 1 }]);
    await retryTicked(kit.operator, id, ids.slice(0, 1));
    for (const by of [kit.operator, kit.admin])
      expect((await alone(by, 0, 11_00)).body.code).toBe("payment_awaits_approval");
    expect((await alone(kit.operator, 1, 12_00)).body.awaits_approval).toBe(true);
    const both = await retry(kit.admin, id, ids);
    expect(both.body.data.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining("já está em um pedido aguardando aprovação")),
    );
    for (const request of await requests(kit.admin))
      await kit.admin.call(rejectRequest, { params: { id: request.id }, body: {} });
    await boletoDraft(kit.admin, bad.slice(1));
    const sent = await retryTicked(kit.admin, id, ids);
    expect(sent.body).toEqual({
      data: [
        { id: ids[1], outcome: "refused", reason: "Este boleto já foi cadastrado." },
        { id: ids[0], outcome: "sent", reason: null },
      ],
      value: 11_00,
    });
    expect(await boletoStatusesOf(kit.admin, id)).toEqual(["PAID", "EXECUTING", "FAILED"]);
    expect((await giveBack(kit.admin, id, [ids[1]])).body.value).toBe(12_00);
    expect((await boletosOf(kit.admin, id)).map(({ status }) => status)).toContain("RETURNED");
  });
});

describe("giving back", () => {
  it("TRF-047 gives the others of the same receivers back with the chosen ones, each once, and leaves one entry", async () => {
    const { id, ids } = await failedBatch();
    const { body } = await giveBack(kit.operator, id, [ids[0]]);
    expect(body.value).toBe(30_00);
    expect(body.data.map(({ id: one }: { id: string }) => one).sort()).toEqual(ids.slice(0, 2).sort());
    expect(await statusesOf(kit.admin, id)).toEqual(["RETURNED", "RETURNED", "FAILED", "FINISHED"]);
    expect(await balanceOf(kit.admin)).toBe(30_00);
    const [newest] = (await statementOf(kit.admin)).entries;
    expect(newest).toMatchObject({ type: "REFUND", complement: { receiver: { name: "Ana Lima" } } });
    expect(await entries("payments_given_back")).toMatchObject([{ value: 30_00 }]);
    await giveBack(kit.admin, id, [ids[2]]);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "FINISHED",
      failed_count: 0,
      returned_count: 3,
    });
    expect(await balanceOf(kit.admin)).toBe(60_00);
  });
});

describe("the list", () => {
  it("names every failed payment with its reason, and nothing of another company or of a batch without any", async () => {
    const { id, ids } = await failedBatch();
    expect((await kit.stranger.call(listFailures, { params: { id } })).body.code).toBe("not_found");
    const { data, total } = await list(kit.analyst, id);
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
    expect((await list(kit.admin, empty.id)).data).toEqual([]);
  });

  it("says what each person may do, and whom to ask for the rest", async () => {
    const { id } = await failedBatch();
    expect(await list(kit.admin, id)).toMatchObject({
      retry: { allowed: true, waits_for_approval: false },
      give_back: { allowed: true },
      ask: [],
    });
    expect(await list(kit.operator, id)).toMatchObject({
      retry: { allowed: true, waits_for_approval: true },
      give_back: { allowed: true },
      ask: ["Helena Prado"],
    });
    expect(await list(kit.analyst, id)).toMatchObject({
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
    expect(await list(kit.operator, id)).toMatchObject({
      retry: { allowed: false, why_not: expect.stringContaining("só administradores corrigem") },
      give_back: { allowed: false, why_not: expect.stringContaining("só administradores devolvem") },
    });
    const { ids } = await failedBatch();
    const [first] = ids;
    expect((await retry(kit.operator, id, [first])).body.code).toBe("correction_admins_only");
    expect((await giveBack(kit.operator, id, [first])).body.code).toBe("refund_admins_only");
  });
});

describe("what has to be ticked of a failed payment", () => {
  const light = () => [
    pix(123_00, {
      integration_id: null,
      destination_bank_account: { name: "Luz", pix_key_type: "EMAIL", pix_key: "luz@exemplo.com.br" },
    }),
  ];
  const missingOf = (answer: { body: { data: { checks: { kind: string; fingerprint: string }[] } } }) =>
    answer.body.data.checks.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
  const retryWith = (by: Person, id: string, ids: Ids, confirmations: object[], named?: string) =>
    by.call(
      retryFailures,
      { params: { id }, body: { ids: ids as string[], confirmations } as never },
      key(named),
    );
  /** Failed, and made again in another batch, which is paid with a tick. */
  async function madeAgain() {
    const { id, ids } = await failedBatch([...light(), to(1_00, "Resto")]);
    await kit.deposit(123_00);
    const again = await draft(kit.admin, light());
    const refused = await closing(kit.admin, again.id);
    expect(refused.body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment" }] },
    });
    const { body } = await closing(kit.admin, again.id, undefined, { confirmations: missingOf(refused) });
    expect(body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    return { id, ids: ids.slice(0, 1), paid: again.id };
  }

  it("of one that was made again is asked before it is sent a second time, and kept by name", async () => {
    const { id, ids, paid } = await madeAgain();
    const [listed] = (await list(kit.admin, id)).data;
    expect(listed?.retry_checks).toEqual([expect.stringContaining("Mesmo recebedor e valor em")]);
    const refused = await retry(kit.admin, id, ids, "once");
    expect([refused.status, refused.body.code]).toEqual([422, "checks_not_confirmed"]);
    expect(refused.body.message).toContain("1 possível pagamento em dobro");
    expect(refused.body.data.checks).toMatchObject([
      { kind: "same_payment", count: 1, value: 123_00, findings: [{ other: { batch_id: paid } }] },
    ]);
    const stale = await retryWith(kit.admin, id, ids, [{ kind: "same_payment", fingerprint: "1-a" }]);
    expect(stale.body.code).toBe("checks_changed");
    expect((await statusesOf(kit.admin, id))[0]).toBe("FAILED");
    const confirmations = missingOf(refused);
    // The same intention, under its key: what was refused did nothing.
    expect((await retryWith(kit.admin, id, ids, confirmations, "once")).body.data[0].outcome).toBe("sent");
    const { rows } = await kit.services.db.pool.query(
      "SELECT confirmed_by_name AS by FROM check_confirmations WHERE batch_id = $1",
      [id],
    );
    expect(rows).toEqual([{ by: "Helena Prado" }]);
    expect(await entries("checks_confirmed")).toContainEqual({ payments: ids, confirmations });
  });

  it("of a correction to who was just paid the same is asked too", async () => {
    const { id, ids } = await failedBatch([to(123_00, "Ana Lima"), to(1_00, "Resto")]);
    await kit.deposit(123_00);
    const paid = await draft(kit.admin, light());
    expect((await closing(kit.admin, paid.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    const params = { id, tid: ids[0] as string };
    const [body] = light();
    const refused = await kit.admin.call(changeTransfer, { params, body: body! });
    expect(refused.body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment" }] },
    });
    expect((await statusesOf(kit.admin, id))[0]).toBe("FAILED");
    const confirmations = missingOf(refused) as never;
    const sent = await kit.admin.call(changeTransfer, { params, body: { ...body!, confirmations } });
    expect(sent.body.status).toBe("RECEIVED");
  });

  it("is shown to the approver with its name, and what came up since is asked of the approver", async () => {
    const { id, ids } = await madeAgain();
    const refused = await retry(kit.operator, id, ids);
    const asked = await retryWith(kit.operator, id, ids, missingOf(refused));
    expect(asked.body.data[0].outcome).toBe("waits_for_approval");
    const [request] = await requests(kit.admin);
    expect(request.facts).toContainEqual({
      label: "1 possível pagamento em dobro",
      value: expect.stringMatching(
        /Mesmo recebedor e valor em .* · Conferido por Rui Tavares em \d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/,
      ),
    });
    const approve = ({ id: one, digest }: { id: string; digest: string }, body: object = {}) =>
      kit.admin.call(approveRequest, { params: { id: one }, body: { digest, ...body } }, key());
    expect((await approve(request)).body.status).toBe("approved");

    const other = await failedBatch([to(77_00, "Bento Cruz"), to(1_00, "Resto")]);
    await kit.services.db.pool.query("UPDATE transfers SET integration_id = NULL WHERE batch_id = $1", [
      other.id,
    ]);
    await retry(kit.operator, other.id, other.ids.slice(0, 1));
    const waiting = (await requests(kit.admin)).find(
      ({ status }: { status: string }) => status === "pending",
    );
    await kit.deposit(77_00);
    const twin = await draft(kit.admin, [{ ...to(77_00, "Bento Cruz"), integration_id: null }]);
    const confirmations = missingOf(await closing(kit.admin, twin.id));
    expect((await closing(kit.admin, twin.id, undefined, { confirmations })).status).toBe(200);
    const late = await approve(waiting);
    expect(late.body.code).toBe("checks_not_confirmed");
    expect((await statusesOf(kit.admin, other.id))[0]).toBe("FAILED");
    expect((await approve(waiting, { confirmations: missingOf(late) })).body.status).toBe("approved");
  });
});

describe("the notice", () => {
  const notices = async (by: Person) => (await by.call(listFailureNotices)).body;

  it("is for who made and who approved the batch, until nothing of it is failed", async () => {
    await kit.deposit(100_00);
    const { id, revision } = await draft(kit.operator, four(), "Fornecedores");
    await kit.operator.call(sendBatchToApproval, { params: { id }, body: { revision } });
    await closing(kit.admin, id, undefined, { revision });
    const ids = await failed(id);
    const expected = { data: [{ id, name: "Fornecedores", failed_count: 3 }], count: 1 };
    expect(await notices(kit.operator)).toEqual(expected);
    expect(await notices(kit.admin)).toEqual(expected);
    for (const nobody of [kit.analyst, kit.stranger])
      expect(await notices(nobody)).toEqual({ data: [], count: 0 });
    await giveBack(kit.admin, id, ids.slice(0, 3));
    expect(await notices(kit.operator)).toEqual({ data: [], count: 0 });
  });

  it("names the newest three and counts all", async () => {
    for (let made = 0; made < 4; made++) await failedBatch([to(10_00, "Ana Lima"), to(20_00, "Bento Cruz")]);
    const { data, count } = await notices(kit.admin);
    expect([data.length, count]).toEqual([3, 4]);
  });
});

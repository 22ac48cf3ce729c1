/** Findings about a batch: the confirmations that closing, approving and forwarding require. */
import { randomUUID } from "node:crypto";
import { createBatch, saveBatch } from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { createCredential } from "@malote/contracts/developer";
import { authorize } from "@malote/contracts/session";
import type { Transfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../../company/store.ts";
import type { Person } from "../../testing/app.ts";
import { bare, checkCalls, confirm, send, toKey } from "../../testing/checks-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { read, kinds, alerts, ticks } = checkCalls(() => kit);

const tickAll = async (by: Person, id: string) => confirm(by, id, await ticks(id));
/** The caller is signed in as a machine. */
async function machine(by: Person): Promise<Person> {
  const made = (await by.call(createCredential, { body: { name: "ERP" } })).body;
  const { client_id, client_secret } = made;
  const body = { grant_type: "client_credentials", client_id, client_secret };
  const token = (await kit.call(authorize, { body })).body.access_token;
  return {
    ...by,
    call: (contract, input, headers) => kit.call(contract, input, { token, ...(headers && { headers }) }),
  };
}

describe("refusals", () => {
  it("does not close, approve or send on a batch with a missing confirmation, and names it", async () => {
    const { id } = await draft(kit.operator, [bare(), bare()]);
    const sent = await send(kit.operator, id);
    expect(sent.status).toBe(422);
    expect(sent.body).toMatchObject({
      code: "checks_not_confirmed",
      message: expect.stringContaining("Confira e marque antes de continuar: 1 possível pagamento em dobro."),
      data: { checks: [{ kind: "same_payment", count: 1, value: 1_234_56 }] },
    });
    const closed = await closing(kit.admin, id);
    expect(closed.body.code).toBe("checks_not_confirmed");
    expect((await batch(kit.admin, id)).status).toBe("DRAFT");
    // The missing fingerprint is the one that needs a confirmation.
    const [missing] = closed.body.data.checks;
    const { kind, fingerprint } = missing;
    const again = await closing(kit.admin, id, randomUUID(), { confirmations: [{ kind, fingerprint }] });
    expect(again.status).toBe(200);
  });

  it("refuses a confirmation by an analyst, a stranger, of an unknown finding or of a closed batch", async () => {
    const { id } = await draft(kit.admin, [bare(), bare()]);
    const confirmations = await ticks(id);
    expect((await kit.call(confirmBatchChecks, { params: { id }, body: { confirmations } })).status).toBe(
      401,
    );
    expect((await confirm(kit.analyst, id, confirmations)).body.code).toBe("forbidden");
    expect((await confirm(kit.stranger, id, confirmations)).body.code).toBe("not_found");
    expect((await kit.stranger.call(readBatchChecks, { params: { id } })).body.code).toBe("not_found");
    expect((await confirm(kit.admin, id, [])).body.code).toBe("invalid_request");
    expect((await confirm(kit.admin, id, [{ kind: "sem_graca", fingerprint: "1" }])).status).toBe(400);
    const wrong = [{ kind: "same_payment", fingerprint: "9-abc" }];
    expect((await confirm(kit.admin, id, wrong)).body.code).toBe("checks_changed");
    const other = [{ kind: "changed_account", fingerprint: confirmations[0]?.fingerprint }];
    expect((await confirm(kit.admin, id, other)).body.code).toBe("checks_changed");
    expect((await closing(kit.admin, id, randomUUID(), { confirmations: wrong })).body.code).toBe(
      "checks_changed",
    );
    expect(await ticks(id)).toEqual(confirmations);
    expect((await closing(kit.admin, id, randomUUID(), { confirmations })).status).toBe(200);
    expect((await confirm(kit.admin, id, confirmations)).body.code).toBe("batch_not_draft");
  });

  it("accepts a credential's confirmation only for batches that it prepared itself", async () => {
    const erp = await machine(kit.admin);
    const ofRui = await draft(kit.operator, [bare(), bare()]);
    const refused = await confirm(erp, ofRui.id, await ticks(ofRui.id));
    expect([refused.status, refused.body.code]).toEqual([403, "confirmation_of_another"]);
    const body = { confirmations: await ticks(ofRui.id) };
    expect((await closing(erp, ofRui.id, randomUUID(), body)).body.code).toBe("confirmation_of_another");
    // A credential that adds to another person's draft does not become its only preparer.
    const added = { name: "Mais um", transfers: [bare(1)] };
    expect((await erp.call(saveBatch, { params: { id: ofRui.id }, body: added })).status).toBe(200);
    expect((await confirm(erp, ofRui.id, await ticks(ofRui.id))).body.code).toBe("confirmation_of_another");

    const own = (
      await erp.call(createBatch, { body: { name: "Do ERP", transfers: [bare(2_00), bare(2_00)] } })
    ).body;
    expect((await confirm(erp, own.id, await ticks(own.id))).status).toBe(200);
    // A batch that waits for approval needs the confirmation of a person.
    const { body: changed } = await kit.admin.call(saveBatch, {
      params: { id: own.id },
      body: { name: "Do ERP", transfers: [bare(2_00)] },
    });
    expect(changed.payments_count).toBe(3);
    expect((await send(kit.admin, own.id, { confirmations: await ticks(own.id) })).status).toBe(200);
    expect((await confirm(erp, own.id, [{ kind: "same_payment", fingerprint: "1" }])).body.code).toBe(
      "confirmation_of_another",
    );
    expect(
      (await confirm(kit.operator, own.id, [{ kind: "same_payment", fingerprint: "1" }])).body.code,
    ).toBe("forbidden");
  });

  it("requires the approver to confirm findings from after the batch was sent", async () => {
    const waiting = await draft(kit.operator, [bare()]);
    expect((await send(kit.operator, waiting.id)).status).toBe(200);
    const other = await draft(kit.admin, [bare()], "Outro lote");
    expect(await alerts(other.id)).toEqual([["same_payment", 1]]);
    const confirmations = await ticks(other.id);
    expect((await closing(kit.admin, other.id, randomUUID(), { confirmations })).status).toBe(200);
    const { revision } = await batch(kit.admin, waiting.id);
    const approve = (body: object) => closing(kit.admin, waiting.id, randomUUID(), { revision, ...body });
    expect((await approve({})).body.code).toBe("checks_not_confirmed");
    const [found] = (await read(waiting.id)).data;
    expect(found?.findings[0]?.other).toMatchObject({ batch_name: "Outro lote", person: "Helena Prado" });
    expect((await approve({ confirmations: await ticks(waiting.id) })).status).toBe(200);
  });
});

it("stores a confirmation with its person and time, and invalidates it when its payments change", async () => {
  const { id } = await draft(kit.operator, [bare(), bare()]);
  expect((await tickAll(kit.operator, id)).body.missing).toEqual([]);
  const ticked = (await read(id)).data[0];
  expect(ticked?.confirmed).toEqual({ by: "Rui Tavares", at: kit.clock.now().toISOString() });
  const trail = await kit.services.db.withCompany(
    auroraId,
    async (tx) =>
      (
        await sql<{
          actor_name: string;
        }>`SELECT actor_name FROM audit_entries WHERE action = 'checks_confirmed'`.execute(tx)
      ).rows,
  );
  expect(trail).toEqual([{ actor_name: "Rui Tavares" }]);

  const save = async (body: object) =>
    kit.operator.call(saveBatch, { params: { id }, body: { name: "Lote", ...body } });
  // A payment to another receiver leaves the confirmed findings valid.
  await save({ transfers: [toKey("outra.pessoa@exemplo.com.br", {}, "Outra Pessoa")] });
  expect(await ticks(id)).toEqual([]);
  // Another value of both makes another pair.
  const [first, second] = (await batch(kit.admin, id)).transfers;
  await save({
    transfers: [
      { ...bare(9_99), id: first.id },
      { ...bare(9_99), id: second.id },
    ],
  });
  expect(await ticks(id)).toHaveLength(1);
  await tickAll(kit.operator, id);
  // A third equal payment exceeds what was confirmed.
  await save({ transfers: [bare(9_99)] });
  expect((await read(id)).missing).toMatchObject([{ kind: "same_payment", count: 2 }]);
  // Without the pair no confirmation is needed.
  const { transfers } = await batch(kit.admin, id);
  await save({
    removed_ids: transfers
      .filter((t) => t.value === 9_99)
      .slice(1)
      .map((t) => t.id),
  });
  expect(await ticks(id)).toEqual([]);
  expect((await send(kit.operator, id)).status).toBe(200);
});

it("e-mails the admins the findings and who confirmed them", async () => {
  const { id } = await draft(kit.operator, [bare(), bare()]);
  await tickAll(kit.operator, id);
  expect((await send(kit.operator, id)).status).toBe(200);
  await kit.drainJobs();
  expect(kit.mails[0]?.text).toContain(
    "1 possível pagamento em dobro (conferido por Rui Tavares) · 1 recebedor novo",
  );
});

it("finds nothing to confirm in an ordinary batch, and closes it", async () => {
  const { id } = await draft(kit.admin, [bare(1_00), bare(2_00)]);
  expect(await kinds(id)).toEqual([
    ["new_receiver", 1],
    ["holder_by_name", 2],
    ["balance_short", 1],
  ]);
  await kit.deposit(3_00);
  expect(await kinds(id)).toEqual([
    ["new_receiver", 1],
    ["holder_by_name", 2],
  ]);
  expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
  // A paid batch is not checked any more.
  expect((await read(id)).data).toEqual([]);
  expect((await read(id, kit.analyst)).summary.count).toBe(2);
});

it("summarises a batch for its approver: methods, alerts, new receivers and the five largest payments", async () => {
  const amounts = [5_00, 70_00, 20_00, 10_00, 90_00, 30_00];
  const { id } = await draft(kit.admin, [
    ...amounts.map((value, n) => toKey(`pessoa${n}@exemplo.com.br`, { value }, `Pessoa ${n} Silva`)),
    ted(40_00),
    ted(40_00, { integration_id: null }),
  ]);
  const { summary } = await read(id);
  expect(summary).toMatchObject({
    count: 8,
    value: 305_00,
    by_method: [
      { payment_method: "PIX", count: 6, value: 225_00 },
      { payment_method: "TED", count: 2, value: 80_00 },
    ],
    alerts: 1,
    new_receivers: 7,
  });
  expect(summary.largest.map(({ value }) => value)).toEqual([90_00, 70_00, 40_00, 40_00, 30_00]);
});

it("repeats the answer to a repeated closing", async () => {
  const { id } = await draft(kit.admin, [bare(), bare()]);
  const key = randomUUID();
  const body = { confirmations: await ticks(id) };
  const one = await closing(kit.admin, id, key, body);
  const two = await closing(kit.admin, id, key, body);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body).toEqual(two.body);
  expect((await closing(kit.admin, id, randomUUID(), body)).body.code).toBe("batch_not_draft");
});

it("requires a new confirmation of two payments when either changes its destination or its name", async () => {
  const { id } = await draft(kit.operator, [
    toKey("luz@exemplo.com.br", {}, "Elétrica Luz Ltda"),
    toKey("rita@exemplo.com.br", {}, "Elétrica Luz"),
  ]);
  const confirmed = async () =>
    (await read(id)).data
      .filter(({ kind }) => kind === "like_name")
      .map(({ confirmed }) => confirmed !== null);
  const [first, second] = (await batch(kit.admin, id)).transfers;
  for (const [payment, change] of [
    [first, toKey("outra@exemplo.com.br", {}, "Elétrica Luz Ltda")],
    [second, toKey("mais@exemplo.com.br", {}, "Elétrica Luz")],
    [first, toKey("outra@exemplo.com.br", {}, "ELETRICA LUZ LTDA ME")],
    [second, toKey("mais@exemplo.com.br", {}, "ELETRICA LUZ ME")],
  ] as const) {
    await tickAll(kit.admin, id);
    expect(await confirmed()).toEqual([true]);
    const transfers = [{ ...change, id: payment?.id }];
    const saved = await kit.operator.call(saveBatch, { params: { id }, body: { name: "Folha", transfers } });
    expect(saved.status).toBe(200);
    expect(await confirmed(), JSON.stringify(change)).toEqual([false]);
  }
});

it("gives findings a fingerprint that no choice of other payments can reproduce", async () => {
  const { id } = await draft(kit.operator, [bare(10_00), bare(10_00), bare(20_00), bare(20_00)]);
  const { transfers } = await batch(kit.admin, id);
  const fingerprints: bigint[] = [];
  for (const [one, two] of [
    ["Ana", "Bia"],
    ["Ana", "Lia"],
    ["Eva", "Bia"],
    ["Eva", "Lia"],
  ] as const) {
    const named = ({ id, value }: { id: string; value: number | null }, name: string) => {
      const payment = bare(value ?? 0);
      return { ...payment, id, destination_bank_account: { ...payment.destination_bank_account, name } };
    };
    const changed = [named(transfers[1] as Transfer, one), named(transfers[3] as Transfer, two)];
    await kit.operator.call(saveBatch, { params: { id }, body: { name: "Folha", transfers: changed } });
    const [check] = (await read(id)).data.filter(({ kind }) => kind === "same_payment");
    expect(check).toMatchObject({ count: 2, fingerprint: expect.stringMatching(/^2-[0-9a-f]{64}$/) });
    fingerprints.push(BigInt(`0x${check?.fingerprint?.split("-")[1]}`));
  }
  expect(new Set(fingerprints).size).toBe(4);
  // A plain sum of the findings could be solved for: one choice could compensate for another.
  expect(fingerprints.reduce((sum, one) => sum ^ one)).not.toBe(0n);
});

it("does not count the preparer's confirmation as the approver's if the company requires two people", async () => {
  await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));
  const { id } = await draft(kit.admin, [bare(), bare()]);
  await tickAll(kit.admin, id);
  expect((await send(kit.admin, id)).status).toBe(200);
  const [found] = (await read(id)).data;
  const again = [{ kind: "same_payment", fingerprint: found?.fingerprint }];
  expect((await confirm(kit.admin, id, again)).body.code).toBe("approver_is_creator");
});

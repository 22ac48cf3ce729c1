/** Findings about a large batch, which are computed once and stored. */
import { randomUUID } from "node:crypto";
import { enableBatchEdit } from "@malote/contracts/batch-life";
import { saveBatch } from "@malote/contracts/batches";
import { createReceiver } from "@malote/contracts/receivers";
import { changeTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCalls, send, toKey } from "../../testing/checks-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { read, kinds, alerts, ticks, pay } = checkCalls(() => kit);

it("compares a large batch with batches closed since its last check, and checks it again when it changes", async () => {
  const many = 2_000;
  const key = (n: number) => `pessoa${n}@exemplo.com.br`;
  const large = await draft(kit.admin, [], "Folha");
  for (let n = 0; n < many; n += 500)
    await kit.admin.call(saveBatch, {
      params: { id: large.id },
      body: {
        name: "Folha",
        transfers: Array.from({ length: 500 }, (_, i) => toKey(key(n + i), {}, `Pessoa ${n + i} Silva`)),
      },
    });
  expect(await kinds(large.id)).toEqual([
    ["new_receiver", many],
    ["holder_by_name", many],
    ["balance_short", 1],
  ]);
  const kept = () =>
    kit.services.db.withCompany(
      auroraId,
      async (tx) => (await sql<{ checked_at: Date }>`SELECT checked_at FROM batch_checks`.execute(tx)).rows,
    );
  expect(await kept()).toHaveLength(1);
  const [first] = await kept();
  kit.clock.advance({ minutes: 1 });
  await read(large.id);
  expect(await kept()).toEqual([first]);
  // A person closes a batch with one of these payments.
  const small = await draft(kit.admin, [toKey(key(77), {}, "Pessoa 77 Silva")]);
  expect((await closing(kit.admin, small.id)).status).toBe(200);
  expect(await alerts(large.id)).toEqual([["same_payment", 1]]);
  await kit.admin.call(saveBatch, {
    params: { id: large.id },
    body: { name: "Folha", transfers: [toKey(key(3), {}, "Pessoa 3 Silva")] },
  });
  expect(await alerts(large.id)).toEqual([["same_payment", 2]]);
  expect((await closing(kit.admin, large.id)).body.code).toBe("checks_not_confirmed");
  // A payment that its holder settles stays settled until another batch is closed.
  expect(
    (await closing(kit.admin, large.id, randomUUID(), { confirmations: await ticks(large.id) })).status,
  ).toBe(200);
});

describe("a large batch is checked again", () => {
  const many = 2_000;
  const key = (n: number) => `pessoa${n}@exemplo.com.br`;
  async function largeDraft(): Promise<string> {
    const { id } = await draft(kit.admin, [], "Folha");
    for (let n = 0; n < many; n += 500)
      await kit.admin.call(saveBatch, {
        params: { id },
        body: {
          name: "Folha",
          transfers: Array.from({ length: 500 }, (_, i) => toKey(key(n + i), {}, `Pessoa ${n + i} Silva`)),
        },
      });
    expect(await alerts(id)).toEqual([]);
    return id;
  }

  it("when a failed payment is corrected to one of its receivers", async () => {
    const failing = await pay([toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa")]);
    const [{ id: tid }] = (await batch(kit.admin, failing)).transfers;
    const large = await largeDraft();
    const body = toKey(key(77), {}, "Pessoa 77 Silva");
    expect((await kit.admin.call(changeTransfer, { params: { id: failing, tid }, body })).status).toBe(200);
    expect(await alerts(large)).toEqual([["same_payment", 1]]);
    await kit.pass({ minutes: 5 });
    await kit.pass({ minutes: 5 });
    expect((await batch(kit.admin, failing)).status).toBe("FINISHED");
    expect((await closing(kit.admin, large)).body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment", count: 1 }] },
    });
    expect((await batch(kit.admin, large)).status).toBe("DRAFT");
  });

  it("when another batch is sent to approval, and when a receiver is saved with a document", async () => {
    const large = await largeDraft();
    const waiting = await draft(kit.operator, [toKey(key(5), {}, "Pessoa 5 Silva")]);
    expect((await send(kit.operator, waiting.id)).status).toBe(200);
    expect((await closing(kit.admin, large)).body).toMatchObject({ code: "checks_not_confirmed" });
    expect(await alerts(large)).toEqual([["same_payment", 1]]);
    await kit.admin.call(enableBatchEdit, { params: { id: waiting.id } });

    const document = "52998224725";
    const account = { name: "Pessoa 9 Silva", cpf_cnpj: document };
    const paid = toKey(key(9_999), {
      destination_bank_account: { ...account, pix_key_type: "EMAIL", pix_key: key(9_999) },
    });
    await pay([paid]);
    expect(await alerts(large)).toEqual([]);
    await kit.admin.call(createReceiver, { body: { ...account, pix_key_type: "EMAIL", pix_key: key(9) } });
    expect(await alerts(large)).toEqual([
      ["same_payment", 1],
      ["changed_account", 1],
    ]);
  });
});

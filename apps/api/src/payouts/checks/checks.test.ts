/** The checks before paying, as people and programs meet them: shown, ticked by name, and asked for wherever a batch goes on. */
import { randomUUID } from "node:crypto";
import { deleteBatch, enableBatchEdit, sendBatchToApproval } from "@malote/contracts/batch-life";
import { createBatch, saveBatch } from "@malote/contracts/batches";
import { type BatchChecks, confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { createCredential } from "@malote/contracts/developer";
import { createReceiver } from "@malote/contracts/receivers";
import { authorize } from "@malote/contracts/session";
import {
  changeTransfer,
  listFailedTransferIds,
  listTransfers,
  refundTransfer,
  type TransferInput,
} from "@malote/contracts/transfers";
import { addDays, type CalendarDate } from "@malote/domain/calendar";
import { isFarValue, isSteady } from "@malote/domain/checks";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../../company/store.ts";
import type { Person } from "../../testing/app.ts";
import { barcodeOf, boletoDraft, boletoOf } from "../../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

/** A payment as a sheet brings it: nothing says which document it pays. */
const bare = (value = 1_234_56, changes: Partial<TransferInput> = {}) =>
  pix(value, { integration_id: null, ...changes });
const toKey = (key: string, changes: Partial<TransferInput> = {}, name = "Rita de Cássia Lima") =>
  bare(1_234_56, { destination_bank_account: { name, pix_key_type: "EMAIL", pix_key: key }, ...changes });

const read = async (id: string, by: Person = kit.admin): Promise<BatchChecks> =>
  (await by.call(readBatchChecks, { params: { id } })).body;
const kinds = async (id: string) => (await read(id)).data.map(({ kind, count }) => [kind, count]);
const alerts = async (id: string) =>
  (await read(id)).data.filter(({ severity }) => severity !== "note").map(({ kind, count }) => [kind, count]);
const confirm = (by: Person, id: string, confirmations: object) =>
  by.call(confirmBatchChecks, { params: { id }, body: { confirmations } });
const ticks = async (id: string) =>
  (await read(id)).missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
const tickAll = async (by: Person, id: string) => confirm(by, id, await ticks(id));
const send = (by: Person, id: string, body: object = {}) =>
  by.call(sendBatchToApproval, { params: { id }, body });

async function pay(transfers: readonly TransferInput[], name?: string): Promise<string> {
  await kit.deposit(100_000_00);
  const { id } = await draft(kit.admin, transfers, name);
  const confirmations = await ticks(id);
  const answer = await closing(
    kit.admin,
    id,
    randomUUID(),
    confirmations.length > 0 ? { confirmations } : {},
  );
  if (!answer.body.is_batch_paid) throw new Error(JSON.stringify(answer.body));
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  return id;
}

/** Signed in as a machine. */
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
  it("closes, approves and sends on nothing with a tick missing, and says which", async () => {
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
    // The fingerprint that is missing is the one that a tick needs.
    const [missing] = closed.body.data.checks;
    const { kind, fingerprint } = missing;
    const again = await closing(kit.admin, id, randomUUID(), { confirmations: [{ kind, fingerprint }] });
    expect(again.status).toBe(200);
  });

  it("takes no tick of an analyst, a stranger, an unknown finding or a batch that is closed", async () => {
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

  it("takes a credential's tick of what it prepared itself, and of nothing else", async () => {
    const erp = await machine(kit.admin);
    const ofRui = await draft(kit.operator, [bare(), bare()]);
    const refused = await confirm(erp, ofRui.id, await ticks(ofRui.id));
    expect([refused.status, refused.body.code]).toEqual([403, "confirmation_of_another"]);
    const body = { confirmations: await ticks(ofRui.id) };
    expect((await closing(erp, ofRui.id, randomUUID(), body)).body.code).toBe("confirmation_of_another");

    const own = (
      await erp.call(createBatch, { body: { name: "Do ERP", transfers: [bare(2_00), bare(2_00)] } })
    ).body;
    expect((await confirm(erp, own.id, await ticks(own.id))).status).toBe(200);
    // Once it waits for approval, the eyes that are asked for are a person's.
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

  it("asks who approves for what came up since the batch was sent", async () => {
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

it("keeps a tick with who gave it and when, and loses it when what it was given for changes", async () => {
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
  // A payment to another receiver changes nothing of what was checked.
  await save({ transfers: [toKey("outra.pessoa@exemplo.com.br", {}, "Outra Pessoa")] });
  expect(await ticks(id)).toEqual([]);
  // Another value of both is another pair.
  const [first, second] = (await batch(kit.admin, id)).transfers;
  await save({
    transfers: [
      { ...bare(9_99), id: first.id },
      { ...bare(9_99), id: second.id },
    ],
  });
  expect(await ticks(id)).toHaveLength(1);
  await tickAll(kit.operator, id);
  // A third one of it is more than was looked at.
  await save({ transfers: [bare(9_99)] });
  expect((await read(id)).missing).toMatchObject([{ kind: "same_payment", count: 2 }]);
  // Without the pair there is nothing to tick.
  const { transfers } = await batch(kit.admin, id);
  await save({
    removed_ids: transfers
      .filter((t: { value: number }) => t.value === 9_99)
      .slice(1)
      .map((t: { id: string }) => t.id),
  });
  expect(await ticks(id)).toEqual([]);
  expect((await send(kit.operator, id)).status).toBe(200);
});

it("writes to the admins what there is to see, and who has looked at it", async () => {
  const { id } = await draft(kit.operator, [bare(), bare()]);
  await tickAll(kit.operator, id);
  expect((await send(kit.operator, id)).status).toBe(200);
  await kit.drainJobs();
  expect(kit.mails[0]?.text).toContain(
    "1 possível pagamento em dobro (conferido por Rui Tavares) · 1 recebedor novo",
  );
});

it("finds nothing to tick in a batch as most are, and closes it as before", async () => {
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
  // What is paid is looked at no more.
  expect((await read(id)).data).toEqual([]);
  expect((await read(id, kit.analyst)).summary.count).toBe(2);
});

it("sums a batch up for whoever approves it: methods, alerts, new receivers and the five largest", async () => {
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

describe("what is found", () => {
  it("the same receiver and value twice, by key, by document and by account, but not of two documents", async () => {
    const account = ted(50_00, { integration_id: null });
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br"),
      toKey("rita@exemplo.com.br"),
      account,
      // The same document by its key.
      bare(50_00, {
        destination_bank_account: { name: "Padaria", pix_key_type: "CNPJ", pix_key: "11222333000181" },
      }),
      toKey("ana@exemplo.com.br", { pix_description: "NF 101" }, "Ana Prado"),
      toKey("ana@exemplo.com.br", { pix_description: "NF 102" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "NF 7" }, "Bia Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "nf. 007" }, "Bia Prado"),
    ]);
    const same = (await read(id)).data.find(({ kind }) => kind === "same_payment");
    expect(same).toMatchObject({ count: 3, value: 1_234_56 * 2 + 50_00, severity: "tick" });
    expect(same?.findings.map(({ text }) => text)).toEqual(
      Array(3).fill("Mesmo recebedor e valor neste mesmo lote"),
    );
  });

  it("the same key or account, also where only one of the two names its document", async () => {
    const named = (key: string, cpf_cnpj: string | null): TransferInput =>
      bare(70_00, {
        destination_bank_account: { name: "Rita Lima", pix_key_type: "EMAIL", pix_key: key, cpf_cnpj },
      });
    const { id } = await draft(kit.admin, [
      named("rita@exemplo.com.br", "52998224725"),
      named("rita@exemplo.com.br", null),
      // Of two people at one address it is unknown which one is intended.
      named("casa@exemplo.com.br", "52998224725"),
      named("casa@exemplo.com.br", "11144477735"),
    ]);
    const same = (await read(id)).data.find(({ kind }) => kind === "same_payment");
    expect(same?.findings.map(({ payment }) => payment.name)).toEqual(["Rita Lima", "Rita Lima"]);
    expect((await closing(kit.admin, id)).body.code).toBe("checks_not_confirmed");
  });

  it("the same in the last 45 days, whatever has become of it but returned or deleted: what failed can still be sent again", async () => {
    const earlier = await pay([toKey("rita@exemplo.com.br")], "Fornecedores");
    const now = await draft(kit.operator, [toKey("rita@exemplo.com.br")]);
    const [found] = (await read(now.id)).data;
    expect(found).toMatchObject({ kind: "same_payment", count: 1 });
    expect(found?.findings[0]).toMatchObject({
      text: "Mesmo recebedor e valor em 12/08/2026, no lote “Fornecedores” (pago), de Helena Prado",
      other: {
        batch_id: earlier,
        batch_name: "Fornecedores",
        batch_status: "FINISHED",
        person: "Helena Prado",
      },
    });
    await kit.pass({ days: 45 });
    expect(await alerts(now.id)).toEqual([["same_payment", 1]]);
    await kit.pass({ days: 1 });
    expect(await alerts(now.id)).toEqual([]);

    const failing = await pay([toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa")]);
    expect((await batch(kit.admin, failing)).failed_count).toBe(1);
    const twin = await draft(kit.admin, [toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa")]);
    expect((await read(twin.id)).data[0]).toMatchObject({
      kind: "same_payment",
      findings: [{ text: expect.stringContaining("(pode ainda sair: falhou e pode ser tentado de novo)") }],
    });
    const params = { id: failing, tid: (await batch(kit.admin, failing)).transfers[0].id };
    await kit.admin.call(refundTransfer, { params }, { "idempotency-key": randomUUID() });
    expect(await alerts(twin.id)).toEqual([]);

    // A draft has paid no receiver; the draft closed second needs the confirmation.
    const one = await draft(kit.admin, [toKey("uma@exemplo.com.br")]);
    const two = await draft(kit.admin, [toKey("uma@exemplo.com.br")]);
    expect(await alerts(one.id)).toEqual([]);
    await kit.admin.call(deleteBatch, { params: { id: two.id } });
  });

  it("what waits for approval or balance is found too, and no longer when it was taken back", async () => {
    const waiting = await draft(kit.admin, [toKey("uma@exemplo.com.br", { value: 100_000_00 })]);
    expect((await closing(kit.admin, waiting.id)).body.status).toBe("WAITING");
    const two = await draft(kit.admin, [toKey("uma@exemplo.com.br", { value: 100_000_00 })]);
    expect((await read(two.id)).data[0]?.findings[0]?.text).toContain("(aguardando saldo)");
    await kit.admin.call(enableBatchEdit, { params: { id: waiting.id } });
    expect(await alerts(two.id)).toEqual([]);
  });

  it("equal payments at equal distances are shown and need no tick, by the rule of the domain", async () => {
    const stories = [
      ["2026-05-12", "2026-06-12", "2026-07-12"],
      ["2026-06-12", "2026-07-12"],
      ["2026-07-12"],
      ["2026-05-01", "2026-07-12"],
      ["2026-07-22", "2026-07-29", "2026-08-05"],
      ["2026-08-10", "2026-08-11"],
    ].map((days, n) => ({ key: `aluguel${n}@exemplo.com.br`, days: days as CalendarDate[] }));
    const paid = await pay(
      stories.flatMap(({ key, days }) =>
        days.map((_, n) => toKey(key, { pix_description: `Aluguel ${n}${n}` })),
      ),
    );
    const { transfers } = await batch(kit.admin, paid);
    for (const { key, days } of stories) {
      const own = transfers.filter(
        (t: { destination_bank_account: { pix_key: string } }) => t.destination_bank_account.pix_key === key,
      );
      for (const [n, day] of days.entries())
        await kit.services.db.pool.query("UPDATE transfers SET created_at = $1 WHERE id = $2", [
          `${day}T15:00:00Z`,
          own[n].id,
        ]);
    }
    // The descriptions made them different documents; without, they are what a rent looks like.
    await kit.services.db.pool.query("UPDATE transfers SET pix_description = NULL WHERE batch_id = $1", [
      paid,
    ]);
    const { id } = await draft(
      kit.admin,
      stories.map(({ key }) => toKey(key)),
    );
    const { data } = await read(id);
    const names = (kind: string) =>
      data.find((one) => one.kind === kind)?.findings.map(({ payment }) => payment.id) ?? [];
    const drafted = (await batch(kit.admin, id)).transfers;
    for (const { key, days } of stories) {
      const mine = drafted.find(
        (t: { destination_bank_account: { pix_key: string } }) => t.destination_bank_account.pix_key === key,
      );
      const steady = isSteady([...days, "2026-08-12" as CalendarDate]);
      expect([key, names("steady_payment").includes(mine.id)]).toEqual([key, steady]);
      expect([key, names("same_payment").includes(mine.id)]).toEqual([key, !steady]);
    }
  });

  it("the same document of the same receiver with another value, but no day, month or year", async () => {
    await pay([
      toKey("rita@exemplo.com.br", { pix_description: "NF 4.567" }),
      toKey("ana@exemplo.com.br", { pix_description: "Salário 10/2026" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "Ajuda de custo" }, "Bia Prado"),
    ]);
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", { value: 99_00, pix_description: "nf 04567" }),
      toKey("ana@exemplo.com.br", { value: 99_00, pix_description: "Salário 10/2026" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { value: 99_00, pix_description: "Ajuda de custo" }, "Bia Prado"),
      toKey("nova@exemplo.com.br", { value: 99_00, pix_description: "NF 4.567" }, "Outra Pessoa"),
    ]);
    expect(await alerts(id)).toEqual([["same_reference", 1]]);
    expect((await read(id)).data[0]?.findings[0]?.text).toMatch(
      /^“nf 04567” já paga R\$\s1\.234,56 em 12\/08\/2026/,
    );
  });

  it("a receiver that is paid to another account or key than ever before", async () => {
    const to = (changes: object) => ({
      ...ted(10_00),
      destination_bank_account: { ...ted(10_00).destination_bank_account, ...changes },
    });
    await pay([ted(10_00)]);
    expect(await alerts((await draft(kit.admin, [ted(20_00)])).id)).toEqual([]);
    expect(await alerts((await draft(kit.admin, [to({ agency: "01234" })])).id)).toEqual([]);
    const other = await draft(kit.admin, [
      to({ bank_id: "00360305", account: "123456", account_digit: "8" }),
    ]);
    const [changed] = (await read(other.id)).data;
    expect(changed).toMatchObject({ kind: "changed_account", count: 1, severity: "tick" });
    expect(changed?.findings[0]?.text).toContain(
      "Agora banco 00360305 agência 1234 conta 123456-8; antes banco 60701190 agência 1234 conta 56789-7",
    );
    // A receiver without earlier payments is new, and not changed.
    expect(await kinds((await draft(kit.admin, [ted(1_00, {}, "11444777000161")])).id)).toContainEqual([
      "new_receiver",
      1,
    ]);
  });

  it("a value far above what the receiver was paid, by the rule of the domain", async () => {
    for (const value of [1_000_00, 900_00, 800_00]) await pay([bare(value)]);
    for (const value of [3_000_00, 3_001_00, 999_00]) {
      const found = await alerts((await draft(kit.admin, [bare(value)])).id);
      const isFar = isFarValue(value, { paid: 3, largest: 1_000_00 });
      expect([value, found]).toEqual([value, isFar ? [["value_far", 1]] : []]);
    }
  });

  it("a like name with the same value on the same day in another account", async () => {
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", {}, "Elétrica Luz Ltda"),
      toKey("luz@exemplo.com.br", {}, "ELETRICA LUZ LTDA ME"),
      toKey("sol@exemplo.com.br", {}, "Elétrica Sol Ltda"),
      toKey("lua@exemplo.com.br", { value: 1_00 }, "Elétrica Luz Ltda"),
    ]);
    expect(await alerts(id)).toEqual([["like_name", 1]]);
    expect((await read(id)).data[0]?.findings[0]?.text).toBe(
      "Mesmo valor e dia para Elétrica Luz Ltda, em outra conta",
    );
  });

  it("a key whose holder is not who the payment names, as the directory answered", async () => {
    const key = "chave.pix35@exemplo.com.br";
    const to = { name: "Rita Lima", cpf_cnpj: "52998224725", pix_key_type: "EMAIL", pix_key: key } as const;
    const { id } = await draft(kit.admin, [bare(10_00, { destination_bank_account: to }), bare(20_00)]);
    expect(await alerts(id)).toEqual([]);
    await kit.drainJobs();
    expect(await alerts(id)).toEqual([["holder_differs", 1]]);
    const [found] = (await read(id)).data;
    expect(found).toMatchObject({ severity: "tick", value: 10_00 });
    expect(found?.findings[0]?.text).toMatch(/^A chave é de .+ e não do documento informado$/);
    await kit.deposit(30_00);
    expect((await closing(kit.admin, id)).body.code).toBe("checks_not_confirmed");
    expect((await closing(kit.admin, id, randomUUID(), { confirmations: await ticks(id) })).status).toBe(200);
  });

  it("TRF-010 TRF-011 a receiver whose last payment did not arrive, on its card too", async () => {
    const failing = toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa");
    await pay([failing]);
    const { id } = await draft(kit.admin, [failing, toKey("outra@exemplo.com.br")]);
    const [card, other] = (await batch(kit.admin, id)).transfers;
    expect(card.destination_bank_account).toMatchObject({
      status: "FAILED",
      status_description: "Chave PIX não encontrada.",
    });
    expect(other.destination_bank_account).toMatchObject({ status: null, status_description: null });
    const listed = await kit.admin.call(listTransfers, { params: { id }, query: { status: "FAILED" } });
    expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([card.id]);
    // It may be paid, so it is none of those that 'Excluir falhas' takes out (decision 0027).
    expect(listed.body.failedTransfersSummary).toEqual({ count: 0, value: 0, ids: [] });
    expect((await kit.admin.call(listFailedTransferIds, { params: { id } })).body).toEqual({
      ids: [],
      value: 0,
    });
    const note = (await read(id)).data.find(({ kind }) => kind === "failed_receiver");
    expect(note).toMatchObject({ count: 1, severity: "note" });
    expect(note?.findings[0]?.text).toBe("O último pagamento não chegou: Chave PIX não encontrada.");
  });

  it("data that Malote put right and nobody looked at", async () => {
    const { id } = await draft(kit.admin, [bare(1_00), bare(2_00)]);
    const [first] = (await batch(kit.admin, id)).transfers;
    const marks = [
      {
        field: "account_digit",
        origin: "suggested",
        before: "",
        after: "8",
        by: null,
        at: "2026-08-12T13:00:00Z",
      },
    ];
    await kit.services.db.pool.query("UPDATE transfers SET data_marks = $1 WHERE id = $2", [
      JSON.stringify(marks),
      first.id,
    ]);
    expect(await alerts(id)).toEqual([["suggested_data", 1]]);
    expect((await read(id)).data[0]?.findings[0]).toMatchObject({
      payment: { id: first.id },
      text: "Dado sugerido, dígito da conta: vazio → 8",
    });
  });

  it("boletos name whom they pay beside what the company calls them", async () => {
    const { id } = await boletoDraft(kit.admin, [boletoOf(10_00, { description: "Luz 1" })]);
    const largest = async () => (await read(id)).summary.largest[0]?.name;
    expect(await largest()).toBe("Luz 1");
    await kit.drainJobs();
    expect(await largest()).toMatch(/^.+ Ltda · Luz 1$/);
  });

  it("a boleto that is past its due date, one long before it, and one printed again with another code", async () => {
    // A Sunday: a boleto due on Saturday is paid on Monday without charges, and still it is late.
    await kit.passUntil("2026-08-16T13:00:00Z");
    const { id } = await boletoDraft(kit.admin, [
      boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-15") }),
      boletoOf(20_00, { barcode: barcodeOf(20_00, "2026-08-31") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-19") }),
    ]);
    expect(await kinds(id)).toEqual([
      ["same_payment", 1],
      ["billet_overdue", 1],
      ["billet_early", 1],
      ["balance_short", 1],
    ]);
    const texts = (await read(id)).data.flatMap(({ findings }) => findings.map(({ text }) => text));
    expect(texts).toContain("Vencido há 1 dia: confira juros e multa");
    expect(texts).toContain("Pago 15 dias antes do vencimento, 31/08/2026");
    await kit.deposit(1_000_00);
    const confirmations = await ticks(id);
    expect((await closing(kit.admin, id, randomUUID(), { confirmations })).status).toBe(200);
    // In another batch as well.
    const again = await boletoDraft(kit.admin, [
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
    ]);
    expect(await alerts(again.id)).toEqual([["same_payment", 1]]);
  });

  it("BAT-049 a date that has passed, which no tick lets through", async () => {
    const day = addDays("2026-08-12" as CalendarDate, 1);
    const { id } = await draft(kit.admin, [bare(1_00, { payment_date: day })]);
    await kit.pass({ days: 2 });
    const [expired] = (await read(id)).data;
    expect(expired).toMatchObject({ kind: "expired_date", severity: "block", count: 1 });
    expect(
      (await confirm(kit.admin, id, [{ kind: "expired_date", fingerprint: expired?.fingerprint }])).status,
    ).toBe(200);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_expired_dates");
  });

  it("BAT-051 integration ids used in another payment, without a tick", async () => {
    const earlier = await draft(kit.admin, [bare(1_00, { integration_id: "pedido-1" })], "Pedidos");
    const { id } = await draft(kit.admin, [bare(2_00, { integration_id: "pedido-1" })]);
    const repeated = (await read(id)).data.find(({ kind }) => kind === "repeated_integration_id");
    expect(repeated).toMatchObject({ count: 1, severity: "note" });
    expect(repeated?.findings[0]?.text).toContain(
      "O ID “pedido-1” também está em 12/08/2026, no lote “Pedidos” (em rascunho)",
    );
    expect(earlier.id).not.toBe(id);
  });
});

it("sees in a large batch what was closed since it was looked at, and looks anew when it changes", async () => {
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
  // Another person closes a batch with one of its payments.
  const small = await draft(kit.admin, [toKey(key(77), {}, "Pessoa 77 Silva")]);
  expect((await closing(kit.admin, small.id)).status).toBe(200);
  expect(await alerts(large.id)).toEqual([["same_payment", 1]]);
  await kit.admin.call(saveBatch, {
    params: { id: large.id },
    body: { name: "Folha", transfers: [toKey(key(3), {}, "Pessoa 3 Silva")] },
  });
  expect(await alerts(large.id)).toEqual([["same_payment", 2]]);
  expect((await closing(kit.admin, large.id)).body.code).toBe("checks_not_confirmed");
  // One settled by its holder stays so for as long as nothing else is closed.
  expect(
    (await closing(kit.admin, large.id, randomUUID(), { confirmations: await ticks(large.id) })).status,
  ).toBe(200);
});

describe("what was found in a large batch is looked for again", () => {
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

it("keeps one answer of a closing that is sent again", async () => {
  const { id } = await draft(kit.admin, [bare(), bare()]);
  const key = randomUUID();
  const body = { confirmations: await ticks(id) };
  const one = await closing(kit.admin, id, key, body);
  const two = await closing(kit.admin, id, key, body);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body).toEqual(two.body);
  expect((await closing(kit.admin, id, randomUUID(), body)).body.code).toBe("batch_not_draft");
});

it("keeps the tick of who prepared a batch from counting as the approver's, where the company wants two people", async () => {
  await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));
  const { id } = await draft(kit.admin, [bare(), bare()]);
  await tickAll(kit.admin, id);
  expect((await send(kit.admin, id)).status).toBe(200);
  const [found] = (await read(id)).data;
  const again = [{ kind: "same_payment", fingerprint: found?.fingerprint }];
  expect((await confirm(kit.admin, id, again)).body.code).toBe("approver_is_creator");
});

/** A batch apart from its closing: created, named, saved and deleted. */
import { randomUUID } from "node:crypto";
import { deleteBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatchesBlankslate, renameBatch, saveBatch } from "@malote/contracts/batches";
import { ownInstitution } from "@malote/domain/own-institution";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { setCompany } from "../../testing/operator-kit.ts";
import {
  batch,
  closing,
  draft,
  horizonteId,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const create = (by: Person, body: object) => by.call(createBatch, { body });
const rename = (by: Person, id: string, name: unknown) =>
  by.call(renameBatch, { params: { id }, body: { name } });
const save = (by: Person, id: string, body: object) =>
  by.call(saveBatch, { params: { id }, body: { name: "Lote", ...body } });
const remove = (by: Person, id: string) => by.call(deleteBatch, { params: { id } });

it("BAT-018 shows the empty state until the company's own first batch", async () => {
  expect((await kit.analyst.call(readBatchesBlankslate)).body).toEqual({ data: true });
  await draft(kit.stranger);
  expect((await kit.analyst.call(readBatchesBlankslate)).body).toEqual({ data: true });
  const { id } = await draft(kit.admin);
  await remove(kit.admin, id);
  expect((await kit.analyst.call(readBatchesBlankslate)).body).toEqual({ data: false });
});

it("deletes a batch only if its content is the one that the call names", async () => {
  const { id, revision } = (await create(kit.operator, { name: "Vazio" })).body;
  const removing = (seen: number) =>
    kit.operator.call(deleteBatch, { params: { id }, query: { revision: String(seen) } });
  await save(kit.operator, id, { transfers: [pix(1_00)] });
  expect((await removing(revision)).body.code).toBe("batch_changed");
  const now = await batch(kit.operator, id);
  expect(now.payments_count).toBe(1);
  expect((await removing(now.revision)).status).toBe(200);
});

describe("creating and saving", () => {
  it("BAT-004 BAT-034 refuses without a token, by an analyst, without a name or with one too long", async () => {
    expect((await kit.call(createBatch, { body: { name: "Lote" } })).status).toBe(401);
    expect((await create(kit.analyst, { name: "Lote" })).status).toBe(403);
    for (const body of [
      {},
      { name: "  " },
      { name: "x".repeat(201) },
      { name: "Lote", type: "PAYROLL" },
      { name: "a\u0000" },
    ]) {
      expect((await create(kit.admin, body)).body.code, JSON.stringify(body)).toBe("invalid_request");
    }
    const { body: made } = await create(kit.operator, { name: "x".repeat(200) });
    expect(made.name).toHaveLength(200);
    for (const name of [undefined, "  ", "x".repeat(201)]) {
      expect((await save(kit.operator, made.id, { name })).body.code).toBe("invalid_request");
      expect((await rename(kit.operator, made.id, name)).body.code).toBe("invalid_request");
    }
    expect((await batch(kit.admin, made.id)).name).toBe("x".repeat(200));
    expect((await save(kit.operator, made.id, { name: "y".repeat(200) })).body.name).toBe("y".repeat(200));
    expect((await rename(kit.operator, made.id, "z".repeat(200))).body.name).toBe("z".repeat(200));
  });

  it("BAT-034 refuses a company that did not accept its contract", async () => {
    await setCompany(kit.services, horizonteId, { accepted_contract: false });
    expect((await create(kit.stranger, { name: "Lote" })).body.code).toBe("contract_not_accepted");
    await setCompany(kit.services, horizonteId, { accepted_contract: true });
  });

  it("BAT-034 returns the same batch for the same id, also to eight concurrent calls, and never another company's", async () => {
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(kit.admin, { id, name: "Uma vez", transfers: [pix(7_00)] })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ id, value: 7_00, payments_count: 1 });
    expect((await create(kit.stranger, { id, name: "Minha" })).body).toMatchObject({
      name: "Minha",
      value: 0,
    });
    expect((await batch(kit.admin, id)).name).toBe("Uma vez");
  });

  const foreign = {
    id: randomUUID(),
    value: 1,
    received_date: "2020-01-01T00:00:00Z",
    status: "FINISHED",
    returned_date: "2020-01-01T00:00:00Z",
    finish_date: "2020-01-01T00:00:00Z",
    created_at: "2020-01-01T00:00:00Z",
    reconciled: true,
    created_by: { id: randomUUID(), name: "Outro" },
    type: "BILLET",
    was_imported: true,
    cancel_requested_at: "2020-01-01T00:00:00Z",
  };
  const own = {
    value: 0,
    received_date: null,
    status: "DRAFT",
    returned_date: null,
    finish_date: null,
    reconciled: false,
    created_by: { name: "Rui Tavares" },
    type: "TRANSFER",
    was_imported: false,
    cancel_requested_at: null,
  };

  it("BAT-002 ignores in a save the twelve fields that the caller may not set", async () => {
    const { body: made } = await create(kit.operator, { name: "Lote" });
    const saved = await kit.operator.call(saveBatch, {
      params: { id: made.id },
      body: { name: "Salvo", ...foreign },
    });
    expect(saved.body).toMatchObject({ ...own, id: made.id, name: "Salvo", created_at: made.created_at });
    expect(await batch(kit.admin, made.id)).toMatchObject({
      ...own,
      id: made.id,
      created_at: made.created_at,
    });
  });

  it("BAT-002 ignores them in a creation too, except for the id and the type of the new batch", async () => {
    const { id: _, type: __, ...rest } = foreign;
    const { body } = await create(kit.operator, { name: "Lote", ...rest });
    expect(body).toMatchObject({ ...own, created_at: kit.clock.now().toISOString() });
  });

  it("BAT-001 returns every field of a batch, which is a batch of transfers by default", async () => {
    const created = await create(kit.operator, { name: "Folha", transfers: [pix(12_34)] });
    const { transfers, ...shown } = await batch(kit.admin, created.body.id);
    expect(shown).toMatchObject({
      id: created.body.id,
      name: "Folha",
      type: "TRANSFER",
      status: "DRAFT",
      value: 12_34,
      created_at: kit.clock.now().toISOString(),
      created_by: { name: "Rui Tavares" },
      received_date: null,
      reconciled: false,
      cancel_requested_at: null,
      is_canceled: false,
      has_failed_or_returned_transfers: false,
      received_bank_account: null,
      billets: [],
      spreadsheet_file_name: null,
    });
    expect(transfers).toHaveLength(1);
    // A received batch shows its account: here the company's own.
    await kit.deposit(12_34);
    await closing(kit.admin, created.body.id);
    await kit.drainJobs();
    expect(await batch(kit.admin, created.body.id)).toMatchObject({
      received_date: kit.clock.now().toISOString(),
      received_bank_account: { bank: ownInstitution().name, agency: "0001", account: "1018420-7" },
    });
  });

  it("BAT-024 renames an existing batch, for people with the permission", async () => {
    const { id } = await draft(kit.admin);
    expect((await rename(kit.analyst, id, "x")).status).toBe(403);
    expect((await rename(kit.stranger, id, "x")).body.code).toBe("not_found");
    expect((await rename(kit.admin, id, " ")).body.code).toBe("invalid_request");
    expect((await rename(kit.operator, id, " Folha de setembro ")).body.name).toBe("Folha de setembro");
  });

  it("BAT-034 saves only changes and keeps value, counts and revision right", async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const { id } = await draft(kit.admin, [pix(10_00, { id: one }), pix(20_00, { id: two })]);
    expect((await save(kit.analyst, id, {})).status).toBe(403);
    expect((await save(kit.stranger, id, {})).body.code).toBe("not_found");
    const saved = await save(kit.operator, id, {
      name: "Outro",
      transfers: [pix(15_00, { id: one }), pix(null as never)],
      removed_ids: [two],
    });
    expect(saved.body).toMatchObject({
      name: "Outro",
      value: 15_00,
      payments_count: 2,
      errors_count: 1,
      revision: 3,
    });
    const again = await save(kit.operator, id, { name: "Outro", removed_ids: [two] });
    expect(again.body).toMatchObject({ value: 15_00, payments_count: 2 });
  });

  it("BAT-034 keeps both of two concurrent saves", async () => {
    const { id } = await draft(kit.admin, []);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        save(n % 2 ? kit.admin : kit.operator, id, { transfers: [pix(1_00)] }),
      ),
    );
    expect(await batch(kit.admin, id)).toMatchObject({ value: 10_00, payments_count: 10, revision: 11 });
  });

  it("BAT-034 refuses a whole save with a payment of another batch, and does not change that payment", async () => {
    const theirs = randomUUID();
    const other = await draft(kit.admin, [pix(10_00, { id: theirs })]);
    const { id } = await draft(kit.admin, [pix(1_00)]);
    const mixed = { transfers: [pix(5_00), pix(99_00, { id: theirs })] };
    expect(await save(kit.admin, id, mixed)).toMatchObject({ status: 404, body: { code: "not_found" } });
    const made = await kit.admin.call(createBatch, { body: { name: "Outro", ...mixed } });
    expect(made).toMatchObject({ status: 404, body: { code: "not_found" } });
    await save(kit.admin, id, { removed_ids: [theirs] });
    expect(await batch(kit.admin, id)).toMatchObject({ value: 1_00, payments_count: 1 });
    expect(await batch(kit.admin, other.id)).toMatchObject({ value: 10_00, payments_count: 1 });
  });

  it("BAT-034 accepts a hundred thousand payments of the highest value, and not one more", async () => {
    const { id } = await draft(kit.admin, []);
    const highest = 900_000_000_00;
    await kit.services.db.pool.query(
      `WITH made AS (
         INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, created_at)
         SELECT company_id, uuidv7(), id, n, 'CREATED', $2, 'PIX', created_at
         FROM batches, generate_series(1, 99999) n WHERE id = $1)
       UPDATE batches SET payments_count = 99999, value = 99999 * $2::bigint WHERE id = $1`,
      [id, highest],
    );
    const one = pix(highest);
    const two = await save(kit.admin, id, { transfers: [one, one] });
    expect(two.body).toMatchObject({
      code: "batch_over_limit",
      message: "Um lote aceita até 100.000 pagamentos.",
    });
    const last = await save(kit.admin, id, { transfers: [one] });
    expect(last.body).toMatchObject({ payments_count: 100_000, value: 100_000 * highest });
    expect((await save(kit.admin, id, { transfers: [one] })).body.code).toBe("batch_over_limit");
    // Its present payments may still be changed and removed.
    expect((await save(kit.admin, id, { name: "Cheio" })).body.name).toBe("Cheio");
  });

  it("BAT-003 refuses transfers in a batch of boletos", async () => {
    const { body } = await create(kit.admin, { name: "Boletos", type: "BILLET" });
    expect((await save(kit.admin, body.id, { transfers: [pix(1_00)] })).body.code).toBe("batch_wrong_type");
    expect((await create(kit.admin, { name: "B", type: "BILLET", transfers: [pix(1_00)] })).body.code).toBe(
      "batch_wrong_type",
    );
  });

  it("BAT-070 deletes a draft once, for people with the permission", async () => {
    const { id } = await draft(kit.operator);
    expect((await remove(kit.analyst, id)).status).toBe(403);
    expect((await remove(kit.stranger, id)).body.code).toBe("not_found");
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(kit.operator, id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    for (const answer of [
      await rename(kit.admin, id, "x"),
      await save(kit.admin, id, {}),
      await closing(kit.admin, id),
    ]) {
      expect(answer.body.code).toBe("not_found");
    }
  });
});

/** Receivers saved by closing batches, the outcomes of their payments, and receivers of an older installation. */
import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/receivers";
import { changeTransfer } from "@malote/contracts/transfers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { listKnownMigrations, migrate } from "../platform/db/migrate.ts";
import { blockDocument } from "../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { rememberReceivers } from "./remember-store.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const found = async (search: string): Promise<contracts.Receiver[]> =>
  (await kit.admin.call(contracts.listReceivers, { query: { search } })).body.data;
const toKey = (name: string, pix_key: string) =>
  pix(10_00, { destination_bank_account: { name, pix_key_type: "EMAIL", pix_key } });

describe("saving paid receivers", () => {
  /** The request is sent, and a report about it arrives a little later. */
  const settle = async () => {
    await kit.pass({ minutes: 1 });
    await kit.pass({ minutes: 5 });
  };

  it("saves the receivers of a batch when it is closed, each once, and none of a draft", async () => {
    await draft(kit.admin, [toKey("Rascunho Lembrado", "rascunho@exemplo.com.br")]);
    expect(await found("lembrad")).toEqual([]);
    const transfers = () => [
      toKey("Zeca Lembrado", "zeca@exemplo.com.br"),
      toKey("Zeca L. da Silva", "zeca@exemplo.com.br"),
      ted(20_00),
    ];
    await paidFor(kit, transfers());
    await kit.drainJobs();
    expect(await found("zeca@exemplo")).toMatchObject([{ name: "Zeca Lembrado", status: "CREATED" }]);
    expect(await found("padaria sol")).toMatchObject([{ account: "56789", status: "CREATED" }]);
    await paidFor(kit, transfers());
    await kit.drainJobs();
    expect(await found("zeca")).toHaveLength(1);
    expect(await found("padaria sol")).toHaveLength(1);
  });

  it("RCV-002 shows on each receiver the outcome of its payment", async () => {
    const id = await paidFor(kit, [
      toKey("Chegou Bem", "chegou@exemplo.com.br"),
      toKey("Nunca Chega", "chave.pix15@exemplo.com.br"),
      toKey("Chegou Bem", "chegou@exemplo.com.br"),
    ]);
    await kit.drainJobs();
    expect(await found("chegou")).toMatchObject([{ status: "CREATED" }]);
    await kit.pass({ minutes: 5 });
    expect(await found("chegou")).toMatchObject([{ status: "VERIFIED", status_description: null }]);
    expect(await found("nunca chega")).toMatchObject([
      { status: "FAILED", status_description: "Chave PIX não encontrada." },
    ]);

    // The key that was finally right is saved too.
    const failed = (await batch(kit.admin, id)).transfers.find(({ status }) => status === "FAILED");
    const corrected = toKey("Nunca Chega", "agora.chega@exemplo.com.br");
    const params = { id, tid: failed.id };
    expect((await kit.admin.call(changeTransfer, { params, body: corrected })).status).toBe(200);
    await settle();
    expect(await found("agora.chega")).toMatchObject([{ status: "VERIFIED" }]);
    expect(await found("chave.pix15")).toMatchObject([{ status: "FAILED", last_payment: null }]);
  });

  it("RCV-002 shows the last payment that arrived, also after one that failed", async () => {
    const key = { pix_key_type: "CPF", pix_key: "11144477735" } as const;
    const to = (value: number) => pix(value, { destination_bank_account: { name: "Recebe Sempre", ...key } });
    await paidFor(kit, [to(10_00)]);
    await kit.drainJobs();
    expect((await found("recebe sempre"))[0]?.last_payment).toBeNull();
    await settle();
    const first = (await found("recebe sempre"))[0]?.last_payment;
    expect(first?.value).toBe(10_00);
    await kit.pass({ hours: 24 });
    await paidFor(kit, [to(25_50)]);
    await kit.drainJobs();
    await settle();
    const second = (await found("recebe sempre"))[0]?.last_payment;
    expect(second?.value).toBe(25_50);
    expect(Date.parse(second?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThan(23 * 3_600_000);
    // The third does not leave on its day, because its receiver was blocked meanwhile.
    await paidFor(kit, [{ ...to(30_00), payment_date: "2026-08-18" }]);
    await kit.drainJobs();
    await blockDocument(kit.services, key.pix_key);
    await kit.passUntil("2026-08-18T15:00:00Z");
    await settle();
    expect(await found("recebe sempre")).toMatchObject([{ status: "FAILED", last_payment: second }]);
  });

  it("RCV-002 shows each outcome as soon as it arrives, while other payments of the batch wait for their day", async () => {
    await paidFor(kit, [
      toKey("Veio Primeiro", "antes@exemplo.com.br"),
      { ...toKey("Vem Depois", "depois@exemplo.com.br"), payment_date: "2026-09-30" },
    ]);
    await kit.drainJobs();
    await settle();
    expect(await found("veio primeiro")).toMatchObject([
      { status: "VERIFIED", last_payment: { value: 10_00 } },
    ]);
    expect(await found("vem depois")).toMatchObject([{ status: "CREATED" }]);
  });

  it("never replaces newer data by an older batch's", async () => {
    const again = (batchId: string) =>
      kit.services.db.withCompany(auroraId, (tx) => rememberReceivers(tx, { batchId }, kit.clock.now()));
    const older = await paidFor(kit, [toKey("Duas Vezes", "duas@exemplo.com.br")]);
    await settle();
    const newer = await paidFor(kit, [toKey("Duas Vezes", "duas@exemplo.com.br")]);
    await settle();
    await kit.services.db.pool.query(
      "UPDATE receivers SET status = 'FAILED', status_description = 'Veio depois' WHERE pix_key = 'duas@exemplo.com.br'",
    );
    await again(older);
    expect(await found("duas")).toMatchObject([{ status: "FAILED", status_description: "Veio depois" }]);
    await again(newer);
    expect(await found("duas")).toMatchObject([{ status: "VERIFIED", status_description: null }]);
  });

  it("keeps people's entries about a receiver, and drops the outcome when they change the key", async () => {
    const [{ id } = { id: "" }] = await found("chegou");
    const body = { name: "Chegou Bem Ltda", email: "contas@chegou.example" };
    const renamed = await kit.admin.call(contracts.changeReceiver, { params: { id }, body });
    expect(renamed.body.status).toBe("VERIFIED");
    await paidFor(kit, [toKey("Outro Nome", "chegou@exemplo.com.br")]);
    await settle();
    expect(await found("chegou@")).toMatchObject([{ id, ...body }]);
    const moved = await kit.admin.call(contracts.changeReceiver, {
      params: { id },
      body: { pix_key: "mudou@exemplo.com.br" },
    });
    expect(moved.body).toMatchObject({ status: "CREATED", status_description: null });
  });

  it("saves a deleted receiver again when it is paid again", async () => {
    const [{ id } = { id: "" }] = await found("zeca@");
    await kit.admin.call(contracts.removeReceiver, { params: { id } });
    expect(await found("zeca@")).toEqual([]);
    await paidFor(kit, [toKey("Zeca Lembrado", "zeca@exemplo.com.br")]);
    await kit.drainJobs();
    expect(await found("zeca@")).toHaveLength(1);
  });

  it("does not change other companies' receivers", async () => {
    await kit.stranger.call(contracts.createReceiver, {
      body: { name: "Estranho", pix_key_type: "EMAIL", pix_key: "estranho@exemplo.com.br" },
    });
    const { id } = await draft(kit.admin, [toKey("Estranho", "estranho@exemplo.com.br")]);
    await kit.deposit(10_00);
    await closing(kit.admin, id);
    await settle();
    const theirs = await kit.stranger.call(contracts.listReceivers, { query: { search: "estranho" } });
    expect(theirs.body.data).toMatchObject([{ status: "CREATED" }]);
    expect(await found("estranho")).toMatchObject([{ status: "VERIFIED" }]);
  });
});

it("merges receivers that an older version saved twice, and takes the outcomes from their payments", async () => {
  const { connection } = inject("testServer");
  const config = { ...connection, database: `older_receivers_${process.pid}` };
  const connected = async (to: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client(to);
    await client.connect();
    await work(client).finally(() => client.end());
  };
  await connected(connection, (client) =>
    client.query(`CREATE DATABASE ${config.database} TEMPLATE template0`),
  );
  const before = (await listKnownMigrations()).filter((name) => name < "0030");
  await migrate(config, before);
  await connected(config, async (client) => {
    const company = randomUUID();
    await client.query(
      `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
       VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', '{}', now())`,
      [company],
    );
    const receiver = (name: string, key: string, days: number) =>
      client.query(
        `INSERT INTO receivers (company_id, id, name, pix_key_type, pix_key, search_text, created_at)
         VALUES ($1, uuidv7(), $2, 'EMAIL', $3, '', now() - $4::int * interval '1 day')`,
        [company, name, key, days],
      );
    await receiver("Mais nova", "a@x.com", 1);
    await receiver("Mais velha", "a@x.com", 2);
    await receiver("Nunca paga", "b@x.com", 3);
    await client.query(
      `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name)
       VALUES ($1, $1, 'Folha', 'TRANSFER', 'FINISHED', now(), 'Ana')`,
      [company],
    );
    await client.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, created_at, transfer_date,
         pix_key_type, pix_key)
       VALUES ($1, uuidv7(), $1, 1, 'FINISHED', 1, 'PIX', now(), now(), 'EMAIL', 'a@x.com'),
              ($1, uuidv7(), $1, 2, 'CREATED', 1, 'PIX', now(), NULL, 'EMAIL', 'b@x.com')`,
      [company],
    );
    await migrate(config);
    const { rows } = await client.query("SELECT name, status FROM receivers ORDER BY name_order");
    expect(rows).toEqual([
      { name: "Mais velha", status: "VERIFIED" },
      { name: "Nunca paga", status: "CREATED" },
    ]);
  });
});

/** Folded texts: one rule makes them, they are stored beside the original, and older rows get them too. */
import { randomUUID } from "node:crypto";
import { foldText } from "@malote/domain/fold-text";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { listKnownMigrations, migrate } from "./migrate.ts";
import { testDatabase } from "./test-database.ts";

async function connected<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A company with one batch and one payment that share an id. */
async function insertPayment(client: pg.Client, texts: readonly (string | null)[]): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
     VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', '{}', now())`,
    [id],
  );
  await client.query(
    `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name)
     VALUES ($1, $1, 'Folha de Março', 'TRANSFER', 'DRAFT', now(), 'Ana')`,
    [id],
  );
  await client.query(
    `INSERT INTO transfers (company_id, id, batch_id, position, status, payment_method, created_at, name, tax_id, account,
       pix_key, integration_id)
     VALUES ($1, $1, $1, 1, 'CREATED', 'PIX', now(), $2, $3, $4, $5, $6)`,
    [id, ...texts],
  );
  return id;
}

it("folds every e-mail of Latin scripts as the domain does, alone and in a word", async () => {
  const { config } = await testDatabase();
  const letters = Array.from({ length: 0x250 - 0xa1 }, (_, n) => String.fromCodePoint(0xa1 + n));
  const words = letters.flatMap((letter) => [letter, `Jo${letter}o 1`, letter.normalize("NFD")]);
  const { rows } = await connected(config, (client) =>
    client.query<{ folded: string[] }>(
      "SELECT array(SELECT fold_text(w) FROM unnest($1::text[]) w) AS folded",
      [words],
    ),
  );
  expect(words.map((word, n) => [word, rows[0]?.folded[n]])).toEqual(
    words.map((word) => [word, foldText(word)]),
  );
});

it("finds the rows of an older installation", async () => {
  const { connection } = inject("testServer");
  const config = { ...connection, database: `older_${process.pid}` };
  await connected(connection, (client) =>
    client.query(`CREATE DATABASE ${config.database} TEMPLATE template0`),
  );
  await migrate(
    config,
    (await listKnownMigrations()).filter((name) => name < "0023"),
  );
  await connected(config, async (client) => {
    await insertPayment(client, ["José", "1A", "77", "JOSE@X", null]);
    await client.query(`INSERT INTO receivers (company_id, id, name, search_text, created_at)
      SELECT company_id, id, 'Begoña', 'begoña', now() FROM transfers`);
    await migrate(config);
    const { rows } = await client.query(`
      SELECT b.search_text AS batch, t.search_text AS transfer, r.search_text AS receiver
      FROM batches b, transfers t, receivers r`);
    expect(rows).toEqual([
      { batch: "folha de marco", transfer: "jose\njose@x\n", receiver: "\n\n\n\nbegona" },
    ]);
  });
});

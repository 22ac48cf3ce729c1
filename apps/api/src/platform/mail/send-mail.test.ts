import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { listOutbox, outboxMailer } from "../../adapters/sandbox/mail-outbox.ts";
import type { Mailer } from "../../ports/mailer.ts";
import { type DatabaseWithSandbox, openDatabase, type Tx } from "../db/database.ts";
import { listKnownMigrations, migrate } from "../db/migrate.ts";
import { testDatabase } from "../db/test-database.ts";
import type { JobData } from "../jobs/jobs.ts";
import { uuidv7 } from "../uuid.ts";
import { deleteUnsentSecrets, queueMail, sendLateMails, sendMail } from "./send-mail.ts";

const now = new Date("2026-11-09T13:00:00.000Z");
const clock = { now: () => now };
const content = { greeting: "Olá, Ana.", paragraphs: ["O lote foi reprovado."] };
const companyId = uuidv7();

let db: DatabaseWithSandbox;
let queued: JobData["send-mail"][];
const jobs = {
  async enqueue(_tx: Tx, _queue: string, data: unknown) {
    queued.push(data as JobData["send-mail"]);
  },
};

beforeEach(async () => {
  queued = [];
  db = openDatabase((await testDatabase()).config);
  await db.withCompany(companyId, (tx) =>
    sql`
      INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
      VALUES (${companyId}, 'Horizonte Demo', '11222333000181', 'horizonte', '0001', '123', '4', '{}', ${now})
    `.execute(tx),
  );
});
afterEach(() => db.close());

const queue = async () => {
  const id = await db.withCompany(companyId, (tx) =>
    queueMail(tx, jobs, { to: "ana@exemplo.com.br", subject: "Lote\r\nreprovado", content, now }),
  );
  if (id === undefined) throw new Error("an e-mail of no event was taken for one that is there");
  return id;
};

it("e-mails an event once to each person and in each kind, however often it is handled", async () => {
  const eventId = uuidv7();
  const write = (to: string, kind: string) =>
    db.withCompany(companyId, (tx) =>
      queueMail(tx, jobs, { to, subject: kind, content, now, kind, eventId }),
    );
  for (const to of ["ana@exemplo.com.br", "bia@exemplo.com.br", "ana@exemplo.com.br"])
    for (const kind of ["factorChanged", "ownFactorChanged"]) await write(to, kind);
  const { rows } = await db.pool.query("SELECT to_address || ' ' || kind AS mail FROM mails ORDER BY 1");
  expect(rows.map(({ mail }) => mail)).toEqual([
    "ana@exemplo.com.br factorChanged",
    "ana@exemplo.com.br ownFactorChanged",
    "bia@exemplo.com.br factorChanged",
    "bia@exemplo.com.br ownFactorChanged",
  ]);
  expect(queued).toHaveLength(4);
});

it("leaves no e-mail after a rollback of its transaction", async () => {
  const id = await db
    .withCompany(companyId, async (tx) => {
      await queueMail(tx, jobs, { to: "ana@exemplo.com.br", subject: "Lote", content, now });
      throw new Error("changed my mind");
    })
    .catch((error: Error) => error.message);
  expect(id).toBe("changed my mind");
  await sendMail({ db, clock, mailer: outboxMailer(db, clock) }, queued[0]!);
  expect(await listOutbox(db)).toEqual([]);
});

it("retries after a refusal and sends once, with the company's brand", async () => {
  const id = await queue();
  expect(queued).toEqual([{ companyId, mailId: id }]);

  let tries = 0;
  const outbox = outboxMailer(db, clock);
  const mailer: Mailer = {
    async send(mail) {
      tries++;
      if (tries === 1) throw new Error("the mail server is closed");
      await outbox.send(mail);
    },
  };
  await expect(sendMail({ db, clock, mailer }, queued[0]!)).rejects.toThrow("closed");
  await sendMail({ db, clock, mailer }, queued[0]!);
  await sendMail({ db, clock, mailer }, queued[0]!);
  expect(tries).toBe(2);

  const mails = await listOutbox(db);
  expect(mails).toMatchObject([
    {
      id,
      to: "ana@exemplo.com.br",
      subject: "Lote reprovado",
      brand: "horizonte",
      sent_at: now.toISOString(),
    },
  ]);
  expect(mails[0]!.html).toContain("Horizonte");
  expect(mails[0]!.text).toContain("O lote foi reprovado.");
});

it("sends one e-mail for an id, even if two workers have it concurrently", async () => {
  await queue();
  const mailer = outboxMailer(db, clock);
  await Promise.all([1, 2, 3].map(() => sendMail({ db, clock, mailer }, queued[0]!)));
  expect(await listOutbox(db)).toHaveLength(1);
});

it("erases the text of a secret e-mail that was not sent while it was valid, and no longer sends it", async () => {
  const goodUntil = new Date(now.getTime() + 3 * 86_400_000);
  const secret = await db.withCompany(companyId, (tx) =>
    queueMail(tx, jobs, { to: "ana@exemplo.com.br", subject: "Senha", content, now, goodUntil }),
  );
  const other = await queue();
  const words = async () =>
    (await db.pool.query("SELECT id, text_body <> '' AS kept FROM mails")).rows.map(({ id, kept }) => [
      id,
      kept,
    ]);
  const at = (days: number) => ({ now: () => new Date(now.getTime() + days * 86_400_000) });
  await deleteUnsentSecrets({ db, clock: at(2.999) });
  expect(new Map((await words()) as [string, boolean][])).toEqual(
    new Map([
      [secret, true],
      [other, true],
    ]),
  );
  await deleteUnsentSecrets({ db, clock: at(3) });
  expect(new Map((await words()) as [string, boolean][])).toEqual(
    new Map([
      [secret, false],
      [other, true],
    ]),
  );
  for (const job of queued) await sendMail({ db, clock, mailer: outboxMailer(db, clock) }, job);
  expect((await listOutbox(db)).map(({ subject }) => subject)).toEqual(["Lote reprovado"]);
});

it("requeues an e-mail after an hour, two, four …, for a week, once with any number of workers", async () => {
  const hour = (count: number) => ({ now: () => new Date(now.getTime() + count * 3_600_000) });
  const sent = await queue();
  await sendMail({ db, clock, mailer: outboxMailer(db, clock) }, { companyId, mailId: sent });
  const mailId = await queue();
  const takenUp: number[] = [];
  for (let count = 0; count < 10 * 24; count++) {
    queued = [];
    await Promise.all([1, 2].map(() => sendLateMails({ db, clock: hour(count), jobs })));
    if (queued.length === 0) continue;
    expect(queued).toEqual([{ companyId, mailId }]);
    takenUp.push(count);
  }
  expect(takenUp).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
});

it("neither sends nor queues an e-mail whose secret expired, even before its text is erased", async () => {
  const at = (minutes: number) => ({ now: () => new Date(now.getTime() + minutes * 60_000) });
  const code = (minutes: number) =>
    db.withCompany(companyId, (tx) =>
      queueMail(tx, jobs, {
        to: "ana@exemplo.com.br",
        subject: "Código",
        content,
        now,
        goodUntil: at(minutes).now(),
      }),
    );
  await code(30);
  const [job] = queued;
  const longer = await code(61);
  queued = [];
  await sendLateMails({ db, clock: at(60), jobs });
  expect(queued).toEqual([{ companyId, mailId: longer }]);
  for (const late of [job!, ...queued]) {
    const clock = at(60);
    await sendMail({ db, clock, mailer: outboxMailer(db, clock) }, late);
  }
  expect((await listOutbox(db)).map(({ id }) => id)).toEqual([longer]);
});

it("ends the secrets of an older installation's unsent e-mails like links to choose a password", async () => {
  const older = { ...inject("testServer").connection, database: `older_mails_${process.pid}` };
  await db.pool.query(`CREATE DATABASE ${older.database} TEMPLATE template0`);
  await migrate(
    older,
    (await listKnownMigrations()).filter((name) => name < "0056"),
  );
  const client = new pg.Client(older);
  await client.connect();
  await client.query(
    `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
     VALUES ($1, 'Aurora', '1', 'malote', '1', '1', '1', '{}', now())`,
    [companyId],
  );
  await client.query(
    `INSERT INTO mails (company_id, id, to_address, subject, text_body, html_body, created_at, sent_at, words_end_when_sent)
     SELECT $1, uuidv7(), 'a@x.com', subject, '', '', '2026-03-01T12:00:00Z', sent_at, secret
     FROM (VALUES ('link', NULL::timestamptz, true), ('sent link', now(), true), ('news', NULL, false))
       AS m (subject, sent_at, secret)`,
    [companyId],
  );
  await migrate(older);
  const { rows } = await client.query("SELECT subject, good_until FROM mails ORDER BY subject");
  await client.end();
  expect(rows).toEqual([
    { subject: "link", good_until: new Date("2026-03-04T12:00:00Z") },
    { subject: "news", good_until: null },
    { subject: "sent link", good_until: null },
  ]);
});

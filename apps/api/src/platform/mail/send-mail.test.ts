import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase, type Tx } from "../db/database.ts";
import type { JobData } from "../jobs/jobs.ts";
import { testDatabase } from "../postgres/test-database.ts";
import { uuidv7 } from "../uuid.ts";
import { listOutbox, outboxMailer } from "./outbox.ts";
import type { Mailer } from "./port.ts";
import { queueMail, sendMail } from "./send-mail.ts";

const now = new Date("2026-11-09T13:00:00.000Z");
const clock = { now: () => now };
const letter = { greeting: "Olá, Ana.", paragraphs: ["O lote foi reprovado."] };
const companyId = uuidv7();

let db: Database;
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

const queue = () =>
  db.withCompany(companyId, (tx) =>
    queueMail(tx, jobs, { to: "ana@exemplo.com.br", subject: "Lote\r\nreprovado", letter, now }),
  );

it("leaves no letter behind when its transaction does not happen", async () => {
  const id = await db
    .withCompany(companyId, async (tx) => {
      await queueMail(tx, jobs, { to: "ana@exemplo.com.br", subject: "Lote", letter, now });
      throw new Error("changed my mind");
    })
    .catch((error: Error) => error.message);
  expect(id).toBe("changed my mind");
  await sendMail({ db, clock, mailer: outboxMailer(db, clock) }, queued[0]!);
  expect(await listOutbox(db)).toEqual([]);
});

it("tries again after a refusal and sends once, in the company's brand", async () => {
  const id = await queue();
  expect(queued).toEqual([{ companyId, mailId: id }]);

  let tries = 0;
  const outbox = outboxMailer(db, clock);
  const mailer: Mailer = {
    async send(mail) {
      tries++;
      if (tries === 1) throw new Error("the post is closed");
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

it("keeps one letter for an id, even when two workers carry it at once", async () => {
  await queue();
  const mailer = outboxMailer(db, clock);
  await Promise.all([1, 2, 3].map(() => sendMail({ db, clock, mailer }, queued[0]!)));
  expect(await listOutbox(db)).toHaveLength(1);
});

import {
  announceNotice,
  changeOptions,
  changeRails,
  depositPix,
  endNotice,
  listMails,
  moveClock,
  readInstallation,
  readSimulator,
  runPending,
  showNotices,
  startOver as startOverCall,
} from "@malote/contracts/simulator";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RailEvent } from "../../../ports/rails.ts";
import { buildTestApp, type TestApp } from "../../../testing/app.ts";
import { createSandboxCollect } from "../charges/index.ts";
import { demoCompanies, demoPassword } from "../demo/seed.ts";
import { createSandboxProvider, type SandboxProvider } from "../infractions/index.ts";
import { outboxMailer } from "../mail-outbox.ts";
import { createSandboxNetwork, type SandboxNetwork } from "../network/index.ts";
import { fixedClock, order } from "../network/testing.ts";
import { simulatorRoutes } from "./routes.ts";
import { startOver } from "./start-over.ts";

/** Wednesday, ten in the morning in São Paulo. */
const start = "2026-08-12T13:00:00.000Z";
const [aurora] = demoCompanies;

let app: TestApp;
let network: SandboxNetwork;
let infractions: SandboxProvider;
let received: RailEvent[];

const open = async (sandbox = true) => {
  received = [];
  const clock = fixedClock(start);
  return buildTestApp({
    config: { sandbox },
    clock: clock as never,
    parts: ({ db, log }) => {
      network = createSandboxNetwork({ db, clock, log });
      network.listen(async (events) => void received.push(...events));
      infractions = createSandboxProvider({ db, clock, log });
      return { rails: network.rails };
    },
    routes: [
      (serve, { db }) =>
        simulatorRoutes(serve, {
          db,
          network,
          infractions,
          collecting: createSandboxCollect({ db, clock, network }),
          clock,
          startOver: () => startOver(db, clock, network),
        }),
    ],
  });
};
beforeEach(async () => {
  app = await open();
});
afterEach(() => app.close());

it("does not exist in production", async () => {
  await app.close();
  app = await open(false);
  for (const contract of [
    readSimulator,
    changeRails,
    depositPix,
    moveClock,
    listMails,
    runPending,
    startOverCall,
  ]) {
    expect((await app.call(contract, { body: {} })).status).toBe(404);
  }
});

it("shows the demo companies, whom to sign in as, and every magic value", async () => {
  const { status, body } = await app.call(readSimulator);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    now: start,
    clock_moved: false,
    in_flight: 0,
    rails: { pix_latency_ms: 800, failure_percent: 0, timeout_percent: 0, duplicate_percent: 0 },
  });
  expect(body.companies).toHaveLength(2);
  expect(body.companies[0]).toMatchObject({ name: aurora!.name, balance: 0, waiting_value: 0 });
  expect(body.companies[0].pix_key).toBe(aurora!.pixKeys[0]!.key);
  expect(body.users).toContainEqual(
    expect.objectContaining({ email: aurora!.users[0]!.email, password: demoPassword, profile: "admin" }),
  );
  expect(body.magic_values).toHaveLength(77);
});

it("refuses a Pix to a key that nobody registered, and one from a payer without a real document", async () => {
  const unknown = await app.call(depositPix, { body: { pix_key: "ninguem@exemplo.com.br", value: 100 } });
  expect(unknown).toMatchObject({ status: 404, body: { code: "not_found" } });
  const body = { pix_key: aurora!.pixKeys[0]!.key, value: 100, payer_document: "111.111.111-11" };
  expect((await app.call(depositPix, { body })).status).toBe(400);
  expect((await app.call(depositPix, { body: { ...body, value: 0 } })).status).toBe(400);
  expect(await network.inFlight()).toBe(0);
});

it("brings a Pix to a registered key once, however the key is written", async () => {
  const body = {
    pix_key: ` 27.418.639/0001-48 `,
    value: 7_50,
    payer_name: "Zeca",
    payer_document: "529.982.247-25",
  };
  const first = await app.call(depositPix, { body });
  const { end_to_end_id } = first.body;
  await app.call(depositPix, { body: { ...body, end_to_end_id } });
  expect((await app.call(runPending)).body).toEqual({ delivered: 1 });
  expect((await app.call(runPending)).body).toEqual({ delivered: 0 });
  expect(received).toMatchObject([
    {
      kind: "pix_received",
      endToEndId: end_to_end_id,
      pixKey: "27418639000148",
      value: 7_50,
      payer: { name: "Zeca", document: "52998224725" },
    },
  ]);
});

it("changes only the settings it is given", async () => {
  expect((await app.call(changeRails, { body: { failure_percent: 101 } })).status).toBe(400);
  await app.call(changeRails, { body: { failure_percent: 12.5 } });
  const { body } = await app.call(changeRails, { body: { pix_latency_ms: 0 } });
  expect(body).toEqual({
    pix_latency_ms: 0,
    failure_percent: 12.5,
    timeout_percent: 0,
    duplicate_percent: 0,
  });
});

it("moves the clock forward for every process, and back only to the real time", async () => {
  const past = await app.call(moveClock, { body: { instant: "2026-08-12T12:00:00.000Z" } });
  expect(past).toMatchObject({ status: 400, body: { code: "invalid_request" } });

  const moved = await app.call(moveClock, { body: { to: "next_business_day" } });
  expect(moved.body).toEqual({ now: "2026-08-13T11:00:00.000Z" });
  expect((await app.call(readSimulator)).body).toMatchObject({
    now: "2026-08-13T11:00:00.000Z",
    clock_moved: true,
  });

  const otherClock = fixedClock(start);
  const other = createSandboxNetwork({ db: app.parts.db, clock: otherClock, log: app.parts.log });
  await other.loadClock();
  expect(otherClock.now().toISOString()).toBe("2026-08-13T11:00:00.000Z");

  expect((await app.call(moveClock, { body: { to: "real_time" } })).body).toEqual({ now: start });
  await other.loadClock();
  expect(otherClock.aheadMs()).toBe(0);
});

it("lets nothing sleep that a moved clock put off, and nothing that it did not", async () => {
  await app.call(moveClock, { body: { instant: "2026-08-20T12:00:00.000Z" } });
  const { pool } = app.parts.db;
  await pool.query(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, posting_cause, created_at, updated_at)
     VALUES ($1, $2, 'refunding', 'pix_key', 1, 1, 'pix:E1', now(), now())`,
    [aurora!.id, aurora!.id],
  );
  await pool.query(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, created_at, updated_at, ask_at)
     VALUES ($1, gen_random_uuid(), 'pending', 'boleto', 1, now(), now(), '2026-08-20T12:01:00Z')`,
    [aurora!.id],
  );
  await pool.query(
    `INSERT INTO payin_refunds (company_id, id, payin_id, amount, nature, status, created_at, ask_at)
     VALUES ($1, $2, $2, 1, 'asked', 'processing', now(), '2026-08-20T12:01:00Z')`,
    [aurora!.id, aurora!.id],
  );
  await pool.query(
    `INSERT INTO infractions (company_id, id, provider_id, transaction_id, amount, payer_name, situation_type, infraction_date,
       analysis_due_at, analysis_status, tell_at)
     VALUES ($1, $2, 'p', 'E1', 1, 'M', 'scam', now(), now() + interval '1 day', 'accepted', '2026-08-20T12:01:00Z')`,
    [aurora!.id, aurora!.id],
  );
  await pool.query(
    `INSERT INTO sandbox.infraction_events (id, payload, due_at) VALUES ('e', '{}', '2026-08-20T12:01:00Z')`,
  );
  await pool.query(
    `INSERT INTO rail_events_aside (event_id, why, detail, payload, put_aside_at, try_at)
     VALUES ('e', 'failed', '', '{}', now(), '2026-08-20T12:01:00Z')`,
  );
  await pool.query(
    `INSERT INTO pix_keys (company_id, id, key_type, status, created_at, ask, ask_id, asked_at)
     VALUES ($1, $1, 'CHAVE_ALEATORIA', 'PENDING', now(), 'register', $1, '2026-08-20T12:00:00Z')`,
    [aurora!.id],
  );
  const mail = (subject: string, createdAt: string, takenUpAt: string | null) =>
    pool.query(
      `INSERT INTO mails (company_id, id, to_address, subject, text_body, html_body, created_at, taken_up_at)
       VALUES ($1, gen_random_uuid(), 'a@b', $2, 'a', 'a', $3, $4)`,
      [aurora!.id, subject, createdAt, takenUpAt],
    );
  await mail("real", "2026-08-12T11:00:00Z", "2026-08-12T12:00:00Z");
  await mail("queued again", "2026-08-12T11:00:00Z", "2026-08-20T12:00:00Z");
  await mail("written", "2026-08-20T12:00:00Z", null);
  await app.call(moveClock, { body: { to: "real_time" } });
  const { rows } = await pool.query(
    `SELECT (SELECT ask_at FROM payins WHERE status = 'pending') AS charge, (SELECT ask_at FROM payin_refunds) AS refund,
       (SELECT tell_at FROM infractions) AS answer, (SELECT due_at FROM sandbox.infraction_events) AS infraction,
       (SELECT try_at FROM rail_events_aside) AS "deadLetter", (SELECT asked_at FROM pix_keys WHERE ask IS NOT NULL) AS pix_key,
       (SELECT json_object_agg(subject, taken_up_at ORDER BY subject) FROM mails) AS mails`,
  );
  const woken = new Date(start);
  const { mails, ...others } = rows[0];
  expect(others).toEqual({
    charge: woken,
    refund: woken,
    answer: woken,
    infraction: woken,
    deadLetter: woken,
    pix_key: woken,
  });
  const takenUp = Object.entries<string>(mails).map(([subject, at]) => [subject, new Date(at)]);
  expect(Object.fromEntries(takenUp)).toEqual({
    real: new Date("2026-08-12T12:00:00Z"),
    "queued again": woken,
    written: woken,
  });
});

it("shows the e-mails that were sent, the newest first", async () => {
  const mailer = outboxMailer(app.parts.db, app.clock);
  const content = {
    companyId: aurora!.id,
    brand: "malote",
    to: "a@b.example",
    text: "t",
    html: "<p>t</p>",
    replyTo: "fin@aurora.example",
  } as const;
  await mailer.send({ ...content, id: "01990000-0000-7000-8000-000000000001", subject: "Primeira" });
  await mailer.send({ ...content, id: "01990000-0000-7000-8000-000000000002", subject: "Segunda" });
  const { body } = await app.call(listMails);
  expect(body.data.map((mail: { subject: string }) => mail.subject)).toEqual(["Segunda", "Primeira"]);
  expect(body.data[0]).toMatchObject({
    to: "a@b.example",
    html: "<p>t</p>",
    brand: "malote",
    reply_to: "fin@aurora.example",
    attachment_name: null,
    sent_at: start,
  });
});

it("starts over: what people did is gone and the demo companies are as on the first day", async () => {
  await app.call(moveClock, { body: { advance_ms: 60_000 } });
  await app.call(changeRails, { body: { failure_percent: 50 } });
  await app.call(depositPix, { body: { pix_key: aurora!.pixKeys[0]!.key, value: 100 } });
  await network.rails.send([order()]);
  await outboxMailer(app.parts.db, app.clock).send({
    id: "01990000-0000-7000-8000-000000000001",
    companyId: aurora!.id,
    brand: "malote",
    to: "a@b.example",
    subject: "s",
    replyTo: null,
    text: "t",
    html: "h",
  });
  const before = await app.as(aurora!.users[0]!.email);
  await app.parts.db.withCompany(aurora!.id, (tx) =>
    sql`
      SELECT post_movements(${aurora!.id}, ${new Date(start)}, ARRAY[
        ('01990000-0000-7000-8000-000000000009', 'DEPOSIT', 'pix:x', 'pix_in', 'available', 500, 'Pix', '{}')::movement])
    `.execute(tx),
  );
  expect((await app.call(readSimulator)).body.companies[0].balance).toBe(500);

  expect((await app.call(startOverCall)).body).toEqual({ ok: true });

  const { body } = await app.call(readSimulator);
  expect(body).toMatchObject({ now: start, clock_moved: false, in_flight: 0, rails: { failure_percent: 0 } });
  expect(body.companies.map((company: { balance: number }) => company.balance)).toEqual([0, 0]);
  expect((await app.call(listMails)).body.data).toEqual([]);
  const { rows } = await app.parts.db.withSystem((tx) =>
    sql`SELECT FROM sessions WHERE company_id = ${aurora!.id}`.execute(tx),
  );
  expect(rows).toHaveLength(0);
  expect(before.token).toBeTruthy();
  expect((await app.as(aurora!.users[0]!.email)).token).toBeTruthy();
});

it("sets what the operator of an installation sets, and forgets it when all starts over", async () => {
  const first = (await app.call(readInstallation)).body;
  expect(first).toMatchObject({ shows_notices: false, notices: [] });
  const { id } = first.companies[0];
  const unknown = { params: { id: "01990000-0000-7000-8000-00000000ffff" } };
  expect((await app.call(changeOptions, { ...unknown, body: { blocked: true } })).status).toBe(404);
  expect((await app.call(endNotice, unknown)).status).toBe(404);
  expect((await app.call(changeOptions, { params: { id }, body: {} })).status).toBe(400);
  expect((await app.call(changeOptions, { params: { id }, body: { blocked: true } })).body.blocked).toBe(
    true,
  );
  expect((await app.call(showNotices, { body: { shows: true } })).status).toBe(200);
  const made = await app.call(announceNotice, {
    body: { kind: "incident", name: "Pix lento", link: "https://s.example" },
  });
  expect(made.status).toBe(200);
  expect((await app.call(readInstallation)).body).toMatchObject({
    shows_notices: true,
    notices: [{ id: made.body.id, name: "Pix lento" }],
  });
  expect((await app.call(endNotice, { params: { id: made.body.id } })).status).toBe(200);
  await app.call(startOverCall);
  const over = (await app.call(readInstallation)).body;
  expect(over).toEqual(first);
});

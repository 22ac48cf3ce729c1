import {
  changeRails,
  listMails,
  moveClock,
  readSimulator,
  runPending,
  startOver as startOverCall,
} from "@malote/contracts/simulator";
import {
  announceNotice,
  changeOptions,
  endNotice,
  readInstallation,
  showNotices,
} from "@malote/contracts/simulator-installation";
import { depositPix } from "@malote/contracts/simulator-payins";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RailEvent } from "../../../ports/rails.ts";
import { buildTestApp, type TestApp } from "../../../testing/app.ts";
import { createSandboxCharges } from "../charges/index.ts";
import { demoCompanies, demoPassword } from "../demo/seed.ts";
import { createSandbox } from "../index.ts";
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
    services: ({ db, log }) => {
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
          charges: createSandboxCharges({ db, clock, network }),
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

it("shows the demo companies, their people and every magic value", async () => {
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

it("refuses a Pix to an unregistered key, and one from a payer without a real document", async () => {
  const unknown = await app.call(depositPix, { body: { pix_key: "ninguem@exemplo.com.br", value: 100 } });
  expect(unknown).toMatchObject({ status: 404, body: { code: "not_found" } });
  const body = { pix_key: aurora!.pixKeys[0]!.key, value: 100, payer_document: "111.111.111-11" };
  expect((await app.call(depositPix, { body })).status).toBe(400);
  expect((await app.call(depositPix, { body: { ...body, value: 0 } })).status).toBe(400);
  expect(await network.inFlight()).toBe(0);
});

it("delivers a Pix to a registered key once, however the key is written", async () => {
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

it("moves the clock forward for every process", async () => {
  const moved = await app.call(moveClock, { body: { to: "next_business_day" } });
  expect(moved.body).toEqual({ now: "2026-08-13T11:00:00.000Z" });
  expect((await app.call(readSimulator)).body).toMatchObject({
    now: "2026-08-13T11:00:00.000Z",
    clock_moved: true,
  });

  const otherClock = fixedClock(start);
  const other = createSandboxNetwork({ db: app.services.db, clock: otherClock, log: app.services.log });
  await other.loadClock();
  expect(otherClock.now().toISOString()).toBe("2026-08-13T11:00:00.000Z");
});

it("refuses to turn the clock back, and names the way to start over", async () => {
  await app.call(moveClock, { body: { to: "next_business_day" } });
  for (const instant of [start, "2026-08-13T10:59:59.999Z"]) {
    const { status, body } = await app.call(moveClock, { body: { instant } });
    expect({ status, code: body.code }).toEqual({ status: 409, code: "clock_goes_forward_only" });
    expect(body.message).toMatch(/só anda para a frente.*use Recomeçar/);
  }
  expect((await app.call(moveClock, { body: { to: "real_time" } })).status).toBe(400);
  expect(app.clock.now().toISOString()).toBe("2026-08-13T11:00:00.000Z");
});

it("refuses to move the clock to an invalid time", async () => {
  const { status, body } = await app.call(moveClock, { body: { time: "24:01" } });
  expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_request" });
});

it("shows the e-mails that were sent, the newest first", async () => {
  const mailer = outboxMailer(app.services.db, app.clock);
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
  expect(body.data.map((mail) => mail.subject)).toEqual(["Segunda", "Primeira"]);
  expect(body.data[0]).toMatchObject({
    to: "a@b.example",
    html: "<p>t</p>",
    brand: "malote",
    reply_to: "fin@aurora.example",
    attachment_name: null,
    sent_at: start,
  });
});

it("starts over: the data of people is deleted and the demo companies are as on the first day", async () => {
  await app.call(moveClock, { body: { advance_ms: 60_000 } });
  await app.call(changeRails, { body: { failure_percent: 50 } });
  await app.call(depositPix, { body: { pix_key: aurora!.pixKeys[0]!.key, value: 100 } });
  await network.rails.send([order()]);
  await outboxMailer(app.services.db, app.clock).send({
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
  await app.services.db.withCompany(aurora!.id, (tx) =>
    sql`
      SELECT post_movements(${aurora!.id}, ${new Date(start)}, ARRAY[
        ('01990000-0000-7000-8000-000000000009', 'DEPOSIT', 'pix:x', 'pix_in', 'available', 500, 'Pix', '{}')::movement])
    `.execute(tx),
  );
  expect((await app.call(readSimulator)).body.companies[0].balance).toBe(500);

  expect((await app.call(startOverCall)).body).toEqual({ ok: true });

  const { body } = await app.call(readSimulator);
  expect(body).toMatchObject({ now: start, clock_moved: false, in_flight: 0, rails: { failure_percent: 0 } });
  expect(body.companies.map((company) => company.balance)).toEqual([0, 0]);
  expect((await app.call(listMails)).body.data).toEqual([]);
  const { rows } = await app.services.db.withSystem((tx) =>
    sql`SELECT FROM sessions WHERE company_id = ${aurora!.id}`.execute(tx),
  );
  expect(rows).toHaveLength(0);
  expect(before.token).toBeTruthy();
  expect((await app.as(aurora!.users[0]!.email)).token).toBeTruthy();
});

it("erases nothing of a database that is not embedded, and explains how to start over", async () => {
  await app.close();
  app = await buildTestApp({
    routes: [
      (serve, services) =>
        createSandbox({
          ...services,
          config: { databaseUrl: "postgres://elsewhere" },
          clock: fixedClock(start),
        }).routes(serve),
    ],
  });
  const before = await app.as(aurora!.users[0]!.email);
  const { status, body } = await app.call(startOverCall);
  expect({ status, code: body.code }).toEqual({ status: 403, code: "start_over_elsewhere" });
  expect(body.message).toMatch(/banco de dados novo e vazio\.$/);
  const { rows } = await app.services.db.pool.query("SELECT FROM sessions");
  expect({ rows: rows.length, isSignedIn: Boolean(before.token) }).toEqual({ rows: 1, isSignedIn: true });
});

it("sets the options of an installation's operator, and resets them on starting over", async () => {
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

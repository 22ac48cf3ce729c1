import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readStatusPage } from "@malote/contracts/status-page";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { announce, endNotice, showNoticesInSandbox } from "../operator/index.ts";
import { buildTestApp, type Person, type TestApp, testClock } from "../testing/app.ts";

let outside: Server;
let files: Record<string, unknown>;
let requested: string[];
let address: string;
let app: TestApp;
let ana: Person;
const clock = testClock();

beforeAll(async () => {
  outside = createServer((request, response) => {
    requested.push(request.url ?? "");
    const file = files[request.url ?? ""];
    response.statusCode = file === undefined || request.method !== "GET" ? 503 : 200;
    response.end(JSON.stringify(response.statusCode === 200 ? file : {}));
  });
  await new Promise<void>((listening) => outside.listen(0, "127.0.0.1", listening));
  const { port } = outside.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
  app = await buildTestApp({
    clock,
    config: { statusUrl: address },
  });
  await app.services.db.withSystem((tx) => showNoticesInSandbox(tx, true, clock.now()));
  ana = await app.as("ana@aurora.example");
});
afterAll(async () => {
  await app.close();
  await new Promise((closed) => outside.close(closed));
});

const incident = (name: string, resolved_at: string | null) => ({
  name,
  resolved_at,
  shortlink: "https://stspg.example/abc",
});
const maintenance = (name: string) => ({
  name,
  scheduled_for: "2026-11-30T01:00:00.000-03:00",
  scheduled_until: "2026-11-30T05:00:00.000Z",
});

beforeEach(() => {
  requested = [];
  clock.advance({ minutes: 1 });
  files = {
    "/api/v2/incidents.json": {
      incidents: [incident("Resolvido", "2026-11-01T00:00:00Z"), incident("Pix lento", null)],
    },
    "/api/v2/scheduled-maintenances/active.json": { scheduled_maintenances: [] },
    "/api/v2/scheduled-maintenances/upcoming.json": {
      scheduled_maintenances: [maintenance("Troca de servidores")],
    },
  };
});
const read = async () => (await ana.call(readStatusPage)).body;

it("refuses callers without a session", async () => {
  expect((await app.call(readStatusPage)).status).toBe(401);
  expect(requested).toEqual([]);
});

it("SHL-051 SHL-052 SHL-053 reports the open incident and the maintenance, with one request a minute", async () => {
  const status = {
    incident: { name: "Pix lento", shortlink: "https://stspg.example/abc" },
    maintenance: {
      name: "Troca de servidores",
      shortlink: address,
      scheduled_for: "2026-11-30T04:00:00.000Z",
      scheduled_until: "2026-11-30T05:00:00.000Z",
    },
  };
  expect(await Promise.all([read(), read()])).toEqual([status, status]);
  expect(requested.sort()).toEqual(Object.keys(files).sort());
  clock.advance({ seconds: 59 });
  await read();
  expect(requested).toHaveLength(3);
});

it.each([null, "", undefined])(
  "SHL-053 keeps an incident open with %j as its resolved_at",
  async (resolved_at) => {
    files["/api/v2/incidents.json"] = {
      incidents: [
        incident("Resolvido", "2026-11-01T00:00:00Z"),
        { ...incident("Boleto lento", null), resolved_at },
      ],
    };
    expect((await read()).incident.name).toBe("Boleto lento");
  },
);

it("SHL-053 ends an incident that has its resolved_at", async () => {
  files["/api/v2/incidents.json"] = { incidents: [incident("Resolvido", "2026-11-01T00:00:00Z")] };
  expect((await read()).incident).toBeNull();
});

it("SHL-051 lists a maintenance under way before a future one", async () => {
  files["/api/v2/scheduled-maintenances/active.json"] = { scheduled_maintenances: [maintenance("Agora")] };
  expect((await read()).maintenance.name).toBe("Agora");
});

it.each([
  ["fails", undefined],
  ["says something else", { page: "<html>" }],
  [
    "leads to a script",
    {
      incidents: [{ name: "Pix lento", resolved_at: null, shortlink: "javascript:alert(1)//stspg.example" }],
    },
  ],
])("SHL-053 reports nothing while the page %s", async (_, answer) => {
  files["/api/v2/incidents.json"] = answer;
  expect(await read()).toEqual({ incident: null, maintenance: null });
});

it.each(["upcoming", "active"])("SHL-053 reports nothing while the page fails for %s.json", async (name) => {
  files[`/api/v2/scheduled-maintenances/${name}.json`] = undefined;
  expect(await read()).toEqual({ incident: null, maintenance: null });
});

it("SHL-049 shows neither notices nor the page in the sandbox, and sends no request, unless the operator turned notices on", async () => {
  const sandbox = await buildTestApp({
    config: { sandbox: true, statusUrl: address },
  });
  const person = await sandbox.as("ana@aurora.example");
  const own = { kind: "incident", name: "TED atrasada", link: "https://malote.example/status" } as const;
  await sandbox.services.db.withSystem((tx) => announce(tx, own, sandbox.clock.now()));
  expect((await person.call(readStatusPage)).body).toEqual({ incident: null, maintenance: null });
  expect(requested).toEqual([]);
  await sandbox.services.db.withSystem((tx) => showNoticesInSandbox(tx, true, sandbox.clock.now()));
  expect((await person.call(readStatusPage)).body).toMatchObject({
    incident: { name: "TED atrasada" },
    maintenance: { name: "Troca de servidores" },
  });
  await sandbox.close();
});

it("SHL-047 SHL-049 reports outside the sandbox, whatever the operator set for a sandbox", async () => {
  const production = await buildTestApp({ config: { sandbox: false, statusUrl: address } });
  const person = await production.as("ana@aurora.example");
  expect((await person.call(readStatusPage)).body).toMatchObject({
    incident: { name: "Pix lento" },
    maintenance: { name: "Troca de servidores" },
  });
  await production.close();
});

it("SHL-047 SHL-051 SHL-053 reports the operator's own notices before the page's, until they end", async () => {
  const { db } = app.services;
  const link = "https://malote.example/status";
  const own = await db.withSystem((tx) =>
    announce(tx, { kind: "incident", name: "TED atrasada", link }, clock.now()),
  );
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();
  const hours = { starts_at: inMinutes(1), ends_at: inMinutes(3) };
  await db.withSystem((tx) =>
    announce(tx, { kind: "maintenance", name: "Banco de dados", link, ...hours }, clock.now()),
  );
  expect(await read()).toEqual({
    incident: { name: "TED atrasada", shortlink: link },
    maintenance: {
      name: "Banco de dados",
      shortlink: link,
      scheduled_for: hours.starts_at,
      scheduled_until: hours.ends_at,
    },
  });
  expect(await db.withSystem((tx) => endNotice(tx, own.id, clock.now()))).toBe(true);
  expect(await db.withSystem((tx) => endNotice(tx, own.id, clock.now()))).toBe(false);
  expect((await read()).incident.name).toBe("Pix lento");
  clock.advance({ minutes: 3 });
  expect((await read()).maintenance.name).toBe("Troca de servidores");
});

it("SHL-047 reports the operator's own notices without a status page, too", async () => {
  const alone = await buildTestApp({ config: { sandbox: false, statusUrl: undefined } });
  const person = await alone.as("ana@aurora.example");
  const link = "https://malote.example/status";
  const notice = { kind: "incident", name: "TED atrasada", link } as const;
  await alone.services.db.withSystem((tx) => announce(tx, notice, alone.clock.now()));
  expect((await person.call(readStatusPage)).body).toEqual({
    incident: { name: "TED atrasada", shortlink: link },
    maintenance: null,
  });
  await alone.close();
});

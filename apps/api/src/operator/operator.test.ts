/** Commands of the operator's shell, and their effect on people of the company. */
import { randomUUID } from "node:crypto";
import { createBatch } from "@malote/contracts/batches";
import { readCompany, readCompanySettings, readUserSettings } from "@malote/contracts/company";
import { authorize } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { handleEvents } from "../payments/index.ts";
import { deliverOnce } from "../platform/events/deliver.ts";
import { emit } from "../platform/events/emit.ts";
import { registerSubscribers, subscriber } from "../platform/events/subscriber.ts";
import type { RailEvent } from "../ports/rails.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { runOperator } from "../testing/operator-kit.ts";
import { auroraId } from "../testing/payments-kit.ts";
import { WrongCommand } from "./usage.ts";

let app: TestApp;
beforeEach(async () => {
  app = await buildTestApp();
});
afterEach(() => app.close());

const run = (...words: string[]) => runOperator(app.services, ...words);
const cnpj = async () => JSON.parse(await run("companies", "--json"))[0].tax_id as string;
const fetchOptions = async () => JSON.parse(await run("company", auroraId, "--json")).options;
const trail = async () =>
  (
    await app.services.db.pool.query(
      "SELECT actor_kind, actor_name, action, detail FROM audit_entries WHERE action = 'operator.company_changed' ORDER BY at, id",
    )
  ).rows;

it.each([
  [["nonsense"]],
  [["company", "00.000.000/0001-91"]],
  [["company", auroraId, "blocked"]],
  [["company", auroraId, "blocked=maybe"]],
  [["company", auroraId, "unknown=true"]],
  [["company", auroraId, "permissions=-payout_everything"]],
  [["company", auroraId, "payment_price=1,50"]],
  [["company", auroraId, "blocked=true", "feature_flags=nothing-known"]],
  [["incident", "Pix lento", "--link", "javascript:alert(1)"]],
  [["maintenance", "Troca", "--link", "https://s.example", "--from", "2026-11-30", "--until", "2026-12-01"]],
  [
    [
      "maintenance",
      "Troca",
      "--link",
      "https://s.example",
      "--from",
      "2026-11-30T02:00:00Z",
      "--until",
      "2026-11-30T01:00:00Z",
    ],
  ],
  [["end-notice", "01990000-0000-7000-8000-00000000ffff"]],
  [["end-notice", "x'; DROP TABLE companies"]],
  [["notices-in-sandbox", "maybe"]],
  [["block-document", "52998224725"]],
  [["block-document", "000.000.000-00", "ordem judicial"]],
  [["retry-event", "remember-receivers", "1", "corrigido"]],
  [["skip-event", "remember-receivers", "1"]],
  [["skip-event", "remember-receivers", "0", "não importa"]],
  [["skip-event", "remember-receivers", "1; DELETE", "não importa"]],
])("refuses %j and changes nothing", async (words) => {
  const before = await fetchOptions();
  await expect(run(...words)).rejects.toThrow(WrongCommand);
  expect(await fetchOptions()).toEqual(before);
  expect(await trail()).toEqual([]);
});

it("finds a company by its CNPJ, with or without punctuation, and shows every option", async () => {
  const digits = await cnpj();
  const typed = digits.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5");
  const shown = await run("company", typed);
  expect(shown).toContain(auroraId);
  expect(shown).toContain("blocked=false");
  expect(shown).toContain("permissions=all");
  expect(shown).toContain("payment_price=default");
});

it("changes only the named options, and records that in the company's trail once", async () => {
  const before = await fetchOptions();
  await run(
    "company",
    auroraId,
    "blockWithdrawForOperator=true",
    "accepted_contract=false",
    "payment_price=125",
  );
  await run("company", auroraId, "blockWithdrawForOperator=true");
  expect(await fetchOptions()).toEqual({
    ...before,
    blockWithdrawForOperator: true,
    accepted_contract: false,
    payment_price: 125,
  });
  expect(await trail()).toEqual([
    {
      actor_kind: "system",
      actor_name: "Operador da instalação",
      action: "operator.company_changed",
      detail: {
        changes: {
          blockWithdrawForOperator: { from: false, to: true },
          accepted_contract: { from: true, to: false },
          payment_price: { from: null, to: 125 },
        },
      },
    },
  ]);
  const admin = await app.as("helena@aurora.example");
  expect((await admin.call(readCompanySettings)).body.blockWithdrawForOperator).toBe(true);
  expect((await admin.call(createBatch, { body: { name: "Lote" } })).body.code).toBe("contract_not_accepted");
  const stranger = await app.as("marcos@horizonte.example");
  expect((await stranger.call(createBatch, { body: { name: "Lote" } })).status).toBe(200);
});

it("SHL-046 blocks and unblocks a company", async () => {
  const admin = await app.as("helena@aurora.example");
  await run("company", auroraId, "blocked=true");
  expect((await admin.call(readCompany)).body.status).toBe("blocked");
  await run("company", auroraId, "blocked=false");
  expect((await admin.call(readCompany)).body.status).toBe("active");
});

it("removes permissions one by one, and restores all of them by one word", async () => {
  await run("company", auroraId, "permissions=-payout_pix,-payout_ted");
  const { permissions } = await fetchOptions();
  expect(permissions).toHaveLength(24);
  expect(permissions).not.toContain("payout_pix");
  await run("company", auroraId, "permissions=+payout_pix,+payout_ted");
  expect((await fetchOptions()).permissions).toEqual(["all"]);
  await run("company", auroraId, "permissions=none", "feature_flags=+show-promotional-topbar-app");
  expect(await fetchOptions()).toMatchObject({
    permissions: [],
    feature_flags: expect.arrayContaining(["show-promotional-topbar-app"]),
  });
});

it("announces and ends notices, the newest incident first", async () => {
  await run("incident", "Pix lento", "--link", "https://s.example/1");
  await run(
    "maintenance",
    "Troca",
    "--link",
    "https://s.example/2",
    "--from",
    "2026-08-30T02:00:00-03:00",
    "--until",
    "2026-08-30T04:00:00-03:00",
  );
  const notices = JSON.parse(await run("notices", "--json"));
  expect(notices).toMatchObject([
    { kind: "incident", name: "Pix lento", ends_at: null },
    { kind: "maintenance", starts_at: "2026-08-30T05:00:00.000Z", ends_at: "2026-08-30T07:00:00.000Z" },
  ]);
  await run("end-notice", notices[0].id);
  expect(JSON.parse(await run("notices", "--json"))).toHaveLength(1);
  const { rows } = await app.services.db.pool.query("SELECT action FROM operator_entries ORDER BY at, id");
  expect(rows.map(({ action }) => action)).toEqual(["notice_announced", "notice_announced", "notice_ended"]);
});

it("blocks and unblocks a document, and reports if it already was", async () => {
  expect(await run("block-document", "529.982.247-25", "ordem judicial")).toBe("529.982.247-25 bloqueado.");
  expect(await run("block-document", "52998224725", "outra")).toBe("529.982.247-25 já estava bloqueado.");
  expect(await run("unblock-document", "52998224725")).toBe("529.982.247-25 liberado.");
});

it("SES-046 sets whether the company requires the second factor, and signing in and renewing show it", async () => {
  const helena = await app.as("helena@aurora.example");
  await run("company", auroraId, "requiresTwoFactor=true");
  expect((await helena.call(readCompanySettings)).body.code).toBe("second_factor_required");
  const settings = await helena.call(readUserSettings);
  expect(settings.body).toEqual({ hasTwoFactorEnabled: false, isTwoFactorEnforced: true });
  const signedIn = await app.call(authorize, {
    body: { grant_type: "password", email: "helena@aurora.example", password: demoPassword },
  });
  const renewed = await app.call(authorize, {
    body: { grant_type: "refresh_token", refresh_token: helena.token },
  });
  for (const { body } of [signedIn, renewed])
    expect(decodeJwt(body.access_token)["two_factor"]).toEqual({ enabled: false, enforced: true });
});

it("lists events that could not be handled, and retries or skips them with a reason", async () => {
  const { db, clock } = app.services;
  let broken = true;
  const failing = subscriber({
    name: "failing",
    on: ["batch.released"],
    async handle() {
      if (broken) throw new Error("o assinante falhou");
    },
  });
  await registerSubscribers(app.services, [failing]);
  expect(await run("dead-letters")).toBe("Nenhum evento parado.");
  const objects = [randomUUID(), randomUUID()];
  await db.withCompany(auroraId, async (tx) => {
    for (const objectId of objects)
      await emit(tx, { now: clock.now() }, { type: "batch.released", objectId, payload: {} });
  });
  await deliverOnce(app.services, [failing]);
  const listed = JSON.parse(await run("dead-letters", "--json"));
  expect(listed).toMatchObject(objects.map((object_id) => ({ subscriber: "failing", object_id, tries: 1 })));
  expect(await run("dead-letters")).toMatch(/failing 1 .*batch\.released.*1 tentativa .*o assinante falhou/);

  await expect(run("skip-event", "failing", "1", " ")).rejects.toThrow(WrongCommand);
  await expect(run("skip-event", "failing", "9", "não importa")).rejects.toThrow(
    "npm run operator -- dead-letters",
  );
  expect(await run("skip-event", "failing", "1", "lote apagado")).toBe("Evento deixado de lado.");
  broken = false;
  expect(await run("retry-event", "failing", "2", "corrigido")).toBe("O evento será tentado de novo agora.");
  await deliverOnce(app.services, [failing]);
  expect(await run("dead-letters")).toBe("Nenhum evento parado.");
  const { rows } = await db.pool.query("SELECT action, detail FROM operator_entries ORDER BY id");
  const entry = (action: string, position: number, reason: string) => ({
    action,
    detail: { subscriber: "failing", position, companyId: auroraId, reason },
  });
  expect(rows).toEqual([entry("event_skipped", 1, "lote apagado"), entry("event_retried", 2, "corrigido")]);
});

describe("a network event that cannot be applied", () => {
  const unreadable = { kind: "an unknown one" } as unknown as RailEvent;
  const listed = async () => JSON.parse(await run("network-events", "--json"));
  const operatorEntries = async () =>
    (
      await app.services.db.pool.query(
        "SELECT detail FROM operator_entries WHERE action = 'network_event_closed' ORDER BY at",
      )
    ).rows.map(({ detail }) => detail);

  it("is listed, and closed once with a reason; if it is reported again it stays closed", async () => {
    expect(await run("network-events")).toBe("Nenhum evento da rede espera por alguém.");
    await handleEvents(app.services, [unreadable]);
    const [found] = await listed();
    expect(found).toMatchObject({
      why: "unreadable",
      company: null,
      connection: app.services.rails.id,
      tries: 1,
    });
    expect(await run("network-events")).toContain(
      `${found.id}  unreadable  ${app.services.rails.id} ${found.event_id}`,
    );

    for (const words of [[], [found.id], [found.id, "  "], ["nonsense", "motivo"]])
      await expect(run("close-network-event", ...words)).rejects.toThrow(WrongCommand);
    await expect(run("close-network-event", randomUUID(), "motivo")).rejects.toThrow("Nenhum evento da rede");
    expect(await run("close-network-event", found.id, " Confirmado com a rede ")).toContain("encerrado");
    await expect(run("close-network-event", found.id, "motivo")).rejects.toThrow("Nenhum evento da rede");

    await handleEvents(app.services, [unreadable]);
    expect(await listed()).toEqual([]);
    expect(await operatorEntries()).toEqual([
      {
        id: found.id,
        companyId: null,
        connection: app.services.rails.id,
        eventId: found.event_id,
        why: "unreadable",
        reason: "Confirmado com a rede",
      },
    ]);
  });

  it("waits again if it was closed, is reported again and fails once more", async () => {
    const failing = {
      kind: "failed",
      id: "of nobody",
      companyId: randomUUID(),
      endToEndId: "E1",
      at: app.clock.now().toISOString(),
      value: 100,
      reason: "x",
      final: true,
    } as unknown as RailEvent;
    await handleEvents(app.services, [failing]);
    const [found] = await listed();
    expect(found).toMatchObject({ why: "failed", event_id: "of nobody" });
    await run("close-network-event", found.id, "Empresa que não existe");
    expect(await listed()).toEqual([]);
    await handleEvents(app.services, [failing]);
    expect(await listed()).toMatchObject([{ id: found.id, tries: 2 }]);
  });
});

/** Issue 13: who did what, readable for the company's admins: filters, from what to what, and the sheet. */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AuditEntry,
  downloadAuditTrail,
  exportAuditTrail,
  listAuditActors,
  listAuditTrail,
  readAuditTrailExport,
} from "@malote/contracts/audit-trail";
import { createBatch, renameBatch } from "@malote/contracts/batches";
import {
  changeCompany,
  changeCompanySettings,
  readCheckpoint,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { approveRequest, listApprovalRequests, saveControls } from "@malote/contracts/controls";
import { createCredential, revokeCredential } from "@malote/contracts/developer";
import { changeLimit } from "@malote/contracts/limits";
import { downloadPayinReport, requestPayinReport } from "@malote/contracts/payins";
import { authorize, changeMe, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { changeUser, createUser, removeUser } from "@malote/contracts/users";
import { type AuditAction, auditActions } from "@malote/domain/audit-trail";
import { fetchedSheets } from "@malote/domain/limits";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { changeCompanyOptions } from "../operator/company-options.ts";
import { audit } from "../platform/audit.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, draft, openPayments, ownAccount, type PaymentsKit, pix } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const aurora = demoCompanies[0]!;
type Query = Record<string, string>;
const ask = (by: Person, query: Query = {}) => by.call(listAuditTrail, { query });
const entriesOf = async (query: Query = {}, by = kit.admin): Promise<AuditEntry[]> =>
  (await ask(by, query)).body.items;
const newest = async (action: AuditAction): Promise<AuditEntry> => {
  const [entry] = await entriesOf({ action });
  if (!entry) throw new Error(`no entry of ${action}`);
  return entry;
};
const changed = async (action: AuditAction) =>
  (await newest(action)).changes.map(({ label, from, to }) => `${label}: ${from} → ${to}`);
/** Sure to have worked. */
async function done(by: Person, ...given: Parameters<Person["call"]>) {
  const answer = await by.call(...given);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
async function secondAdmin(): Promise<Person> {
  const id = randomUUID();
  const { pool } = kit.services.db;
  await pool.query(
    `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
     SELECT company_id, $1, 'Segunda Admin', 'segunda@aurora.example', password_hash, 'admin', applications, created_at
     FROM users WHERE email = 'helena@aurora.example'`,
    [id],
  );
  await pool.query(
    "INSERT INTO sign_in_names (name, kind, company_id, subject_id) VALUES ('segunda@aurora.example', 'user', $1, $2)",
    [auroraId, id],
  );
  return kit.as("segunda@aurora.example");
}

describe("is refused", () => {
  const calls = [
    [listAuditTrail, {}],
    [listAuditActors, {}],
    [exportAuditTrail, { body: {} }],
    [readAuditTrailExport, { params: { id: randomUUID() } }],
    [downloadAuditTrail, { params: { id: randomUUID() } }],
  ] as const;

  it.each(calls.map(([call, input]) => [call.id, call, input] as const))(
    "to nobody signed in, operators, analysts and credentials: %s",
    async (_id, call, input) => {
      expect((await kit.call(call, input)).status).toBe(401);
      for (const person of [kit.operator, kit.analyst]) {
        const { status, body } = await person.call(call, input);
        expect([status, body.code]).toEqual([403, "forbidden"]);
      }
      const { clientId: client_id, clientSecret: client_secret } = aurora.credential;
      const signedIn = await kit.call(authorize, {
        body: { grant_type: "client_credentials", client_id, client_secret },
      });
      expect((await kit.call(call, input, { token: signedIn.body.access_token })).status).toBe(403);
    },
  );

  it("where it is asked for what cannot be", async () => {
    const wrong: Query[] = [
      { actor_id: "helena" },
      { action: "batch_eaten" },
      { object: "cheese" },
      { from: "2026-02-30" },
      { until: "ontem" },
      { subject_id: "0198f000" },
      { page_cursor: "older_1" },
    ];
    for (const query of wrong) {
      const { status, body } = await ask(kit.admin, query);
      expect([query, status, body.code]).toEqual([query, 400, "invalid_request"]);
    }
    expect((await kit.admin.call(exportAuditTrail, { body: { object: "cheese" } })).status).toBe(400);
    for (const call of [readAuditTrailExport, downloadAuditTrail])
      expect((await kit.admin.call(call, { params: { id: randomUUID() } })).status).toBe(404);
  });

  it("of another company, entries, people and sheets", async () => {
    const { id } = await draft(kit.admin, [pix(10_00)]);
    const sheet = await done(kit.admin, exportAuditTrail, { body: {} });
    expect(await entriesOf({ subject_id: id }, kit.stranger)).toEqual([]);
    for (const call of [readAuditTrailExport, downloadAuditTrail])
      expect((await kit.stranger.call(call, { params: { id: sheet.id } })).status).toBe(404);
    const theirs = await entriesOf({}, kit.stranger);
    expect(theirs.map(({ actor }) => actor.name)).not.toContain("Helena Prado");
    const { data } = await done(kit.stranger, listAuditActors);
    const helena = aurora.users.find(({ profile }) => profile === "admin");
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(helena?.id);
    expect(await entriesOf({ actor_id: helena?.id ?? "" }, kit.stranger)).toEqual([]);
  });
});

it("FST-024 notes that a person asked for the sheet", async () => {
  const noted = async () =>
    (await done(kit.admin, readCheckpoint, { params: { id: "HAS_CREATED_REPORT" } })).exists;
  expect(await noted()).toBe(false);
  await done(kit.admin, exportAuditTrail, { body: {} });
  expect(await noted()).toBe(true);
});

describe("finds", () => {
  it("entries by person, action, object, the one it was about and the day, the newest first", async () => {
    const { id } = await draft(kit.operator, [pix(10_00)]);
    await kit.pass({ days: 2 });
    await done(kit.admin, renameBatch, { params: { id }, body: { name: "Folha de agosto" } });
    const { data: actors } = await done(kit.admin, listAuditActors);
    const idOf = (name: string) => actors.find((one: { name: string }) => one.name === name)?.id ?? "";

    const ofBatch = await entriesOf({ subject_id: id });
    expect(ofBatch.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["batch_renamed", "Helena Prado"],
      ["batch_created", "Rui Tavares"],
    ]);
    expect(ofBatch[0]).toMatchObject({
      object: "batch",
      subject_id: id,
      subject_name: "Folha de agosto",
      actor: { kind: "user" },
    });
    expect(ofBatch[0]?.seq).toBeGreaterThan(ofBatch[1]?.seq ?? 0);
    const actionsBy = async (query: Query) =>
      (await entriesOf({ subject_id: id, ...query })).map(({ action }) => action);
    expect(await actionsBy({ actor_id: idOf("Rui Tavares") })).toEqual(["batch_created"]);
    expect(await actionsBy({ action: "batch_renamed" })).toEqual(["batch_renamed"]);
    expect(await actionsBy({ object: "limit" })).toEqual([]);
    expect(await actionsBy({ object: "batch", from: "2026-08-13" })).toEqual(["batch_renamed"]);
    expect(await actionsBy({ until: "2026-08-12" })).toEqual(["batch_created"]);
    expect(await actionsBy({ from: "2026-08-13", until: "2026-08-13" })).toEqual([]);
    const seen = await entriesOf({ object: "session" });
    expect(new Set(seen.map(({ action }) => auditActions[action as AuditAction].object))).toEqual(
      new Set(["session"]),
    );
  });

  it("what Malote and the installation's operator did", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      await changeCompanyOptions(tx, { permissions: ["platform_access", "payout_pix"] }, kit.clock.now());
      await audit(tx, { actor: "system", now: kit.clock.now() }, "sheet_file_removed", randomUUID());
    });
    const byOperator = await entriesOf({ actor_id: "operator" });
    expect(byOperator.map(({ action }) => action)).toEqual(["operator.company_changed"]);
    expect(byOperator[0]?.changes).toEqual([
      { label: "Permissões", from: "Todas", to: "Usar a plataforma, Pagar por Pix" },
    ]);
    expect((await entriesOf({ actor_id: "system" })).map(({ action }) => action)).toEqual([
      "sheet_file_removed",
    ]);
  });

  it("page by page each entry once, while others are written, and back again", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      for (let n = 0; n < 120; n++)
        await audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", `subject-${n}`);
    });
    const query = { action: "receivers_removed" };
    const first = (await ask(kit.admin, query)).body;
    await kit.services.db.withCompany(auroraId, (tx) =>
      audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", "written meanwhile"),
    );
    const second = (await ask(kit.admin, { ...query, page_cursor: first.meta.next })).body;
    const third = (await ask(kit.admin, { ...query, page_cursor: second.meta.next })).body;
    const subjects = [first, second, third].flatMap(({ items }) =>
      items.map(({ subject_id }: AuditEntry) => subject_id),
    );
    expect(first.meta.previous).toBeNull();
    expect(third.meta.next).toBeNull();
    expect(subjects).toHaveLength(120);
    expect(new Set(subjects).size).toBe(120);
    expect(subjects).not.toContain("written meanwhile");
    const back = (await ask(kit.admin, { ...query, page_cursor: third.meta.previous })).body;
    expect(back.items).toEqual(second.items);
  });
});

describe("says from what to what", () => {
  it("settings", async () => {
    const save = (body: object) => done(kit.admin, changeCompanySettings, { body });
    await save({ reply_to_email: "financeiro@aurora.example", accept_contacerta_suggestions: true });
    expect(await changed("company.settings_changed")).toEqual([
      "Correção automática da ContaCerta: Não → Sim",
      "E-mail que recebe as respostas: h•••@aurora.example → f•••@aurora.example",
    ]);
    await save({ emails_payees: true, accept_contacerta_suggestions: true });
    expect(await changed("company.settings_changed")).toEqual([
      "E-mail de pagamento aos recebedores: Não → Sim",
    ]);
  });

  it("data of the company", async () => {
    await done(kit.admin, changeCompany, { body: { phone: "(48) 3241-7788" } });
    expect(await changed("company.data_changed")).toEqual(["Telefone: null → •••788"]);
  });

  it("SES-072 limits, lowered, taken back at once and asked to be raised", async () => {
    const put = (value: number) =>
      done(kit.admin, changeLimit, { body: { period: "TRANSACTION", payment_method: "PIX", value } });
    await put(1_000_00);
    expect(await changed("limit_lowered")).toEqual(["Limite: R$ 250.000,00 → R$ 1.000,00"]);
    expect((await newest("limit_lowered")).facts).toEqual([
      { label: "Período", value: "por transação" },
      { label: "Forma de pagamento", value: "Pix" },
    ]);
    await put(2_000_00);
    expect(await changed("limit_raised")).toEqual(["Limite: R$ 1.000,00 → R$ 2.000,00"]);
    await kit.pass({ hours: 24 });
    await put(3_000_00);
    expect(await changed("limit_raise_requested")).toEqual(["Aumento pedido: null → R$ 3.000,00"]);
    // SES-072: as everywhere on screen, to the minute.
    expect((await newest("limit_raise_requested")).facts).toContainEqual({
      label: "Vale a partir de",
      value: expect.stringMatching(/^\d{2}\/\d{2}\/2026 \d{2}:\d{2}$/),
    });
  });

  const policy = {
    requires_other_approver: false,
    bands: [{ from: 0, approvers: 0 }],
    operator_approvers: [] as string[],
    step_up_from: null,
    operators_may_withdraw: true,
    operators_may_correct: true,
    operators_may_give_back: true,
    quarantine_hours: 24,
  };

  it("controls, changed by the only admin", async () => {
    const rui = aurora.users.find(({ profile }) => profile === "operator")!;
    const stricter = { ...policy, operators_may_withdraw: false, operator_approvers: [rui.id] };
    await done(kit.admin, saveControls, { body: { version: 0, policy: stricter } });
    expect(await changed("controls_changed")).toEqual([
      `Operadores que aprovam: nenhum → ${rui.name}`,
      "Operadores resgatam: Sim → Não",
    ]);
  });

  it("controls that another admin agreed to, in the entry of the approval", async () => {
    const second = await secondAdmin();
    const stricter = { ...policy, bands: [{ from: 0, approvers: 1 }] };
    const saved = await done(kit.admin, saveControls, { body: { version: 0, policy: stricter } });
    expect(saved.outcome).toBe("waits_for_approval");
    expect((await newest("approval_requested")).facts).toContainEqual({
      label: "Pedido",
      value: "Mudança dos controles",
    });
    const [{ id, digest }] = (await done(second, listApprovalRequests)).data;
    await done(
      second,
      approveRequest,
      { params: { id }, body: { digest } },
      { "idempotency-key": randomUUID() },
    );
    expect(await changed("approval_request_approved")).toEqual([
      "Aprovadores por valor: a partir de R$ 0,00: ninguém mais → a partir de R$ 0,00: 1",
    ]);
  });

  it("people: made, changed and removed", async () => {
    const person = {
      name: "Bruna Costa",
      email: "bruna@aurora.example",
      profile: "analyst",
      applications: ["payments"],
    };
    const { id } = await done(kit.admin, createUser, { body: person });
    expect(await changed("user.created")).toEqual([
      "Nome: null → Bruna Costa",
      "E-mail: null → b•••@aurora.example",
      "Perfil: null → Analista",
      "Aplicações: null → Pagamentos",
    ]);
    const access = { profile: "operator", applications: ["payments"] };
    await done(kit.admin, changeUser, { params: { id }, body: access });
    expect(await changed("user.access_changed")).toEqual(["Perfil: Analista → Operador"]);
    expect((await newest("user.access_changed")).facts).toEqual([{ label: "Nome", value: "Bruna Costa" }]);
    await done(kit.admin, removeUser, { params: { id } });
    expect(await changed("user.removed")).toContain("Perfil: Operador → null");
    await done(kit.admin, changeMe, { body: { name: "Helena Prado Lima" } });
    expect(await changed("user.name_changed")).toEqual(["Nome: Helena Prado → Helena Prado Lima"]);
  });

  it("the second factor, and never its secret", async () => {
    const { secret } = await done(kit.operator, readTwoFactorSecret);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: kit.clock.now().getTime(),
    });
    await done(kit.operator, setTwoFactor, { body: { action: "enable", code } });
    expect(await changed("two_factor.enabled")).toEqual(["Autenticação em 2 fatores: Não → Sim"]);
    const text = JSON.stringify((await ask(kit.admin)).body);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(code);
  });

  it("the account for withdrawals, with its numbers shortened", async () => {
    const save = (change: object = {}) =>
      done(kit.admin, saveCompanyBankAccount, { body: { ...ownAccount, ...change } });
    await save();
    await save({ agency: "4321", account_digit: "5" });
    const entry = await newest("company.withdraw_account_saved");
    expect(entry.changes).toEqual([
      { label: "Agência", from: ownAccount.agency, to: "4321" },
      { label: "Dígito da conta", from: "•••", to: "•••" },
    ]);

    // Their first one.
    const { name, taxId: cpfCnpj } = demoCompanies[1]!;
    await done(kit.stranger, saveCompanyBankAccount, { body: { ...ownAccount, name, cpfCnpj } });
    const [first] = await entriesOf({ action: "company.withdraw_account_saved" }, kit.stranger);
    expect(first?.changes).toContainEqual({ label: "Titular", from: null, to: name });
    expect(first?.changes).toContainEqual({
      label: "Conta",
      from: null,
      to: `•••${ownAccount.account.slice(-2)}`,
    });
    for (const whole of [ownAccount.account, cpfCnpj])
      expect(JSON.stringify(first)).not.toContain(`"${whole}"`);
  });

  it("the account that another admin agreed to, in the entry of the approval", async () => {
    await done(kit.admin, saveCompanyBankAccount, { body: ownAccount });
    const second = await secondAdmin();
    await done(kit.admin, saveControls, {
      body: { version: 0, policy: { ...policy, requires_other_approver: true } },
    });
    const approve = async () => {
      const { data } = await done(second, listApprovalRequests);
      const { id, digest } = data.find(({ status }: { status: string }) => status === "pending");
      await done(
        second,
        approveRequest,
        { params: { id }, body: { digest } },
        { "idempotency-key": randomUUID() },
      );
    };
    await approve();
    await done(kit.admin, saveCompanyBankAccount, {
      body: { ...ownAccount, agency: "4321", account_digit: "5" },
    });
    await approve();
    expect(await changed("approval_request_approved")).toContain(`Agência: ${ownAccount.agency} → 4321`);
  });

  it("credentials, and never their secret", async () => {
    const made = await done(kit.admin, createCredential, { body: { name: "ERP" } });
    await done(kit.admin, revokeCredential, { params: { id: made.id } });
    expect(await changed("credential_created")).toEqual([
      "Nome: null → ERP",
      "Perfil: null → Administrador",
      "Aplicação: null → Pagamentos",
      `Client ID: null → ${made.client_id}`,
    ]);
    expect(await changed("credential_revoked")).toContain("Nome: ERP → null");
    expect(JSON.stringify(await entriesOf({ object: "credential" }))).not.toContain(made.client_secret);
  });

  it("an entry of an older version as far as it is known", async () => {
    await kit.services.db.pool.query(
      `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, detail)
       VALUES ($1, $2, 'system', 'Malote', 'thing_of_old', '{"from": 1, "to": {"a": 2}, "reason": "antes"}')`,
      [auroraId, kit.clock.now()],
    );
    const [entry] = await entriesOf({ actor_id: "system" });
    expect(entry).toMatchObject({
      action: "thing_of_old",
      object: null,
      changes: [],
      facts: [{ label: "Motivo", value: "antes" }],
    });
  });
});

describe("the sheet", () => {
  it("holds what the filters found with each link of the chain, and that it was made is an entry", async () => {
    const { id } = await done(kit.operator, createBatch, { body: { name: '=HYPERLINK("http://x")' } });
    await done(kit.admin, renameBatch, { params: { id }, body: { name: "Folha" } });
    const asked = await done(kit.admin, exportAuditTrail, { body: { subject_id: id } });
    const state = await done(kit.admin, readAuditTrailExport, { params: { id: asked.id } });
    expect(state).toEqual({
      link: `/api/payments/app/audit_trail/exports/${asked.id}/file`,
      filename: "Trilha de auditoria 2026-08-12.csv",
    });
    const { headers, body } = await kit.admin.call(downloadAuditTrail, { params: { id: asked.id } });
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Trilha de auditoria 2026-08-12.csv"; filename*=UTF-8''Trilha%20de%20auditoria%202026-08-12.csv`,
    );
    const lines = String(body).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('"Nº";"Data";"Quem";"Tipo";"Ação"');
    const { rows } = await kit.services.db.pool.query(
      `SELECT encode(c.hash, 'hex') AS hash FROM audit_chain c JOIN audit_entries e ON e.id = c.entry_id
       WHERE e.subject_id = $1 ORDER BY c.seq DESC`,
      [id],
    );
    expect(lines[1]).toContain('"12/08/2026 10:00:00";"Helena Prado";"Pessoa";"Lote renomeado";"Lote Folha"');
    // No program takes typed text for a formula.
    expect(lines[1]).toContain(`"Nome: =HYPERLINK(""http://x"") → Folha"`);
    for (const [at, { hash }] of rows.entries()) expect(lines[at + 1]?.endsWith(`"${hash}"`)).toBe(true);
    const [own] = await entriesOf({ action: "audit_trail_exported" });
    expect(own).toMatchObject({ subject_id: asked.id, actor: { name: "Helena Prado" } });
  });

  it("is made in pieces, each row once", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      for (let n = 0; n < 1_100; n++)
        await audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", `subject-${n}`);
    });
    const asked = await done(kit.admin, exportAuditTrail, { body: { action: "receivers_removed" } });
    const { body } = await kit.admin.call(downloadAuditTrail, { params: { id: asked.id } });
    const lines = String(body).trim().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => /subject-\d+/.exec(line)?.[0])).size).toBe(1_100);
    expect(lines).toHaveLength(1_100);
  });

  it("is fetched five at a time by one company, other sheets counted, and asked for two hundred times in a day", async () => {
    const { id } = await done(kit.admin, exportAuditTrail, { body: {} });
    const fetch = (by = kit.admin, of = id) => by.call(downloadAuditTrail, { params: { id: of } });
    const theirs = await done(kit.stranger, exportAuditTrail, { body: {} });
    const payins = await done(kit.admin, requestPayinReport, { body: {} });
    // Their rows come no sooner than this ends.
    const holder = await kit.services.db.pool.connect();
    await holder.query("BEGIN; LOCK TABLE payins IN ACCESS EXCLUSIVE MODE");
    const fetchPayins = () => kit.admin.call(downloadPayinReport, { params: { id: payins.id } });
    const held = Array.from({ length: fetchedSheets.openMax + 1 }, fetchPayins);
    // Five wait for their rows; the one that came last is one too many, and so is now one of another kind.
    const refused = [await Promise.race(held), await fetch()];
    const ofOthers = await fetch(kit.stranger, theirs.id);
    await holder.query("COMMIT");
    holder.release();
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([429, "sheets_at_once"]);
      expect(body.message).toBe(
        "Sua empresa já está baixando 5 planilhas. Espere o fim de uma delas e baixe de novo.",
      );
    }
    // People of another company did not wait for them.
    expect(ofOthers.status).toBe(200);
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429]);
    // Each gave its place back, one that there is none of too.
    for (let n = 0; n < fetchedSheets.openMax; n++)
      expect((await fetch(kit.admin, randomUUID())).status).toBe(404);
    expect((await fetch()).status).toBe(200);

    await kit.services.db.pool.query(
      `INSERT INTO exports (company_id, id, kind, request, is_streamed, state, created_at, expires_at)
       SELECT $1, uuidv7(), 'audit_trail', '{}', true, 'ready', $2, $2::timestamptz + interval '24 hours'
       FROM generate_series(2, $3)`,
      [auroraId, kit.clock.now(), fetchedSheets.askedMax],
    );
    // The same one again takes no place; another one does.
    await done(kit.admin, exportAuditTrail, { body: {} });
    const { status, body } = await kit.admin.call(exportAuditTrail, { body: { object: "limit" } });
    expect([status, body.code]).toEqual([429, "sheets_asked_too_many"]);
    await done(kit.stranger, exportAuditTrail, { body: {} });
    await kit.pass({ hours: 25 });
    await done(kit.admin, exportAuditTrail, { body: {} });
  });
});

describe("asking for sheets", () => {
  const rows = async (): Promise<{ kind: string }[]> =>
    (await kit.services.db.pool.query("SELECT kind FROM exports WHERE is_streamed ORDER BY kind")).rows;
  const entries = async (): Promise<number> =>
    (
      await kit.services.db.pool.query(
        "SELECT count(*)::int AS n FROM audit_entries WHERE action IN ('payin_report_requested', 'audit_trail_exported')",
      )
    ).rows[0].n;

  it("keeps one of the same filters for each person, as of the last time, and another of other filters", async () => {
    const ask = async (by = kit.admin, body = {}) => (await done(by, requestPayinReport, { body })).id;
    const first = await ask();
    await kit.pass({ minutes: 5 });
    expect(await ask()).toBe(first);
    expect(await ask(kit.analyst)).not.toBe(first);
    expect(await ask(kit.admin, { search: "luz" })).not.toBe(first);
    expect(await rows()).toHaveLength(3);
    const { rows: kept } = await kit.services.db.pool.query("SELECT created_at FROM exports WHERE id = $1", [
      first,
    ]);
    expect(kept).toEqual([{ created_at: kit.clock.now() }]);
  });

  it("ends at thirty of a person in an hour, of all kinds together and of many at once, and leaves no more entries", async () => {
    const per = fetchedSheets.askedPerHourMax;
    const ask = (n: number, by = kit.admin) =>
      by.call(n % 2 ? requestPayinReport : exportAuditTrail, {
        body: n % 2 ? { search: `luz ${n}` } : {},
      });
    const answers = await Promise.all(Array.from({ length: per + 5 }, (_, n) => ask(n)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill("sheets_asked_in_an_hour"));
    expect(refused[0]?.body.message).toBe(
      "Você já pediu 30 planilhas na última hora. Baixe uma das que já pediu ou espere para pedir outra.",
    );
    expect(await entries()).toBe(per);
    expect((await rows()).length).toBeLessThanOrEqual(per / 2 + 6);
    // A colleague asks as before, and so does the same person an hour later.
    expect((await ask(1, kit.analyst)).status).toBe(200);
    await kit.pass({ hours: 1 });
    expect((await ask(0)).status).toBe(200);
  });
});

/** The compiler refuses an action without words; this finds words that nothing writes any more, and writing past `audit`. */
it("every action of the catalogue is written somewhere, and nothing but audit writes one", () => {
  const folder = join(import.meta.dirname, "..");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(folder, file), "utf8") }));
  const code = sources.map(({ text }) => text).join("\n");
  // `approval_request_${status}`: what it is made of is a type.
  const made = [...code.matchAll(/`([a-z_.]+)\$\{[^}]+\}(\w*)`/g)].map(([, start = "", end = ""]) => ({
    start,
    end,
  }));
  const isWritten = (action: string) =>
    code.includes(`"${action}"`) ||
    made.some(({ start, end }) => start.length > 4 && action.startsWith(start) && action.endsWith(end));
  expect(Object.keys(auditActions).filter((action) => !isWritten(action))).toEqual([]);
  const writers = sources.filter(({ text }) => text.includes("INSERT INTO audit_entries"));
  expect(writers.map(({ file }) => file).sort()).toEqual(["platform/audit.ts", "session/user-store.ts"]);
});

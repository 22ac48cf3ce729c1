/** An entry of the audit trail shows the old and the new value of each change. */
import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@malote/contracts/audit-trail";
import { changeCompany, changeCompanySettings, saveCompanyBankAccount } from "@malote/contracts/company";
import { approveRequest, listApprovalRequests, saveControls } from "@malote/contracts/controls";
import { createCredential, revokeCredential } from "@malote/contracts/developer";
import { changeLimit } from "@malote/contracts/limits";
import { changeMe, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { changeUser, createUser, removeUser } from "@malote/contracts/users";
import type { AuditAction } from "@malote/domain/audit-trail";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { auditTrailCalls, aurora, done, listTrail } from "../testing/audit-trail-kit.ts";
import { auroraId, openPayments, ownAccount, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { fetchEntries } = auditTrailCalls(() => kit);

const newest = async (action: AuditAction): Promise<AuditEntry> => {
  const [entry] = await fetchEntries({ action });
  if (!entry) throw new Error(`no entry of ${action}`);
  return entry;
};
const changed = async (action: AuditAction) =>
  (await newest(action)).changes.map(({ label, from, to }) => `${label}: ${from} → ${to}`);
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

describe("shows the old and the new values of", () => {
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

  it("SES-072 limits that are lowered, restored immediately and requested to rise", async () => {
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
    // SES-072: the time is exact to the minute, as on every screen.
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

  it("controls that the only admin changed", async () => {
    const rui = aurora.users.find(({ profile }) => profile === "operator")!;
    const stricter = { ...policy, operators_may_withdraw: false, operator_approvers: [rui.id] };
    await done(kit.admin, saveControls, { body: { version: 0, policy: stricter } });
    expect(await changed("controls_changed")).toEqual([
      `Operadores que aprovam: nenhum → ${rui.name}`,
      "Operadores resgatam: Sim → Não",
    ]);
  });

  it("controls that another admin approved, in the entry of the approval", async () => {
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

  it("people who are created, changed and removed", async () => {
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
    const text = JSON.stringify((await listTrail(kit.admin)).body);
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

    // The company has no earlier withdrawal account.
    const { name, taxId: cpfCnpj } = demoCompanies[1]!;
    await done(kit.stranger, saveCompanyBankAccount, { body: { ...ownAccount, name, cpfCnpj } });
    const [first] = await fetchEntries({ action: "company.withdraw_account_saved" }, kit.stranger);
    expect(first?.changes).toContainEqual({ label: "Titular", from: null, to: name });
    expect(first?.changes).toContainEqual({
      label: "Conta",
      from: null,
      to: `•••${ownAccount.account.slice(-2)}`,
    });
    for (const whole of [ownAccount.account, cpfCnpj])
      expect(JSON.stringify(first)).not.toContain(`"${whole}"`);
  });

  it("the withdrawal account that another admin approved, in the entry of the approval", async () => {
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
    expect(JSON.stringify(await fetchEntries({ object: "credential" }))).not.toContain(made.client_secret);
  });

  it("an entry of an older version, if it has them", async () => {
    await kit.services.db.pool.query(
      `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, detail)
       VALUES ($1, $2, 'system', 'Malote', 'thing_of_old', '{"from": 1, "to": {"a": 2}, "reason": "antes"}')`,
      [auroraId, kit.clock.now()],
    );
    const [entry] = await fetchEntries({ actor_id: "system" });
    expect(entry).toMatchObject({
      action: "thing_of_old",
      object: null,
      changes: [],
      facts: [{ label: "Motivo", value: "antes" }],
    });
  });
});

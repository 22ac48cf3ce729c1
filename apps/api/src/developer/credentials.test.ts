import { closeBatch } from "@malote/contracts/batch-life";
import { listInvoices } from "@malote/contracts/billing";
import { listBanks } from "@malote/contracts/company";
import {
  createCredential,
  createValidationCredential,
  credentialsMax,
  listCredentials,
  listValidationCredentials,
  revokeCredential,
  revokeValidationCredential,
} from "@malote/contracts/developer";
import { authorize, confirmIdentity } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";

const [aurora] = demoCompanies;
let app: TestApp;
let admin: Person;
let operator: Person;
let analyst: Person;
let stranger: Person;
let validator: Person;
beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.as("helena@aurora.example");
  operator = await app.as("rui@aurora.example");
  analyst = await app.as("ana@aurora.example");
  stranger = await app.as("marcos@horizonte.example");
  validator = await app.as("rui@aurora.example", "validation");
});
afterAll(() => app.close());
beforeEach(() => app.services.db.pool.query("DELETE FROM api_credentials WHERE created_by IS NOT NULL"));

const create = (by: Person, name?: string) => by.call(createCredential, { body: name ? { name } : {} });
const revoke = (by: Person, id: string) => by.call(revokeCredential, { params: { id } });
const names = async (by = admin) => (await by.call(listCredentials)).body.data.map((one) => one.name);
const signIn = (made: { client_id: string; client_secret: string }) =>
  app.call(authorize, {
    body: {
      grant_type: "client_credentials",
      client_id: made.client_id,
      client_secret: made.client_secret,
    },
  });
const setAurora = (options: Record<string, boolean | string[]>) =>
  setCompany(app.services, aurora?.id ?? "", options);
const change = (text: string) =>
  app.services.db.withCompany(aurora?.id ?? "", (tx) => sql.raw(text).execute(tx));

describe("permissions", () => {
  it("DEV-002 DEV-004 refuse analysts, systems and unknown callers", async () => {
    const machine = await signIn({
      client_id: aurora?.credential.clientId ?? "",
      client_secret: aurora?.credential.clientSecret ?? "",
    });
    const ofValidation = await signIn((await validator.call(createValidationCredential, { body: {} })).body);
    const there = [listValidationCredentials, createValidationCredential, revokeValidationCredential];
    for (const [contracts, reader, { access_token: token }] of [
      [[listCredentials, createCredential, revokeCredential], analyst, machine.body],
      [there, await app.as("ana@aurora.example", "validation"), ofValidation.body],
    ] as const)
      for (const contract of contracts) {
        const input = { params: { id: aurora?.credential.id ?? "" }, body: {} };
        expect((await app.call(contract, input)).status).toBe(401);
        expect(await reader.call(contract, input)).toMatchObject({ status: 403 });
        expect(await app.call(contract, input, { token })).toMatchObject({ status: 403 });
      }
  });

  it("DEV-002 require api_credentials_generate", async () => {
    await setAurora({ permissions: ["platform_access"] });
    try {
      for (const contract of [listCredentials, createCredential])
        expect(await admin.call(contract)).toMatchObject({ status: 403, body: { code: "forbidden" } });
      for (const contract of [listValidationCredentials, createValidationCredential])
        expect(await validator.call(contract)).toMatchObject({ status: 403, body: { code: "forbidden" } });
      await setAurora({ permissions: ["platform_access", "api_credentials_generate"] });
      expect((await admin.call(listCredentials)).status).toBe(200);
      expect((await create(operator)).status).toBe(200);
    } finally {
      await setAurora({ permissions: ["all"] });
    }
  });

  it("DEV-002 admit only people with the validation application if the settings give no API access", async () => {
    await setAurora({ hasApiAccess: false });
    try {
      expect([(await admin.call(listCredentials)).status, (await create(admin)).status]).toEqual([200, 200]);
      expect((await validator.call(listValidationCredentials)).status).toBe(200);
      expect((await validator.call(createValidationCredential, { body: {} })).status).toBe(200);
      await change(
        `UPDATE users SET applications = '{payments}' WHERE email IN ('helena@aurora.example', 'rui@aurora.example')`,
      );
      for (const answer of [
        await admin.call(listCredentials),
        await operator.call(listCredentials),
        await create(admin),
        await create(operator),
        await revoke(admin, aurora?.credential.id ?? ""),
      ])
        expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
      await setAurora({ hasApiAccess: true });
      expect((await admin.call(listCredentials)).status).toBe(200);
    } finally {
      await setAurora({ hasApiAccess: true });
      await change(`UPDATE users SET applications = '{payments,validation}'`);
    }
  });
});

describe("a new credential", () => {
  it.each(["", "   ", "a".repeat(61)])("refuses the name '%s'", async (name) => {
    const answer = await admin.call(createCredential, { body: { name } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("DEV-004 DEV-006 shows its secret once, and is stored only as a hash", async () => {
    const made = await create(operator, "  Sistema da folha ");
    expect(made).toMatchObject({
      status: 200,
      body: {
        client_id: expect.stringMatching(/^api_[0-9a-f]{24}$/),
        client_secret: expect.stringMatching(/^sec_[\w-]{43}$/),
        name: "Sistema da folha",
        profile: "operator",
        created_by: "Rui Tavares",
        last_used_at: null,
      },
    });
    const { client_secret: secret, ...shown } = made.body;
    const { body } = await operator.call(listCredentials);
    expect(body.data[0]).toEqual(shown);
    expect(JSON.stringify(body)).not.toContain(secret);
    const { rows } = await app.services.db.pool.query<{ text: string }>(
      `SELECT string_agg(t::text, ' ') AS text FROM (
         SELECT a::text AS t FROM api_credentials a UNION ALL SELECT e::text FROM audit_entries e
         UNION ALL SELECT n::text FROM sign_in_names n UNION ALL SELECT k::text FROM idempotency_keys k) every`,
    );
    expect(rows[0]?.text).toContain(shown.client_id);
    expect(rows[0]?.text).not.toContain(secret);
  });

  it("DEV-004 requires the password again, on the API of each application", async () => {
    app.clock.advance({ minutes: 6 });
    const createThere = () => validator.call(createValidationCredential, { body: {} });
    for (const answer of [await create(admin), await createThere()])
      expect(answer).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
    for (const person of [admin, operator, stranger, validator])
      await person.call(confirmIdentity, { body: { password: demoPassword } });
    expect([(await create(admin)).status, (await createThere()).status]).toEqual([200, 200]);
  });

  it("is named after its day without a name", async () => {
    expect((await create(admin)).body.name).toBe("API 12/08/2026");
  });

  it("signs in for thirty minutes, and the list says when it was last used", async () => {
    const made = (await create(admin)).body;
    expect((await signIn({ ...made, client_secret: "sec_outro" })).status).toBe(401);
    const answer = await signIn(made);
    expect(answer).toMatchObject({ status: 200, body: { expires_in: 1800 } });
    const token = answer.body.access_token;
    expect((await app.call(listInvoices, {}, { token })).status).toBe(200);
    const [listed] = (await admin.call(listCredentials)).body.data;
    expect(listed).toMatchObject({ id: made.id, last_used_at: app.clock.now().toISOString() });
  });

  it("grants no other profile: an operator's credential may do no more than the operator", async () => {
    const token = (await signIn((await create(operator)).body)).body.access_token;
    expect((await app.call(listBanks, {}, { token })).status).toBe(200);
    expect(await app.call(listInvoices, {}, { token })).toMatchObject({ status: 403 });
    const params = { id: aurora?.id ?? "" };
    expect(
      (await app.call(closeBatch, { params, body: {} }, { token, headers: { "idempotency-key": "x" } }))
        .status,
    ).toBe(403);
  });

  it("is created by each of two calls, with its own secret", async () => {
    const [one, two] = await Promise.all([create(admin, "ERP"), create(admin, "ERP")]);
    expect(one.body.client_id).not.toBe(two.body.client_id);
    expect(one.body.client_secret).not.toBe(two.body.client_secret);
    expect((await names()).filter((name: string) => name === "ERP")).toHaveLength(2);
  });

  it("is refused above the limit, also when two concurrent calls want the last place", async () => {
    // One credential came with the installation.
    for (let made = 2; made < credentialsMax; made++) await create(admin);
    const answers = await Promise.all([create(admin), create(operator)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: "credentials_too_many",
      data: { max: credentialsMax },
    });
    expect(await names()).toHaveLength(credentialsMax);
  });

  it("records in the audit trail who created and who revoked it", async () => {
    const { id } = (await create(operator, "ERP")).body;
    await revoke(admin, id);
    const { rows } = await app.services.db.pool.query(
      `SELECT action, actor_name, detail->'changes'->'name'->>'from' AS was, detail->'changes'->'name'->>'to' AS is
       FROM audit_entries WHERE subject_id = $1 ORDER BY id`,
      [id],
    );
    expect(rows).toEqual([
      { action: "credential_created", actor_name: "Rui Tavares", was: null, is: "ERP" },
      { action: "credential_revoked", actor_name: "Helena Prado", was: "ERP", is: null },
    ]);
  });
});

describe("revoking", () => {
  it("reaches only the company's own credentials", async () => {
    const { id } = (await create(admin)).body;
    expect(await revoke(stranger, id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await revoke(admin, "01990000-0000-7000-8000-00000000ffff")).status).toBe(404);
    expect(await names(stranger)).toEqual(["Sistema da Horizonte"]);
  });

  it("requires an admin if the credential has an admin's profile", async () => {
    const { id } = (await create(admin)).body;
    expect(await revoke(operator, id)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await revoke(operator, (await create(operator)).body.id)).status).toBe(200);
    expect((await revoke(admin, id)).status).toBe(200);
  });

  it("ends its tokens and its secret immediately, and does nothing the second time", async () => {
    const made = (await create(admin, "ERP")).body;
    const token = (await signIn(made)).body.access_token;
    expect((await app.call(listBanks, {}, { token })).status).toBe(200);
    expect((await revoke(admin, made.id)).body).toEqual({ ok: true });
    expect((await app.call(listBanks, {}, { token })).status).toBe(401);
    expect((await signIn(made)).status).toBe(401);
    expect(await names()).toEqual(["Sistema da Aurora"]);
    expect((await revoke(admin, made.id)).status).toBe(404);
  });
});

describe("revoking a credential of the company", () => {
  it("requires the password again, on the API of each application", async () => {
    const { id } = (await create(admin)).body;
    const params = { id: (await validator.call(createValidationCredential, { body: {} })).body.id };
    await change("UPDATE sessions SET confirmed_at = confirmed_at - interval '6 minutes'");
    const unconfirmed = { status: 403, body: { code: "identity_unconfirmed" } };
    expect(await revoke(admin, id)).toMatchObject(unconfirmed);
    expect(await validator.call(revokeValidationCredential, { params })).toMatchObject(unconfirmed);
    await change("UPDATE sessions SET confirmed_at = confirmed_at + interval '6 minutes'");
    expect((await revoke(admin, id)).status).toBe(200);
  });

  it("is refused to a new admin except for their own; every admin is notified, also the actor", async () => {
    const ofAdmin = (await create(admin)).body;
    const ofOperator = (await create(operator, "Folha")).body;
    const own = (await create(admin)).body;
    await change(`UPDATE users SET let_in_at = '${app.clock.now().toISOString()}'`);
    const mails = async () => {
      await app.sendMails();
      return app.mails.splice(0).map(({ to, subject }) => ({ to, subject }));
    };
    await mails();
    expect(await revoke(operator, ofAdmin.id)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await revoke(admin, ofOperator.id)).toMatchObject({
      status: 403,
      body: { code: "admin_too_new" },
    });
    expect(await mails()).toEqual([]);
    expect((await revoke(admin, own.id)).status).toBe(200);
    expect(await mails()).toEqual([
      { to: "helena@aurora.example", subject: "Uma credencial de API foi revogada" },
    ]);
    await change("UPDATE users SET let_in_at = NULL");
    expect((await revoke(operator, ofOperator.id)).status).toBe(200);
    expect(await mails()).toEqual([
      { to: "helena@aurora.example", subject: "Uma credencial de API foi revogada" },
      { to: "rui@aurora.example", subject: "Credencial de API revogada" },
    ]);
  });
});

describe("each application", () => {
  it("DEV-004 DEV-005 has its own credentials, on its own API", async () => {
    const made = await validator.call(createValidationCredential, { body: { name: "Cadastro" } });
    expect(made.status).toBe(200);
    expect((await validator.call(listValidationCredentials)).body.data).toMatchObject([{ name: "Cadastro" }]);
    expect(await names()).toEqual(["Sistema da Aurora"]);
    expect((await revoke(admin, made.body.id)).status).toBe(404);

    const { access_token: token } = (await signIn(made.body)).body;
    expect(decodeJwt(token)["application"]).toMatchObject({ id: "validation" });
    expect((await app.call(listBanks, {}, { token })).status).toBe(403);

    const params = { id: made.body.id };
    expect((await validator.call(revokeValidationCredential, { params })).status).toBe(200);
    expect((await validator.call(listValidationCredentials)).body.data).toEqual([]);
  });

  it("DEV-005 answers only people who have it", async () => {
    expect((await admin.call(listValidationCredentials)).status).toBe(403);
    expect((await admin.call(createValidationCredential, { body: {} })).status).toBe(403);
    expect((await validator.call(listCredentials)).status).toBe(403);
    expect((await create(validator)).status).toBe(403);
  });
});

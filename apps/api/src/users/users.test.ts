import { createBatch, listBatches } from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import { createCredential, createValidationCredential } from "@malote/contracts/developer";
import { authorize, readMe } from "@malote/contracts/session";
import {
  changeUser,
  changeValidationUser,
  createUser,
  createValidationUser,
  listUsers,
  listValidationUsers,
  readUser,
  readValidationUser,
  removeUser,
  removeValidationUser,
  sendPasswordLink,
  sendValidationPasswordLink,
  type User,
} from "@malote/contracts/users";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { uuidv7 } from "../platform/uuid.ts";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
const [helenaId, ruiId, anaId] = aurora.users.map(({ id }) => id) as [string, string, string];
const marcosId = horizonte.users[0]!.id;
let app: TestApp;
let people: DemoPeople;

beforeAll(async () => {
  app = await buildTestApp();
  people = await signInDemoPeople(app);
});
afterAll(() => app.close());
/** Each test has an hour of e-mails of its own. */
const letAnHourPass = () =>
  app.services.db.pool.query(
    "UPDATE audit_entries SET at = at - interval '1 hour' WHERE action LIKE 'user.%'",
  );
beforeEach(async () => {
  await letAnHourPass();
});

const inCompany = <Row extends object>(companyId: string, text: string) =>
  app.services.db.withCompany(companyId, async (tx) => (await sql.raw<Row>(text).execute(tx)).rows);
const entriesOf = (subjectId: string) =>
  inCompany<{ action: string; actor_name: string; detail: object }>(
    aurora.id,
    `SELECT action, actor_name, detail FROM audit_entries WHERE subject_id = '${subjectId}' AND action LIKE 'user.%' ORDER BY id`,
  );

const today = { initialDate: "2026-08-12", endDate: "2026-08-12" };
let count = 0;
const fresh = (given: object = {}) => ({
  name: `Nova Pessoa ${++count}`,
  email: `nova.${count}@aurora.example`,
  profile: "operator",
  applications: ["payments"],
  ...given,
});
const created = async (given: object = {}, by = people.helena): Promise<User> => {
  const answer = await by.call(createUser, { body: fresh(given) });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
/** A person with the demo's password, who can be signed in. */
const withPassword = async (given: object = {}): Promise<User> => {
  const user = await created(given);
  await inCompany(
    aurora.id,
    `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = '${helenaId}') WHERE id = '${user.id}'`,
  );
  return user;
};
const change = (id: string, body: object, by = people.helena) =>
  by.call(changeUser, { params: { id }, body });
const remove = (id: string, by = people.helena) => by.call(removeUser, { params: { id } });
const list = async (query: Record<string, string> = {}, by = people.helena) =>
  (await by.call(listUsers, { query })).body;

describe("who may", () => {
  const calls = [
    ["list", (by: Person) => by.call(listUsers)],
    ["read", (by: Person) => by.call(readUser, { params: { id: ruiId } })],
    ["create", (by: Person) => by.call(createUser, { body: fresh() })],
    ["change", (by: Person) => change(anaId, { profile: "admin", applications: ["payments"] }, by)],
    ["remove", (by: Person) => remove(anaId, by)],
    ["send a link", (by: Person) => by.call(sendPasswordLink, { params: { id: anaId } })],
  ] as const;

  it.each(calls)("COM-002 only an admin may %s", async (_, call) => {
    for (const name of ["rui", "ana"] as const) {
      expect(await call(people[name])).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
  });

  it("COM-018 creating needs the permission user_create, the other calls do not", async () => {
    await inCompany(
      aurora.id,
      `UPDATE companies SET permissions = '{platform_access,account_create}' WHERE company_id = '${aurora.id}'`,
    );
    const refused = await people.helena.call(createUser, { body: fresh() });
    const listed = await people.helena.call(listUsers);
    await inCompany(
      aurora.id,
      `UPDATE companies SET permissions = '{platform_access,user_create}' WHERE company_id = '${aurora.id}'`,
    );
    const allowed = await people.helena.call(createUser, { body: fresh() });
    await inCompany(
      aurora.id,
      `UPDATE companies SET permissions = '{all}' WHERE company_id = '${aurora.id}'`,
    );
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(listed.status).toBe(200);
    expect(allowed.status).toBe(200);
  });

  it("never sees or touches the users of another company", async () => {
    const read = await people.helena.call(readUser, { params: { id: marcosId } });
    const changed = await change(marcosId, { profile: "analyst", applications: ["payments"] });
    const removed = await remove(marcosId);
    const linked = await people.helena.call(sendPasswordLink, { params: { id: marcosId } });
    for (const answer of [read, changed, removed, linked])
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    const { data } = await list();
    expect(data.map(({ email }: User) => email).join()).not.toContain("horizonte");
    expect((await people.marcos.call(readMe)).status).toBe(200);
  });

  it("COM-003 an admin works from either application", async () => {
    const validating = await app.as("helena@aurora.example", "validation");
    expect((await validating.call(listUsers)).status).toBe(200);
  });

  it("COM-016 the API of the validation application answers the same, to admins in it alone", async () => {
    const validating = await app.as("helena@aurora.example", "validation");
    const { data } = (await validating.call(listValidationUsers)).body;
    expect(data).toEqual((await list()).data);
    const made = (
      await validating.call(createValidationUser, { body: fresh({ applications: ["validation"] }) })
    ).body;
    const params = { id: made.id };
    expect((await validating.call(readValidationUser, { params })).body).toEqual(made);
    const access = { profile: "analyst", applications: ["validation"] };
    expect((await validating.call(changeValidationUser, { params, body: access })).body).toMatchObject({
      profile: "analyst",
    });
    expect((await validating.call(sendValidationPasswordLink, { params })).status).toBe(200);
    expect((await validating.call(removeValidationUser, { params })).status).toBe(200);
    expect((await validating.call(readValidationUser, { params })).status).toBe(404);
    expect((await people.helena.call(listValidationUsers)).status).toBe(403);
    const operator = await app.as("rui@aurora.example", "validation");
    expect((await operator.call(listValidationUsers)).status).toBe(403);
  });
});

describe("the list", () => {
  it("COM-014 COM-015 gives users with their applications, page by page", async () => {
    const { data, metadata } = await list({ page: "0" });
    expect(metadata.pagination).toEqual({ itemsPerPage: 20, totalItems: expect.any(Number) });
    expect(data).toContainEqual({
      id: helenaId,
      name: "Helena Prado",
      email: "helena@aurora.example",
      has_two_factor_enabled: false,
      has_password: true,
      profile: "admin",
      applications: [
        { id: "payments", name: "Pagamentos" },
        { id: "validation", name: "ContaCerta" },
      ],
    });
    expect((await list({ page: "40" })).data).toEqual([]);
  });

  it("COM-015 pages neither repeat nor leave out anybody", async () => {
    for (let made = 0; made < 22; made++) await created({ name: `Página Cheia ${made % 3}` });
    const first = await list({ search: "pagina cheia" });
    const second = await list({ search: "pagina cheia", page: "1" });
    expect([first.data.length, second.data.length]).toEqual([20, 2]);
    expect(first.metadata.pagination.totalItems).toBe(22);
    expect(new Set([...first.data, ...second.data].map(({ id }: User) => id)).size).toBe(22);
  });

  it("COM-015 searches in name and e-mail, whatever case and accents, and takes every sign as it is", async () => {
    const ids = async (search: string) => (await list({ search })).data.map(({ id }: User) => id);
    expect(await ids("BELTRAO")).toEqual([anaId]);
    expect(await ids("ana@aurora")).toEqual([anaId]);
    expect(await ids("%")).toEqual([]);
    expect(await ids("_")).toEqual([]);
    expect(await ids("ninguém")).toEqual([]);
  });

  it("COM-015 filters by application and by profile", async () => {
    const user = await created({ profile: "analyst", applications: ["validation"] });
    const ids = async (query: Record<string, string>) =>
      (await list({ search: user.name, ...query })).data.map(({ id }: User) => id);
    expect(await ids({ application: "validation", profile: "analyst" })).toEqual([user.id]);
    expect(await ids({ application: "payments" })).toEqual([]);
    expect(await ids({ profile: "admin" })).toEqual([]);
    const bad = await people.helena.call(listUsers, { query: { application: "cards" } });
    expect(bad).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("COM-014 reports a second factor", async () => {
    await inCompany(aurora.id, `UPDATE users SET two_factor_at = now() WHERE id = '${anaId}'`);
    expect((await list({ search: "beltrão" })).data[0].has_two_factor_enabled).toBe(true);
    await inCompany(aurora.id, `UPDATE users SET two_factor_at = NULL WHERE id = '${anaId}'`);
  });
});

describe("creating", () => {
  it.each([
    [{ name: "Sozinha" }, 422, "name_incomplete"],
    [{ name: "  " }, 422, "name_incomplete"],
    [{ email: "" }, 422, "user_email_invalid"],
    [{ email: "sem arroba" }, 422, "user_email_invalid"],
    [{ email: "a@b c.example" }, 422, "user_email_invalid"],
    [{ applications: [] }, 400, "invalid_request"],
    [{ applications: ["cards"] }, 400, "invalid_request"],
    [{ profile: undefined }, 400, "invalid_request"],
    [{ profile: "owner" }, 400, "invalid_request"],
  ])("COM-019 refuses %j", async (given, status, code) => {
    const before = (await list()).metadata.pagination.totalItems;
    const answer = await people.helena.call(createUser, { body: fresh(given) });
    expect(answer).toMatchObject({ status, body: { code } });
    expect((await list()).metadata.pagination.totalItems).toBe(before);
  });

  it("refuses the e-mail of a colleague", async () => {
    const answer = await people.helena.call(createUser, { body: fresh({ email: "rui@aurora.example" }) });
    expect(answer).toMatchObject({ status: 409, body: { code: "user_email_taken", data: null } });
  });

  it("says of another company's person no more than of anybody new, and informs them alone", async () => {
    const known = await people.helena.call(createUser, {
      body: fresh({ email: "MARCOS@horizonte.example" }),
    });
    const unknown = await people.helena.call(createUser, { body: fresh({}) });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    const looks = ({ id: _id, email: _email, name: _name, ...rest }: Record<string, unknown>) => rest;
    expect(looks(known.body)).toEqual(looks(unknown.body));
    const mails_ = () =>
      inCompany<{ subject: string; text: string }>(
        aurora.id,
        "SELECT subject, text_body AS text FROM mails WHERE to_address = 'marcos@horizonte.example'",
      );
    const [mail] = await mails_();
    expect(mail?.subject).toMatch(/^Convite para a conta da /);
    expect(mail?.text).toMatch(/já entra em outra conta/);
    expect(mail?.text).not.toMatch(/senha=/);
    // Theirs is as it was, and asking again writes to them again.
    expect((await app.as("marcos@horizonte.example")).token).toBeTruthy();
    const again = await people.helena.call(sendPasswordLink, { params: { id: known.body.id } });
    expect(again.status).toBe(200);
    expect((await mails_()).map(({ subject }) => subject)).toEqual(Array(2).fill(mail?.subject));
    for (const { body } of [known, unknown])
      expect((await people.helena.call(removeUser, { params: { id: body.id } })).status).toBe(200);
    expect((await app.as("marcos@horizonte.example")).token).toBeTruthy();
  });

  it("COM-021 keeps the person, writes to them, and notes who let them in", async () => {
    const body = fresh({
      name: "  Davi   Rocha ",
      email: " Davi.Rocha@Aurora.example ",
      applications: ["validation", "payments"],
    });
    const { status, body: user } = await people.helena.call(createUser, { body });
    expect(status).toBe(200);
    expect(user).toMatchObject({
      name: "Davi Rocha",
      email: "davi.rocha@aurora.example",
      profile: "operator",
      has_password: false,
      applications: [{ id: "payments" }, { id: "validation" }],
    });
    expect((await people.helena.call(readUser, { params: { id: user.id } })).body).toEqual(user);
    const [mail] = await inCompany<{ subject: string; text_body: string }>(
      aurora.id,
      `SELECT subject, text_body FROM mails WHERE to_address = '${user.email}'`,
    );
    expect(mail?.subject).toBe(`Seu acesso à conta da ${aurora.name}`);
    expect(mail?.text_body).toContain("Helena Prado criou um acesso para você no Malote");
    expect(mail?.text_body).toMatch(/http:\/\/localhost:\d+\/entrar#senha=[\w-]{43}\n/);
    expect(await entriesOf(user.id)).toEqual([
      {
        action: "user.created",
        actor_name: "Helena Prado",
        detail: {
          changes: {
            name: { from: null, to: "Davi Rocha" },
            email: { from: null, to: "d•••@aurora.example" },
            profile: { from: null, to: "operator" },
            applications: { from: null, to: ["payments", "validation"] },
          },
        },
      },
    ]);
  });

  it("makes one of two at once with the same e-mail, and none of it remains of the other", async () => {
    const body = fresh();
    const answers = await Promise.all([1, 2, 3].map(() => people.helena.call(createUser, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await list({ search: body.email })).metadata.pagination.totalItems).toBe(1);
  });

  it("lets nobody sign in before they chose a password", async () => {
    const user = await created();
    for (const password of ["", demoPassword]) {
      const answer = await app.send("POST", "/api/login/authorize", {
        grant_type: "password",
        email: user.email,
        password,
      });
      expect(answer).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
    }
  });

  it("refuses an application the admin does not use", async () => {
    await withPassword({ email: "so.pagamentos@aurora.example", profile: "admin" });
    await inCompany(aurora.id, "UPDATE users SET let_in_at = NULL, known_since = NULL");
    const other = await app.as("so.pagamentos@aurora.example");
    for (const answer of [
      await other.call(createUser, { body: fresh({ applications: ["payments", "validation"] }) }),
      await change(ruiId, { profile: "operator", applications: ["payments"] }, other),
      await remove(ruiId, other),
      await other.call(sendPasswordLink, { params: { id: ruiId } }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: "user_beyond_yours" } });
    expect((await other.call(createUser, { body: fresh() })).status).toBe(200);
  });
});

describe("how much is created", () => {
  const sendTo = (id: string, by = people.helena) => by.call(sendPasswordLink, { params: { id } });

  it("is fifty e-mails an hour at most, also when many are asked for at once", async () => {
    const { id } = await created();
    const answers = await Promise.all(Array.from({ length: 55 }, () => sendTo(id)));
    const codes = answers.map(({ status, body }) => (status === 200 ? "sent" : body.code));
    expect(codes.filter((code) => code === "sent")).toHaveLength(49);
    expect(new Set(codes)).toEqual(new Set(["sent", "password_letters_too_many"]));
    expect(await people.helena.call(createUser, { body: fresh() })).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/já enviou 50 convites e links de senha na última hora/) },
    });
    expect((await people.marcos.call(createUser, { body: fresh() })).status).toBe(200);
    await letAnHourPass();
    expect((await sendTo(id)).status).toBe(200);
  });

  it("is a thousand people at most, without those who were removed", async () => {
    const [{ here } = { here: 0 }] = await inCompany<{ here: number }>(
      aurora.id,
      "SELECT count(*)::int AS here FROM users WHERE removed_at IS NULL",
    );
    await app.services.db.pool.query(
      `INSERT INTO users (company_id, id, name, email, profile, applications, created_at)
       SELECT $1, gen_random_uuid(), 'Uma Pessoa', 'muitas.' || n || '@aurora.example', 'analyst', '{payments}', now()
       FROM generate_series(1, $2::int) n`,
      [aurora.id, 999 - here],
    );
    const last = await created();
    expect(await people.helena.call(createUser, { body: fresh() })).toMatchObject({
      status: 422,
      body: {
        message: "Sua empresa já tem 1.000 usuários, o máximo permitido. Exclua quem não usa mais a conta.",
      },
    });
    await remove(last.id);
    await created();
    await app.services.db.pool.query("DELETE FROM users WHERE email LIKE 'muitas.%'");
  });
});

describe("changing", () => {
  let user: User;
  let own: Person;
  beforeEach(async () => {
    user = await withPassword();
    own = await app.as(user.email);
  });

  it("COM-025 refuses one's own record", async () => {
    for (const answer of [
      await change(helenaId, { profile: "operator", applications: ["payments"] }),
      await change(helenaId, { profile: "admin", applications: ["payments", "validation"] }),
      await remove(helenaId),
      await people.helena.call(sendPasswordLink, { params: { id: helenaId } }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: "user_own_record" } });
    expect((await people.helena.call(readMe)).status).toBe(200);
  });

  it("refuses who does not exist", async () => {
    const id = uuidv7();
    expect(await change(id, { profile: "admin", applications: ["payments"] })).toMatchObject({ status: 404 });
    expect(await remove(id)).toMatchObject({ status: 404 });
  });

  it("COM-023 changes profile and applications, notes both, and ends the person's tokens at once", async () => {
    const access = { profile: "analyst", applications: ["payments", "validation"] };
    const { status, body } = await change(user.id, access);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      profile: "analyst",
      applications: [{ id: "payments" }, { id: "validation" }],
    });
    expect(await own.call(readMe)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    const renewed = await app.send("POST", "/api/login/authorize", {
      grant_type: "refresh_token",
      refresh_token: own.token,
    });
    expect(renewed.status).toBe(401);
    expect((await entriesOf(user.id)).at(-1)).toEqual({
      action: "user.access_changed",
      actor_name: "Helena Prado",
      detail: {
        name: user.name,
        changes: {
          profile: { from: "operator", to: access.profile },
          applications: { from: ["payments"], to: access.applications },
        },
      },
    });
    const again = await app.as(user.email);
    expect(await again.call(listBatches, { query: today })).toMatchObject({ status: 200 });
    expect(await again.call(createBatch, { body: { name: "Lote", transfers: [] } })).toMatchObject({
      status: 403,
    });
  });

  it("ends nothing and notes nothing when all stays as it is", async () => {
    const entries = await entriesOf(user.id);
    const answer = await change(user.id, { profile: "operator", applications: ["payments", "payments"] });
    expect(answer.status).toBe(200);
    expect((await own.call(readMe)).status).toBe(200);
    expect(await entriesOf(user.id)).toEqual(entries);
  });

  const signIn = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
    (await app.call(authorize, { body: { grant_type: "client_credentials", client_id, client_secret } })).body
      .access_token;

  /** All people have had their access for longer than the day in which they make no credential. */
  const age = () => inCompany(aurora.id, "UPDATE users SET let_in_at = NULL, known_since = NULL");

  it("ends the credentials they made that may do more than they, tokens and all, and leaves the others", async () => {
    const maker = await withPassword({ profile: "admin", applications: ["payments", "validation"] });
    const make = async (contract: Contract = createCredential, by?: Person) => {
      await age();
      return (await (by ?? (await app.as(maker.email))).call(contract, { body: {} })).body;
    };
    const asAdmin = await make();
    const token = await signIn(asAdmin);
    const seesBatches = async () => (await app.call(listBatches, { query: today }, { token })).status;
    expect(await seesBatches()).toBe(200);
    await change(maker.id, { profile: "operator", applications: ["payments", "validation"] });
    expect(await seesBatches()).toBe(401);
    expect(await signIn(asAdmin)).toBeUndefined();
    expect(
      await inCompany(
        aurora.id,
        `SELECT actor_name, detail -> 'changes' -> 'client_id' ->> 'from' AS client_id FROM audit_entries WHERE action = 'credential_revoked'`,
      ),
    ).toEqual([{ actor_name: "Helena Prado", client_id: asAdmin.client_id }]);

    const kept = await make();
    const elsewhere = await make(createValidationCredential, await app.as(maker.email, "validation"));
    await change(maker.id, { profile: "admin", applications: ["payments"] });
    expect([await signIn(kept), await signIn(elsewhere)]).toEqual([expect.any(String), undefined]);
    await remove(maker.id);
    expect(await signIn(kept)).toBeUndefined();
  });

  it("leaves no credential of an operator to whoever is made an analyst while making it", async () => {
    for (let round = 0; round < 3; round++) {
      const maker = await withPassword();
      await age();
      const making = await app.as(maker.email);
      const [, made] = await Promise.all([
        change(maker.id, { profile: "analyst", applications: ["payments"] }),
        making.call(createCredential, { body: {} }),
      ]);
      expect([200, 401, 403]).toContain(made.status);
      if (made.status === 200) expect(await signIn(made.body)).toBeUndefined();
    }
  });

  it("a company keeps an admin when two take the role from each other at once", async () => {
    for (let round = 0; round < 5; round++) {
      const others = await Promise.all([
        withPassword({ profile: "admin" }),
        withPassword({ profile: "admin" }),
      ]);
      const [one, two] = others;
      // Admins for longer than the day in which they may not change others' access.
      await inCompany(aurora.id, "UPDATE users SET let_in_at = NULL, known_since = NULL");
      const [first, second] = await Promise.all([app.as(one.email), app.as(two.email)]);
      const operator = { profile: "operator", applications: ["payments"] };
      const answers = await Promise.all([
        round % 2 ? change(two.id, operator, first) : remove(two.id, first),
        round % 2 ? change(one.id, operator, second) : remove(one.id, second),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403]).toContain(statuses[1]);
      const left = await inCompany<{ id: string }>(
        aurora.id,
        `SELECT id FROM users WHERE profile = 'admin' AND removed_at IS NULL AND id IN ('${one.id}', '${two.id}')`,
      );
      expect(left).toHaveLength(1);
    }
  });
});

describe("removing", () => {
  it("COM-024 ends every token, lets nobody in again, and frees the e-mail", async () => {
    const user = await withPassword();
    const own = await app.as(user.email);
    expect(await remove(user.id)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await own.call(readMe)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    const signIn = await app.send("POST", "/api/login/authorize", {
      grant_type: "password",
      email: user.email,
      password: demoPassword,
    });
    expect(signIn).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
    expect((await people.helena.call(readUser, { params: { id: user.id } })).status).toBe(404);
    expect((await list({ search: user.email })).data).toEqual([]);
    expect((await entriesOf(user.id)).at(-1)).toMatchObject({
      action: "user.removed",
      detail: { changes: { name: { from: user.name, to: null }, profile: { from: "operator", to: null } } },
    });
    expect(await remove(user.id)).toMatchObject({ status: 404 });

    const { body: next } = await people.helena.call(createUser, { body: fresh({ email: user.email }) });
    expect(next.id).not.toBe(user.id);
  });

  it("whoever was removed stays readable in what they did", async () => {
    const user = await withPassword();
    const own = await app.as(user.email);
    const { body: batch } = await own.call(createBatch, { body: { name: "Folha da saída", transfers: [] } });
    await remove(user.id);
    const { data } = (
      await people.helena.call(listBatches, { query: { ...today, search: "Folha da saída" } })
    ).body;
    expect(JSON.stringify(data)).toContain(batch.id);
    expect(JSON.stringify(data)).toContain(user.name);
  });

  it("of two at once one does it", async () => {
    const user = await created();
    const answers = await Promise.all([1, 2].map(() => remove(user.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await entriesOf(user.id)).filter(({ action }) => action === "user.removed")).toHaveLength(1);
  });
});

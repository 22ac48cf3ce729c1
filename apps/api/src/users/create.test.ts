/** Creating people: who may be created, the e-mails they get, and the limits. */
import { createUser, readUser, removeUser, sendPasswordLink } from "@malote/contracts/users";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type DemoPeople, signInDemoPeople, type TestApp } from "../testing/app.ts";
import { aurora, fresh, ruiId, userCalls } from "../testing/users-kit.ts";

let app: TestApp;
let people: DemoPeople;
beforeAll(async () => {
  app = await buildTestApp();
  people = await signInDemoPeople(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await letAnHourPass();
});

const { letAnHourPass, inCompany, readEntries, created, withPassword, change, remove, list } = userCalls(
  () => app,
  () => people,
);

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

  it("reveals no more about another company's person than about a new one, and informs only that person", async () => {
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
    // The account is unchanged, and a second invitation e-mails them again.
    expect((await app.as("marcos@horizonte.example")).token).toBeTruthy();
    const again = await people.helena.call(sendPasswordLink, { params: { id: known.body.id } });
    expect(again.status).toBe(200);
    expect((await mails_()).map(({ subject }) => subject)).toEqual(Array(2).fill(mail?.subject));
    for (const { body } of [known, unknown])
      expect((await people.helena.call(removeUser, { params: { id: body.id } })).status).toBe(200);
    expect((await app.as("marcos@horizonte.example")).token).toBeTruthy();
  });

  it("COM-021 stores the person, e-mails them, and records who added them", async () => {
    const body = fresh({
      name: "  Davi   Rocha ",
      email: " Davi.Rocha@Aurora.example ",
      profile: "analyst",
      applications: ["validation", "payments"],
    });
    const { status, body: user } = await people.helena.call(createUser, { body });
    expect(status).toBe(200);
    expect(user).toMatchObject({
      name: "Davi Rocha",
      email: "davi.rocha@aurora.example",
      profile: "analyst",
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
    expect(await readEntries(user.id)).toEqual([
      {
        action: "user.created",
        actor_name: "Helena Prado",
        detail: {
          changes: {
            name: { from: null, to: "Davi Rocha" },
            email: { from: null, to: "d•••@aurora.example" },
            profile: { from: null, to: "analyst" },
            applications: { from: null, to: ["payments", "validation"] },
          },
        },
      },
    ]);
  });

  it("creates one of two concurrent persons with the same e-mail, and stores nothing of the other", async () => {
    const body = fresh();
    const answers = await Promise.all([1, 2, 3].map(() => people.helena.call(createUser, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await list({ search: body.email })).metadata.pagination.totalItems).toBe(1);
  });

  it("does not let a person sign in before choosing a password", async () => {
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

describe("the limit of new people", () => {
  const sendTo = (id: string, by = people.helena) => by.call(sendPasswordLink, { params: { id } });

  it("is fifty e-mails an hour at most, also with many concurrent requests", async () => {
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

  it("is a thousand people at most, without removed ones", async () => {
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

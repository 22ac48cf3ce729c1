import { changePassword, readMe, readPasswordLink, spendPasswordLink } from "@malote/contracts/session";
import { changeUser, createUser, readUser, removeUser, sendPasswordLink } from "@malote/contracts/users";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";

const aurora = demoCompanies[0]!;
const anaId = aurora.users[2]!.id;
const password = "Primeira-senha-2026!";
let app: TestApp;
let helena: Person;
beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());

const rows = <Row extends object>(text: string) =>
  app.services.db.withCompany(aurora.id, async (tx) => (await sql.raw<Row>(text).execute(tx)).rows);

/** Sends the requested e-mails, as the worker does. */
async function lastMail() {
  await app.sendMails();
  // Admins get an e-mail too.
  const mail = app.mails.findLast(({ text }) => text.includes("#senha="));
  const token = /#senha=([\w-]+)\n/.exec(mail?.text ?? "")?.[1];
  if (!mail || !token) throw new Error("no e-mail with a link");
  return { mail, token };
}

let count = 0;
async function inviteOne() {
  const body = {
    name: `Nova Pessoa ${++count}`,
    email: `link.${count}@aurora.example`,
    profile: "operator",
    applications: ["payments"],
  };
  const { body: user } = await helena.call(createUser, { body });
  return { user, ...(await lastMail()) };
}
const spend = (token: string, newPassword = password, address?: string) =>
  app.call(spendPasswordLink, { body: { token, newPassword } }, address ? { address } : {});
const read = (token: string) => app.call(readPasswordLink, { body: { token } });
const signIn = (email: string, given = password) =>
  app.send("POST", "/api/login/authorize", { grant_type: "password", email, password: given });
const invalid = { status: 422, body: { code: "password_link_invalid" } };

describe("a link to choose a password", () => {
  let user: { id: string; name: string; email: string };
  let token: string;
  beforeEach(async () => {
    ({ user, token } = await inviteOne());
  });

  it.each(["", "x", "0".repeat(43), `${"a".repeat(42)}!`])("refuses the token '%s'", async (wrong) => {
    expect(await read(wrong)).toMatchObject(invalid);
    expect(await spend(wrong)).toMatchObject(invalid);
  });

  it("refuses a weak password, and the link stays valid", async () => {
    expect(await spend(token, "fraca")).toMatchObject({ status: 422, body: { code: "password_weak" } });
    expect((await spend(token)).status).toBe(200);
  });

  it("shows its person, however often it is opened, and nothing more", async () => {
    for (let requested = 0; requested < 12; requested++) {
      expect(await read(token)).toMatchObject({ status: 200, body: { name: user.name, email: user.email } });
    }
  });

  it("sets a password once; the person then signs in with it", async () => {
    expect(await spend(token)).toMatchObject({ status: 200, body: { email: user.email } });
    expect(await spend(token, "Outra-senha-2026!")).toMatchObject(invalid);
    expect(await read(token)).toMatchObject(invalid);
    const answer = await signIn(user.email);
    expect(answer.status).toBe(200);
    expect((await helena.call(readUser, { params: { id: user.id } })).body.has_password).toBe(true);
    const entries = await rows<{ action: string; actor_name: string }>(
      `SELECT action, actor_name FROM audit_entries WHERE subject_id = '${user.id}' AND action = 'user.password_chosen'`,
    );
    expect(entries).toEqual([{ action: "user.password_chosen", actor_name: user.name }]);
  });

  it("works for exactly one of two concurrent calls", async () => {
    const answers = await Promise.all([spend(token, "Uma-senha-2026!"), spend(token, "Duas-senhas-2026!")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const won = answers[0]?.status === 200 ? "Uma-senha-2026!" : "Duas-senhas-2026!";
    expect((await signIn(user.email, won)).status).toBe(200);
  });

  it("is valid for three days and no second longer", async () => {
    app.clock.advance({ hours: 72, seconds: -1 });
    expect((await read(token)).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect(await read(token)).toMatchObject(invalid);
    expect(await spend(token)).toMatchObject(invalid);
    helena = await app.as("helena@aurora.example");
  });

  it("is replaced by a newer one", async () => {
    const answer = await helena.call(sendPasswordLink, { params: { id: user.id } });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    const { token: newer, mail } = await lastMail();
    expect(mail.to).toBe(user.email);
    expect(await spend(token)).toMatchObject(invalid);
    expect((await spend(newer)).status).toBe(200);
  });

  it("is not valid for a removed person", async () => {
    await helena.call(removeUser, { params: { id: user.id } });
    expect(await read(token)).toMatchObject(invalid);
    expect(await spend(token)).toMatchObject(invalid);
  });

  it("stays valid after a change of role of a person who has not used it yet", async () => {
    const body = { profile: "analyst", applications: ["payments"] };
    await helena.call(changeUser, { params: { id: user.id }, body });
    expect((await spend(token)).status).toBe(200);
  });

  it("is stored only in the e-mail, and only until that is sent", async () => {
    const [link] = await rows<{ secret_hash: string }>(
      `SELECT secret_hash FROM password_links WHERE user_id = '${user.id}'`,
    );
    expect(link?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
    const everything = await rows<{ line: string }>(`
      SELECT t::text AS line FROM password_links t UNION ALL SELECT t::text FROM audit_entries t
      UNION ALL SELECT t::text FROM mails t UNION ALL SELECT t::text FROM users t
    `);
    expect(everything.filter(({ line }) => line.includes(token))).toEqual([]);
    const [mail] = await rows<{ text_body: string; html_body: string; subject: string }>(
      `SELECT text_body, html_body, subject FROM mails WHERE to_address = '${user.email}'`,
    );
    expect(mail).toMatchObject({ text_body: "", html_body: "" });
    expect(mail?.subject).toBeTruthy();
  });
});

describe("a link for a person who has a password", () => {
  it("does not change password and sessions until it is used, and then ends them", async () => {
    const ana = await app.as("ana@aurora.example");
    await helena.call(sendPasswordLink, { params: { id: anaId } });
    const { mail, token } = await lastMail();
    expect(mail).toMatchObject({ to: "ana@aurora.example", subject: "Crie uma nova senha" });
    expect((await ana.call(readMe)).status).toBe(200);
    expect((await signIn("ana@aurora.example", demoPassword)).status).toBe(200);
    expect((await spend(token)).status).toBe(200);
    expect(await ana.call(readMe)).toMatchObject({ status: 401 });
    expect((await signIn("ana@aurora.example", demoPassword)).status).toBe(401);
    expect((await signIn("ana@aurora.example")).status).toBe(200);
  });
});

it("is invalid once the person changed the password themselves", async () => {
  const { user, token } = await inviteOne();
  expect((await spend(token)).status).toBe(200);
  await helena.call(sendPasswordLink, { params: { id: user.id } });
  const { token: unused } = await lastMail();
  const access = (await signIn(user.email)).body.access_token;
  const changed = await app.call(
    changePassword,
    { body: { oldPassword: password, newPassword: "Outra-senha-2026!" } },
    { token: access },
  );
  expect(changed.status).toBe(200);
  expect(await spend(unused, "Terceira-senha-2026!")).toMatchObject(invalid);
});

it("refuses wrong links from one address after many tries without a check", async () => {
  const address = "203.0.113.9";
  const answers: number[] = [];
  for (let at = 0; at < 103; at++) answers.push((await spend(`wrong-${at}`, password, address)).status);
  expect(answers.slice(0, 100)).toEqual(Array(100).fill(422));
  expect(answers.slice(100)).toEqual([429, 429, 429]);
});

import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { createCredential } from "@malote/contracts/developer";
import {
  authorize,
  changePassword,
  confirmIdentity,
  forgotPassword,
  makeRecoveryCodes,
  readMe,
  readPasswordLink,
  readRecoveryCodes,
  readTwoFactorSecret,
  setTwoFactor,
  spendPasswordLink,
} from "@malote/contracts/session";
import { createUser, listUsers, resetTwoFactor } from "@malote/contracts/users";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";

const aurora = demoCompanies[0]!;
const helenasEmail = "helena@aurora.example";
const ruisEmail = "rui@aurora.example";
const newPassword = "Outra-senha-2026!";

let app: TestApp;
let helena: Person;
beforeEach(async () => {
  app = await buildTestApp();
  helena = await app.as(helenasEmail);
});
afterEach(() => app.close());

/** Sends the queued e-mails and returns the subjects of a person's e-mails, oldest first. */
async function subjectsTo(email: string): Promise<string[]> {
  await app.sendMails();
  return app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
}
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() });
const signIn = (email: string, password = demoPassword) =>
  app.call(authorize, { body: { grant_type: "password", email, password } });
const withCode = (challenge: string, code: string) =>
  app.call(authorize, { body: { grant_type: "second_factor", challenge, code } });

async function trail(): Promise<string[]> {
  const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
    sql<{ action: string }>`SELECT action FROM audit_entries ORDER BY id`.execute(tx),
  );
  return rows.map(({ action }) => action);
}

async function turnOn(person: Person) {
  const { secret } = (await person.call(readTwoFactorSecret)).body;
  const answer = await person.call(setTwoFactor, { body: { action: "enable", code: codeOf(secret) } });
  expect(answer.status).toBe(200);
  // The code just used works once, so the next one is needed.
  app.clock.advance({ seconds: 30 });
  return { secret, token: answer.body.new_token as string, codes: answer.body.recovery_codes as string[] };
}

describe("a token some minutes after signing in", () => {
  it.each<[string, () => Promise<{ status: number; body: { code?: string } }>]>([
    ["DEV-004 makes no credential", () => helena.call(createCredential, { body: {} })],
    [
      "FST-013 turns no factor on",
      async () => {
        const { secret } = (await helena.call(readTwoFactorSecret)).body;
        return helena.call(setTwoFactor, { body: { action: "enable", code: codeOf(secret) } });
      },
    ],
    ["makes no recovery codes", () => helena.call(makeRecoveryCodes)],
    ["resets no factor", () => helena.call(resetTwoFactor, { params: { id: aurora.users[1]!.id } })],
  ])("%s until the person gives the password again", async (_, attempt) => {
    app.clock.advance({ minutes: 5, seconds: 1 });
    expect(await attempt()).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
    const wrong = await helena.call(confirmIdentity, { body: { password: "Errada-2026!" } });
    expect(wrong).toMatchObject({ status: 422, body: { code: "password_wrong" } });
    expect((await attempt()).body.code).toBe("identity_unconfirmed");
    expect((await helena.call(confirmIdentity, { body: { password: demoPassword } })).status).toBe(200);
    expect((await attempt()).body.code).not.toBe("identity_unconfirmed");
  });

  it("FST-018 does not turn the factor off until the person gives the password again with the code", async () => {
    const { secret, token } = await turnOn(helena);
    app.clock.advance({ minutes: 5, seconds: 1 });
    const turnOff = () =>
      app.call(setTwoFactor, { body: { action: "disable", code: codeOf(secret) } }, { token });
    expect(await turnOff()).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
    const confirmation = { password: demoPassword, code: codeOf(secret) };
    expect((await app.call(confirmIdentity, { body: confirmation }, { token })).status).toBe(200);
    // The code just used works once, so the next one is needed.
    app.clock.advance({ seconds: 30 });
    expect((await turnOff()).status).toBe(200);
  });

  it("allows ten guesses at most, without locking the person out", async () => {
    const other = await app.as(helenasEmail);
    const guess = () => helena.call(confirmIdentity, { body: { password: "Errada-2026!" } });
    for (let tries = 0; tries < 10; tries++) expect((await guess()).status).toBe(422);
    expect((await guess()).status).toBe(429);
    const body = { oldPassword: demoPassword, newPassword };
    expect((await other.call(changePassword, { body })).status).toBe(200);
  });

  it("is not sufficient after a renewal either", async () => {
    app.clock.advance({ minutes: 5, seconds: 1 });
    const renewed = await app.call(authorize, {
      body: { grant_type: "refresh_token", refresh_token: helena.token },
    });
    const again = await app.call(createCredential, { body: {} }, { token: renewed.body.access_token });
    expect(again.body.code).toBe("identity_unconfirmed");
  });

  it("requires the code too from a person with a second factor", async () => {
    const { secret, token } = await turnOn(helena);
    app.clock.advance({ minutes: 6 });
    const confirm = (code?: string) =>
      app.call(confirmIdentity, { body: { password: demoPassword, ...(code && { code }) } }, { token });
    expect((await confirm()).body.code).toBe("second_factor_needed");
    expect((await confirm("000000")).body.code).toBe("second_factor_invalid");
    expect((await confirm(codeOf(secret))).status).toBe(200);
    expect(await trail()).toEqual(
      expect.arrayContaining(["session.code_refused", "session.identity_confirmed"]),
    );
    expect((await app.call(createCredential, { body: {} }, { token })).status).toBe(200);
  });

  it("allows ten guesses of the code over all sessions, without locking the person out of signing in", async () => {
    const { secret, token } = await turnOn(helena);
    const { challenge } = (await signIn(helenasEmail)).body.second_factor;
    const other = (await withCode(challenge, codeOf(secret))).body.access_token as string;
    app.clock.advance({ seconds: 30 });
    const guess = (by: string, code = "000000") =>
      app.call(confirmIdentity, { body: { password: demoPassword, code } }, { token: by });
    for (let tries = 0; tries < 5; tries++)
      expect([(await guess(token)).status, (await guess(other)).status]).toEqual([422, 422]);
    expect((await guess(other, codeOf(secret))).body.code).toBe("too_many_tries");
    const off = { body: { action: "disable", code: codeOf(secret) } } as const;
    expect((await app.call(setTwoFactor, off, { token: other })).body.code).toBe("too_many_tries");
    const again = (await signIn(helenasEmail)).body.second_factor.challenge;
    expect((await withCode(again, codeOf(secret))).status).toBe(200);
  });

  it("counts wrong passwords with those of signing in", async () => {
    for (let at = 0; at < 10; at++)
      await helena.call(confirmIdentity, { body: { password: `Errada-${at}` } });
    const answer = await helena.call(confirmIdentity, { body: { password: demoPassword } });
    expect(answer).toMatchObject({ status: 429, body: { code: "too_many_tries" } });
  });
});

describe("recovery codes", () => {
  it("FST-013 are ten, shown once, stored only as hashes, and each signs in once", async () => {
    const { codes } = await turnOn(helena);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
      sql<{ row: string }>`SELECT recovery_codes::text AS row FROM recovery_codes`.execute(tx),
    );
    expect(rows).toHaveLength(10);
    for (const code of codes) for (const { row } of rows) expect(row).not.toContain(code.replaceAll("-", ""));

    const challenge = (await signIn(helenasEmail)).body.second_factor.challenge;
    expect((await withCode(challenge, "aaaa-bbbb-cccc-dddd")).body.code).toBe("second_factor_wrong");
    const [first = "", second = ""] = codes;
    const entered = await withCode(challenge, first.toUpperCase());
    expect(entered.status).toBe(200);
    const again = (await signIn(helenasEmail)).body.second_factor.challenge;
    expect((await withCode(again, first)).body.code).toBe("second_factor_wrong");
    expect((await withCode(again, second.replaceAll("-", ""))).status).toBe(200);
    const left = await app.call(readRecoveryCodes, {}, { token: entered.body.access_token });
    expect(left.body).toEqual({ left: 8 });
    const subjects = await subjectsTo(helenasEmail);
    expect(subjects).toContain("Autenticação em 2 fatores ativada");
    expect(subjects.filter((subject) => subject === "Um código de recuperação foi usado")).toHaveLength(2);
  });

  it("let exactly one of two concurrent sign-ins with the same code succeed", async () => {
    const { codes } = await turnOn(helena);
    const challenges = await Promise.all([signIn(helenasEmail), signIn(helenasEmail)]);
    const answers = await Promise.all(
      challenges.map(({ body }) => withCode(body.second_factor.challenge, codes[0] ?? "")),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("replace the earlier ones when they are created again, and do not exist without a factor", async () => {
    expect((await helena.call(makeRecoveryCodes)).body.code).toBe("second_factor_already_off");
    const { codes, token } = await turnOn(helena);
    const fresh = (await app.call(makeRecoveryCodes, {}, { token })).body.recovery_codes as string[];
    const challenge = (await signIn(helenasEmail)).body.second_factor.challenge;
    expect((await withCode(challenge, codes[0] ?? "")).body.code).toBe("second_factor_wrong");
    expect((await withCode(challenge, fresh[0] ?? "")).status).toBe(200);
    expect(await subjectsTo(helenasEmail)).toContain("Novos códigos de recuperação");
    expect(await trail()).toContain("two_factor.recovery_codes_made");
  });

  it("FST-018 turn the factor off like a code of the authenticator, and end with it", async () => {
    const { codes, token } = await turnOn(helena);
    const off = await app.call(setTwoFactor, { body: { action: "disable", code: codes[0] } }, { token });
    expect(off.status).toBe(200);
    expect(off.body.recovery_codes).toBeUndefined();
    const left = await app.call(readRecoveryCodes, {}, { token: off.body.new_token });
    expect(left.body).toEqual({ left: 0 });
    expect((await signIn(helenasEmail)).body.access_token).toBeTruthy();
    expect(await subjectsTo(helenasEmail)).toContain("Autenticação em 2 fatores desativada");
  });
});

describe("the lost factor of another person", () => {
  const fetchId = async (email: string) =>
    (await helena.call(listUsers, { query: { search: email } })).body.data[0].id as string;

  it("is removed by an admin, and announced to the person and to the other admins", async () => {
    const { token } = await turnOn(await app.as(ruisEmail));
    await app.services.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE users SET profile = 'admin' WHERE email = 'ana@aurora.example'`.execute(tx),
    );
    const id = await fetchId(ruisEmail);
    app.clock.advance({ seconds: 1 });
    expect((await helena.call(resetTwoFactor, { params: { id } })).status).toBe(200);
    expect((await app.call(readMe, {}, { token })).status).toBe(401);
    expect((await signIn(ruisEmail)).body.access_token).toBeTruthy();
    expect(await subjectsTo(ruisEmail)).toContain("Sua autenticação em 2 fatores foi desativada");
    expect(await subjectsTo("ana@aurora.example")).toEqual([
      expect.stringMatching(/^Autenticação em 2 fatores de Rui.* desativada$/),
    ]);
    // The admin who removed it gets no e-mail.
    expect(await subjectsTo(helenasEmail)).not.toContainEqual(expect.stringMatching(/de Rui.* desativada$/));
    expect(await trail()).toEqual(expect.arrayContaining(["two_factor.enabled", "two_factor.reset"]));
    expect((await helena.call(resetTwoFactor, { params: { id } })).body.code).toBe(
      "second_factor_already_off",
    );
  });

  it("is not removed by an operator, by its owner or by another company", async () => {
    const rui = await app.as(ruisEmail);
    const id = await fetchId(helenasEmail);
    expect((await rui.call(resetTwoFactor, { params: { id } })).status).toBe(403);
    expect((await helena.call(resetTwoFactor, { params: { id } })).status).toBe(422);
    const stranger = demoCompanies[1]!.users[0]!.id;
    expect((await helena.call(resetTwoFactor, { params: { id: stranger } })).status).toBe(404);
  });
});

describe("a forgotten password", () => {
  async function linkTo(email: string): Promise<string | undefined> {
    await subjectsTo(email);
    const mail = app.mails.findLast(({ to, text }) => to === email && text.includes("#senha="));
    return /#senha=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  }

  it("is answered in the same way for every address, and e-mails only existing ones", async () => {
    const makeCall = (email: string) => app.call(forgotPassword, { body: { email } });
    const since = performance.now();
    const [known, unknown, wrong] = [
      await makeCall(" Helena@Aurora.example"),
      await makeCall("ninguem@aurora.example"),
      await makeCall("x"),
    ];
    expect([known, unknown, wrong].map(({ status, body }) => ({ status, body }))).toEqual(
      Array(3).fill({ status: 200, body: { ok: true } }),
    );
    // Every answer takes the same time, whatever work there was.
    expect(performance.now() - since).toBeGreaterThanOrEqual(1_195);
    await subjectsTo(helenasEmail);
    expect(app.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [helenasEmail, "Crie uma nova senha"],
    ]);
  });

  it("is replaced by the link: once, within the hour, ending sessions and keeping the factor", async () => {
    const { token: session } = await turnOn(helena);
    await app.call(forgotPassword, { body: { email: helenasEmail } });
    const token = await linkTo(helenasEmail);
    const spend = () => app.call(spendPasswordLink, { body: { token, newPassword } });
    expect((await spend()).status).toBe(200);
    expect((await spend()).body.code).toBe("password_link_invalid");
    expect((await app.call(readMe, {}, { token: session })).status).toBe(401);
    expect((await signIn(helenasEmail)).status).toBe(401);
    expect((await signIn(helenasEmail, newPassword)).body.second_factor.challenge).toBeTruthy();
    expect(await subjectsTo(helenasEmail)).toContain("Sua senha foi criada");
  });

  it("stays valid until then, and its link expires after an hour", async () => {
    await app.call(forgotPassword, { body: { email: helenasEmail } });
    const token = await linkTo(helenasEmail);
    expect((await signIn(helenasEmail)).status).toBe(200);
    app.clock.advance({ hours: 1, seconds: 1 });
    const late = await app.call(spendPasswordLink, { body: { token, newPassword } });
    expect(late.body.code).toBe("password_link_invalid");
  });

  it("replaces no other link when another person requests one, not even of an invitation", async () => {
    const email = "convidada@aurora.example";
    const person = {
      name: "Pessoa Convidada",
      email,
      profile: "analyst",
      applications: ["payments"],
    } as const;
    await helena.call(createUser, { body: { ...person, applications: [...person.applications] } });
    const invitation = await linkTo(email);
    await app.call(forgotPassword, { body: { email } });
    const first = await linkTo(email);
    await app.call(forgotPassword, { body: { email } });
    const second = await linkTo(email);
    expect(new Set([invitation, first, second]).size).toBe(3);
    for (const token of [invitation, first, second])
      expect((await app.call(readPasswordLink, { body: { token } })).status).toBe(200);
    expect((await app.call(spendPasswordLink, { body: { token: first, newPassword } })).status).toBe(200);
    // Once one link is used, all of them are over.
    for (const token of [invitation, second])
      expect((await app.call(spendPasswordLink, { body: { token, newPassword } })).body.code).toBe(
        "password_link_invalid",
      );
  });

  it("is throttled when it is requested repeatedly, without preventing the person from signing in", async () => {
    const answers: number[] = [];
    for (let at = 0; at < 12; at++)
      answers.push((await app.call(forgotPassword, { body: { email: helenasEmail } })).status);
    expect(answers).toEqual([...Array(10).fill(200), 429, 429]);
    expect((await signIn(helenasEmail)).status).toBe(200);
  });
});

describe("a changed password", () => {
  it("is announced to the person, and ends the person's credentials on request", async () => {
    const made = (await helena.call(createCredential, { body: { name: "ERP" } })).body;
    const machine = () =>
      app.call(authorize, {
        body: {
          grant_type: "client_credentials",
          client_id: made.client_id,
          client_secret: made.client_secret,
        },
      });
    const machineToken = (await machine()).body.access_token;
    const body = { oldPassword: demoPassword, newPassword };
    const first = await helena.call(changePassword, { body });
    expect((await machine()).status).toBe(200);
    const again = { oldPassword: newPassword, newPassword: "Terceira-senha-2026!", endCredentials: true };
    expect((await app.call(changePassword, { body: again }, { token: first.body.new_token })).status).toBe(
      200,
    );
    expect((await machine()).status).toBe(401);
    expect(
      (await app.send("GET", "/api/payments/statement/balance", undefined, { token: machineToken })).status,
    ).not.toBe(200);
    expect((await subjectsTo(helenasEmail)).sort()).toEqual([
      "Sua empresa tem uma nova credencial de API",
      "Sua senha foi trocada",
      "Sua senha foi trocada",
    ]);
  });
});

describe("the first steps", () => {
  const mark = "HAS_FILLED_FIRST_STEPS";
  const bia = "bia@horizonte.example";
  const lia = "lia@horizonte.example";
  const marcos = "marcos@horizonte.example";
  const exists = async (person: Person, in_company?: "true") =>
    (await person.call(readCheckpoint, { params: { id: mark }, query: in_company ? { in_company } : {} }))
      .body.exists;

  it("FST-005 FST-007 FST-023 count for the company once an admin completed them, and only for the person before", async () => {
    const [analyst, operator, admin] = [await app.as(bia), await app.as(lia), await app.as(marcos)];
    for (const person of [analyst, operator]) {
      await person.call(createCheckpoint, { body: { location: mark } });
      expect(await exists(person)).toBe(true);
      expect(await exists(admin, "true")).toBe(false);
    }
    await admin.call(createCheckpoint, { body: { location: mark } });
    expect(await exists(analyst, "true")).toBe(true);
    expect(await exists(admin, "true")).toBe(true);
  });

  it("FST-005 FST-023 can be completed by a person who became an admin after their own part, for good", async () => {
    const becomes = async (profile: string) => {
      await app.services.db.withCompany(demoCompanies[1]!.id, (tx) =>
        sql`UPDATE users SET profile = ${profile} WHERE email = ${bia}`.execute(tx),
      );
      return app.as(bia);
    };
    await (await app.as(bia)).call(createCheckpoint, { body: { location: mark } });
    const promoted = await becomes("admin");
    expect(await exists(promoted, "true")).toBe(false);
    await promoted.call(createCheckpoint, { body: { location: mark } });
    expect(await exists(promoted, "true")).toBe(true);
    const demoted = await becomes("operator");
    await demoted.call(createCheckpoint, { body: { location: mark } });
    expect(await exists(demoted, "true")).toBe(true);
  });
});

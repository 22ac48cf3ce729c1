import { readCompanySettings, readUserSettings } from "@malote/contracts/company";
import {
  authorize,
  confirmIdentity,
  readMe,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import {
  readValidationTwoFactorSecret,
  readValidationUserSettings,
  setValidationTwoFactor,
} from "@malote/contracts/validation";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { Secret, TOTP, URI } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";

let app: TestApp;
let helena: Person;
beforeEach(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
});
afterEach(() => app.close());

const aurora = demoCompanies[0]!;
const email = "helena@aurora.example";
const codeAt = (secret: string, secondsAway = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().getTime() + secondsAway * 1000,
  });
const toggle = (token: string, action: "enable" | "disable", code: string) =>
  app.call(setTwoFactor, { body: { action, code } }, { token });
const withPassword = () =>
  app.call(authorize, { body: { grant_type: "password", email, password: demoPassword } });
const withCode = (challenge: string, code: string, address = "127.0.0.1") =>
  app.call(authorize, { body: { grant_type: "second_factor", challenge, code } }, { address });

async function turnOn(): Promise<{ secret: string; token: string }> {
  const { secret } = (await helena.call(readTwoFactorSecret)).body;
  const answer = await toggle(helena.token, "enable", codeAt(secret));
  expect(answer.status).toBe(200);
  // The code just used works once; the next one comes with the next half minute.
  app.clock.advance({ seconds: 30 });
  return { secret, token: answer.body.new_token };
}

async function startChallenge(): Promise<string> {
  const answer = await withPassword();
  expect(answer.body.access_token).toBeUndefined();
  return answer.body.second_factor.challenge;
}

describe("turning the second factor on", () => {
  it("FST-014 SET-022 also works on the API of the validation application", async () => {
    const inValidation = await app.as(email, "validation");
    const { secret } = (await inValidation.call(readValidationTwoFactorSecret)).body;
    const body = { action: "enable" as const, code: codeAt(secret) };
    const answer = await inValidation.call(setValidationTwoFactor, { body });
    expect(decodeJwt(answer.body.new_token)).toMatchObject({ application: { id: "validation" } });
    const token = answer.body.new_token;
    const settings = await app.call(readValidationUserSettings, {}, { token });
    expect(settings.body.hasTwoFactorEnabled).toBe(true);
    expect((await helena.call(readValidationTwoFactorSecret)).status).toBe(401);
  });

  it("FST-013 FST-014 FST-015 FST-018 can be undone there by the same rules", async () => {
    const inValidation = await app.as(email, "validation");
    const there = (token: string, action: "enable" | "disable", code: string) =>
      app.call(setValidationTwoFactor, { body: { action, code } }, { token });
    // A demand of the company leaves both calls open to a person who has yet to meet it.
    await setCompany(app.services, aurora.id, { requiresTwoFactor: true });
    const { secret } = (await inValidation.call(readValidationTwoFactorSecret)).body;
    app.clock.advance({ minutes: 5, seconds: 1 });
    const unconfirmed = { status: 403, body: { code: "identity_unconfirmed" } };
    expect(await there(inValidation.token, "enable", codeAt(secret))).toMatchObject(unconfirmed);
    await inValidation.call(confirmIdentity, { body: { password: demoPassword } });
    const on = (await there(inValidation.token, "enable", codeAt(secret))).body;
    expect(on.recovery_codes).toHaveLength(10);
    app.clock.advance({ minutes: 5, seconds: 1 });
    const turnOff = () => there(on.new_token, "disable", codeAt(secret));
    expect(await turnOff()).toMatchObject(unconfirmed);
    const confirmation = { password: demoPassword, code: codeAt(secret) };
    await app.call(confirmIdentity, { body: confirmation }, { token: on.new_token });
    app.clock.advance({ seconds: 30 });
    expect((await turnOff()).body.code).toBe("second_factor_enforced");
    await setCompany(app.services, aurora.id, { requiresTwoFactor: false });
    const off = await turnOff();
    expect(off).toMatchObject({ status: 200, body: { new_token: expect.any(String) } });
    expect(off.body.recovery_codes).toBeUndefined();
    expect(decodeJwt(off.body.new_token)).toMatchObject({
      application: { id: "validation" },
      two_factor: { enabled: false },
    });
    expect((await turnOff()).status).toBe(401);
  });

  it.each(["rui@aurora.example", "ana@aurora.example"])(
    "FST-012 FST-013 is possible for %s, who is not an admin",
    async (who) => {
      const person = await app.as(who);
      const { secret } = (await person.call(readTwoFactorSecret)).body;
      const on = await person.call(setTwoFactor, { body: { action: "enable", code: codeAt(secret) } });
      expect(on).toMatchObject({ status: 200, body: { new_token: expect.any(String) } });
    },
  );

  it("FST-018 is refused without a secret, and turning off is refused if it is not on", async () => {
    expect(await toggle(helena.token, "enable", "123456")).toMatchObject({
      status: 422,
      body: { code: "second_factor_invalid" },
    });
    expect(await toggle(helena.token, "disable", "123456")).toMatchObject({
      status: 409,
      body: { code: "second_factor_already_off" },
    });
  });

  it.each(["12345", "1234567", "12345a", "", "１２３４５６"])(
    "FST-011 refuses the code '%s'",
    async (code) => {
      expect(await toggle(helena.token, "enable", code)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    },
  );

  it("refuses a wrong code, and ten of them lock the account", async () => {
    const { secret } = (await helena.call(readTwoFactorSecret)).body;
    const wrong = String((Number(codeAt(secret)) + 1) % 1_000_000).padStart(6, "0");
    for (let count = 0; count < 10; count++) {
      expect((await toggle(helena.token, "enable", wrong)).body.code).toBe("second_factor_invalid");
    }
    expect((await toggle(helena.token, "enable", codeAt(secret))).body.code).toBe("too_many_tries");
  });

  it("FST-012 returns an address for authenticator apps, and stores the secret encrypted", async () => {
    const { qrcode, secret } = (await helena.call(readTwoFactorSecret)).body;
    const read = URI.parse(qrcode) as TOTP;
    expect(read).toMatchObject({ issuer: "Malote", label: email, digits: 6, period: 30, algorithm: "SHA1" });
    expect(read.secret.base32).toBe(secret);
    expect(secret.length).toBe(32);
    const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
      sql<{ two_factor_secret: string }>`SELECT two_factor_secret FROM users WHERE email = ${email}`.execute(
        tx,
      ),
    );
    expect(rows[0]!.two_factor_secret).not.toContain(secret);
    expect(Buffer.from(rows[0]!.two_factor_secret, "base64").toString()).not.toContain(secret);
  });

  it("FST-013 FST-015 returns a new token, ends every older one, and reports that it is on", async () => {
    const elsewhere = await app.as(email);
    const { token } = await turnOn();
    expect((await helena.call(readMe)).status).toBe(401);
    expect((await elsewhere.call(readMe)).status).toBe(401);
    expect(decodeJwt(token)["two_factor"]).toEqual({ enabled: true, enforced: false });
    const settings = await app.call(readUserSettings, {}, { token });
    expect(settings.body).toEqual({ hasTwoFactorEnabled: true, isTwoFactorEnforced: false });
    expect((await app.call(readTwoFactorSecret, {}, { token })).body.code).toBe("second_factor_already_on");
  });

  it("FST-018 gives access to a person whose company requires it, and cannot be undone then", async () => {
    await setCompany(app.services, aurora.id, { requiresTwoFactor: true });
    expect((await helena.call(readCompanySettings)).body.code).toBe("second_factor_required");
    const { secret, token } = await turnOn();
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(200);
    expect(await toggle(token, "disable", codeAt(secret))).toMatchObject({
      status: 422,
      body: { code: "second_factor_enforced" },
    });
  });
});

describe("signing in with a code", () => {
  it("needs first the password and then the code", async () => {
    const { secret } = await turnOn();
    const signedIn = await withCode(await startChallenge(), codeAt(secret));
    expect(signedIn.status).toBe(200);
    expect((await app.call(readMe, {}, { token: signedIn.body.access_token })).status).toBe(200);
  });

  it.each([
    ["a challenge that is none", () => "challenge"],
    ["a bearer token in its place", () => helena.token],
  ])("refuses %s", async (_, challenge) => {
    const { secret } = await turnOn();
    expect(await withCode(challenge(), codeAt(secret))).toMatchObject({
      status: 401,
      body: { code: "second_factor_expired" },
    });
  });

  it("refuses a challenge after five minutes, and one from before a change of the account", async () => {
    const { secret } = await turnOn();
    const challenge = await startChallenge();
    await app.services.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE users SET session_version = session_version + 1 WHERE email = ${email}`.execute(tx),
    );
    expect((await withCode(challenge, codeAt(secret))).body.code).toBe("second_factor_expired");
    const next = await startChallenge();
    app.clock.advance({ minutes: 5 });
    expect((await withCode(next, codeAt(secret))).body.code).toBe("second_factor_expired");
  });

  it("accepts the code of half a minute before or after, and no other", async () => {
    const { secret } = await turnOn();
    app.clock.advance({ minutes: 2 });
    const challenge = await startChallenge();
    expect((await withCode(challenge, codeAt(secret, -60))).body.code).toBe("second_factor_wrong");
    expect((await withCode(challenge, codeAt(secret, 60))).body.code).toBe("second_factor_wrong");
    expect((await withCode(challenge, codeAt(secret, -30))).status).toBe(200);
    expect((await withCode(challenge, codeAt(secret, 30))).status).toBe(200);
  });

  it("S8 accepts a code once, also with another challenge, and no older one after it", async () => {
    const { secret } = await turnOn();
    app.clock.advance({ minutes: 1 });
    const code = codeAt(secret);
    expect((await withCode(await startChallenge(), code)).status).toBe(200);
    expect((await withCode(await startChallenge(), code)).body.code).toBe("second_factor_wrong");
    expect((await withCode(await startChallenge(), codeAt(secret, -30))).body.code).toBe(
      "second_factor_wrong",
    );
  });

  it("S8 accepts a code once in eight concurrent calls", async () => {
    const { secret } = await turnOn();
    const challenges = await Promise.all(Array.from({ length: 8 }, startChallenge));
    const code = codeAt(secret);
    const answers = await Promise.all(challenges.map((challenge) => withCode(challenge, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === "second_factor_wrong")).toHaveLength(7);
  });

  it("FST-018 does not accept the code that signed in for turning the factor off", async () => {
    const { secret } = await turnOn();
    const code = codeAt(secret);
    const token = (await withCode(await startChallenge(), code)).body.access_token;
    expect((await toggle(token, "disable", code)).body.code).toBe("second_factor_invalid");
    app.clock.advance({ seconds: 30 });
    const off = await toggle(token, "disable", codeAt(secret));
    expect(off.status).toBe(200);
    expect(decodeJwt(off.body.new_token)["two_factor"]).toEqual({ enabled: false, enforced: false });
    expect((await withPassword()).body.access_token).toBeDefined();
  });

  it("locks the account after ten wrong codes from different addresses; a right password does not unlock it", async () => {
    const { secret } = await turnOn();
    const wrong = String((Number(codeAt(secret)) + 1) % 1_000_000).padStart(6, "0");
    const challenge = await startChallenge();
    for (let count = 1; count <= 10; count++) {
      expect((await withCode(challenge, wrong, `10.9.0.${count}`)).body.code).toBe("second_factor_wrong");
      // A right password in between must not allow ten more tries.
      if (count === 5) await startChallenge();
    }
    expect((await withCode(challenge, codeAt(secret), "10.9.1.1")).body.code).toBe("too_many_tries");
    // The password still gives a challenge, and no stranger gets further with it.
    const again = (await withPassword()).body.second_factor.challenge;
    expect((await withCode(again, codeAt(secret), "10.9.1.2")).body.code).toBe("too_many_tries");
  });
});

/** A browser that gave the code of the second factor and is not asked for it again for some days (decision 0058). */
import {
  authorize,
  changePassword,
  confirmIdentity,
  makeRecoveryCodes,
  readMe,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";

let app: TestApp;
let secret: string;
let token: string;
let recoveryCodes: string[];
beforeEach(async () => {
  app = await buildTestApp();
  const helena = await app.as("helena@aurora.example");
  secret = (await helena.call(readTwoFactorSecret)).body.secret;
  const on = await helena.call(setTwoFactor, { body: { action: "enable", code: nextCode() } });
  token = on.body.new_token;
  recoveryCodes = on.body.recovery_codes;
});
afterEach(() => app.close());

/** Each code works once, so this is the code of the next half minute. */
function nextCode(): string {
  app.clock.advance({ seconds: 30 });
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().getTime(),
  });
}

const withPassword = (cookie = "", email = "helena@aurora.example", password = demoPassword) =>
  app.call(
    authorize,
    { body: { grant_type: "password", email, password } },
    { headers: cookie ? { cookie } : {} },
  );

async function withCode(code: string, remember: boolean, cookie = "") {
  const { challenge } = (await withPassword(cookie)).body.second_factor;
  const body = { grant_type: "second_factor" as const, challenge, code, ...(remember && { remember }) };
  return app.call(authorize, { body }, { headers: cookie ? { cookie } : {} });
}

const cookiesOf = ({ headers }: Awaited<ReturnType<typeof withPassword>>) =>
  [headers["set-cookie"] ?? []].flat().map(String);

/** The cookies as the browser returns them. */
async function remembered(): Promise<string> {
  const answer = await withCode(nextCode(), true);
  expect(answer.status).toBe(200);
  token = answer.body.access_token;
  return cookiesOf(answer)
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

const isAsked = async (cookie: string) => "second_factor" in (await withPassword(cookie)).body;

it("requires no code from a browser for seven days if the person chose so, and the password each time", async () => {
  const plain = await withCode(nextCode(), false);
  expect(cookiesOf(plain).join()).not.toContain("malote_remembered");
  const cookies = cookiesOf(await withCode(nextCode(), true));
  expect(cookies.find((cookie) => cookie.startsWith("malote_remembered="))).toMatch(
    /; Path=\/api\/login; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
  expect((await withPassword(cookie, undefined, "Errada-2026!")).body.code).toBe("wrong_credentials");
  const answer = await withPassword(cookie);
  expect((await app.call(readMe, {}, { token: answer.body.access_token })).status).toBe(200);
  app.clock.advance({ days: 6, hours: 23 });
  expect(await isAsked(cookie)).toBe(false);
  app.clock.advance({ hours: 1 });
  expect(await isAsked(cookie)).toBe(true);
});

it("gives no access by itself, in another browser, for another person or in place of another token", async () => {
  const cookie = await remembered();
  const [device = "", proof = ""] = cookie.split("; ");
  for (const other of [proof, `malote_device=${"a".repeat(22)}; ${proof}`, device, `${device}; ${proof}x`])
    expect(await isAsked(other)).toBe(true);
  const text = proof.split("=")[1] ?? "";
  expect((await app.call(readMe, {}, { token: text })).status).toBe(401);
  const body = { grant_type: "second_factor" as const, challenge: text, code: nextCode() };
  expect((await app.call(authorize, { body })).body.code).toBe("second_factor_expired");
  // A person's other tokens are no proof either.
  const { challenge } = (await withPassword()).body.second_factor;
  for (const wrong of [challenge, token])
    expect(await isAsked(`${device}; malote_remembered=${wrong}`)).toBe(true);
  const rui = await app.as("rui@aurora.example");
  const own = (await rui.call(readTwoFactorSecret)).body.secret;
  const code = new TOTP({ secret: Secret.fromBase32(own) }).generate({
    timestamp: app.clock.now().getTime(),
  });
  expect((await rui.call(setTwoFactor, { body: { action: "enable", code } })).status).toBe(200);
  expect((await withPassword(cookie, "rui@aurora.example")).body).toHaveProperty("second_factor");
});

it("does not remember a browser after a recovery code", async () => {
  const answer = await withCode(recoveryCodes[0] ?? "", true);
  expect(answer.status).toBe(200);
  expect(cookiesOf(answer).join()).not.toContain("malote_remembered");
});

it("does not accept it for the code that changes how a person signs in", async () => {
  const cookie = await remembered();
  const { access_token: later } = (await withPassword(cookie)).body;
  expect((await app.call(makeRecoveryCodes, {}, { token: later })).body.code).toBe("identity_unconfirmed");
  const given = { password: demoPassword };
  expect((await app.call(confirmIdentity, { body: given }, { token: later })).body.code).toBe(
    "second_factor_needed",
  );
  const body = { ...given, code: nextCode() };
  expect((await app.call(confirmIdentity, { body }, { token: later })).status).toBe(200);
  expect((await app.call(makeRecoveryCodes, {}, { token: later })).status).toBe(200);
});

it("does not permit a change of the password until the code was given", async () => {
  const cookie = await remembered();
  const { access_token: later } = (await withPassword(cookie)).body;
  const body = { oldPassword: demoPassword, newPassword: "Outra-senha-2026!" };
  expect((await app.call(changePassword, { body }, { token: later })).body.code).toBe("identity_unconfirmed");
  const identity = { password: demoPassword, code: nextCode() };
  expect((await app.call(confirmIdentity, { body: identity }, { token: later })).status).toBe(200);
  expect((await app.call(changePassword, { body }, { token: later })).status).toBe(200);
});

it("does not accept it as proof of identity after a change of the password, unless a code was given recently", async () => {
  await remembered();
  app.clock.advance({ minutes: 10 });
  const body = { oldPassword: demoPassword, newPassword: "Outra-senha-2026!" };
  const changed = await app.call(changePassword, { body }, { token });
  expect(changed.status).toBe(200);
  const answer = await app.call(makeRecoveryCodes, {}, { token: changed.body.new_token });
  expect(answer.body.code).toBe("identity_unconfirmed");
});

it("ends it after a change of the password, and after the factor was turned off and on", async () => {
  const newPassword = "Outra-senha-2026!";
  const first = await remembered();
  const body = { oldPassword: demoPassword, newPassword };
  const changed = await app.call(changePassword, { body }, { token });
  expect(changed.status).toBe(200);
  expect((await withPassword(first, undefined, newPassword)).body).toHaveProperty("second_factor");
  const off = { action: "disable" as const, code: nextCode() };
  expect((await app.call(setTwoFactor, { body: off }, { token: changed.body.new_token })).status).toBe(200);
});

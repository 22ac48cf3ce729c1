import { readCompanySettings } from "@malote/contracts/company";
import { applications } from "@malote/contracts/policy";
import { authorize, changePassword, logout, readMe } from "@malote/contracts/session";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
import { findBearerOfSession, queryInTransaction } from "./bearer-store.ts";

let app: TestApp;
let helena: Person;
let marcos: Person;
beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
  marcos = await app.as("marcos@horizonte.example");
});
afterAll(() => app.close());

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
describe("a foreign token", () => {
  it.each([
    ["no header", {}],
    ["another scheme", { authorization: "Basic aGVsZW5hOng=" }],
    ["an empty bearer", { authorization: "Bearer " }],
    ["a bearer with spaces", { authorization: "Bearer a b" }],
  ])("SES-034 refuses a call with %s", async (_, headers) => {
    expect(await app.call(readMe, {}, { headers: headers as Record<string, string> })).toMatchObject({
      status: 401,
    });
  });

  it("SES-034 does not read the token from the address or from the body", async () => {
    expect((await app.send("GET", `/api/payments/user/me?token=${helena.token}`)).status).toBe(401);
    expect(
      (
        await app.send("GET", "/api/payments/user/me", undefined, {
          headers: { cookie: `token=${helena.token}` },
        })
      ).status,
    ).toBe(401);
  });

  it("never accepts the proof of a password as a token", async () => {
    const challenge = await openTokens(app.services).signChallenge({
      sub: aurora.users[0]!.id,
      company: aurora.id,
      version: 1,
    });
    expect((await app.call(readMe, {}, { token: challenge })).status).toBe(401);
  });

  it("names EdDSA in its tokens, and of its key only the id", () => {
    expect(decodeProtectedHeader(helena.token)).toEqual({
      alg: "EdDSA",
      typ: "JWT",
      kid: app.services.secrets.keyId,
    });
  });
});

describe("the permissions of a token come from the database", () => {
  const change = (text: string, email = "lia@horizonte.example") =>
    app.services.db.withCompany(horizonte.id, (tx) =>
      sql`UPDATE users SET ${sql.raw(text)} WHERE email = ${email}`.execute(tx),
    );
  const settings = (person: Person) => person.call(readCompanySettings);

  it("SES-050 apply a new profile immediately, although the token still names the old one", async () => {
    const lia = await app.as("lia@horizonte.example");
    const asAdmin = () => lia.put("/api/payments/companySettings", { accept_contacerta_suggestions: true });
    expect((await asAdmin()).status).toBe(403);
    await change("profile = 'admin'");
    expect((await asAdmin()).status).toBe(200);
    await change("profile = 'analyst'");
    expect((await asAdmin()).status).toBe(403);
    await change("profile = 'operator'");
  });

  it("end with a higher session version", async () => {
    const lia = await app.as("lia@horizonte.example");
    await change("session_version = session_version + 1");
    expect((await settings(lia)).status).toBe(401);
  });

  it("end with the removal of the user", async () => {
    const bia = await app.as("bia@horizonte.example");
    await change("removed_at = now()", "bia@horizonte.example");
    expect((await settings(bia)).status).toBe(401);
  });

  it("SES-041 end with the loss of the application, and a person without any application cannot sign in", async () => {
    const lia = await app.as("lia@horizonte.example");
    await change("applications = '{validation}'");
    expect((await settings(lia)).status).toBe(401);
    const signedIn = await app.call(authorize, {
      body: { grant_type: "password", email: "lia@horizonte.example", password: demoPassword },
    });
    expect(decodeJwt(signedIn.body.access_token)["application"]).toMatchObject({ id: "validation" });
    // The default is payments, whatever the order of a person's applications.
    await change("applications = '{validation,payments}'");
    const inBoth = await app.call(authorize, {
      body: { grant_type: "password", email: "lia@horizonte.example", password: demoPassword },
    });
    expect(decodeJwt(inBoth.body.access_token)["application"]).toMatchObject({ id: "payments" });
    await change("applications = '{}'");
    const refused = await app.call(authorize, {
      body: { grant_type: "password", email: "lia@horizonte.example", password: demoPassword },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    await change("applications = '{payments,validation}'");
  });

  it("SES-032 show whether the company accepted the contract, its flags and its permissions", async () => {
    const set = (options: Parameters<typeof setCompany>[2]) =>
      setCompany(app.services, horizonte.id, options);
    const feature_flags = ["payin-simplified-version"];
    await set({ accepted_contract: false, feature_flags, permissions: ["platform_access", "payout_pix"] });
    const { token } = await app.as("marcos@horizonte.example");
    expect(decodeJwt(token)).toMatchObject({
      company: { id: horizonte.id, acceptedContract: false },
      feature_flags,
      permissions: ["platform_access", "payout_pix"],
    });
    await set({ accepted_contract: true, feature_flags: [], permissions: ["all"] });
  });

  it("SES-044 SES-058 require platform_access for each call", async () => {
    const set = (permissions: string[]) => setCompany(app.services, horizonte.id, { permissions });
    await set(["payout_pix"]);
    expect(await settings(marcos)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    await set(["platform_access"]);
    expect((await settings(marcos)).status).toBe(200);
    await set(["all"]);
  });

  it.each(applications)("SES-044 SES-039 end at the logout in %s without platform_access", async (one) => {
    const leaving = await app.as("marcos@horizonte.example", one);
    await setCompany(app.services, horizonte.id, { permissions: ["payout_pix"] });
    expect(await leaving.call(readMe)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await leaving.call(logout)).toMatchObject({ status: 200, body: { ok: true } });
    await setCompany(app.services, horizonte.id, { permissions: ["all"] });
    // The server no longer knows the session, so its token is worthless to a thief.
    expect(await leaving.call(readMe)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("SES-046 require the second factor that the company demands", async () => {
    const demand = (requiresTwoFactor: boolean) =>
      setCompany(app.services, horizonte.id, { requiresTwoFactor });
    await demand(true);
    expect(await settings(marcos)).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
    expect((await marcos.call(readMe)).status).toBe(200);
    await demand(false);
  });
});

describe("finding the person of a token", () => {
  const claims = () => decodeJwt(helena.token);
  const session = () => ({ companyId: aurora.id, id: String(claims()["sid"]), userId: String(claims().sub) });
  const askFrom = (companyId: string) =>
    app.services.db.withCompany(companyId, (tx) =>
      findBearerOfSession(queryInTransaction(tx), session(), app.clock.now()),
    );

  it("answers a transaction only about its own company", async () => {
    expect(await askFrom(aurora.id)).toMatchObject({ name: "Helena Prado" });
    expect(await askFrom(horizonte.id)).toBeUndefined();
  });

  it("answers outside a transaction, also on a connection that served a company before", async () => {
    const { pool } = app.services.db;
    const one = await pool.connect();
    try {
      await one.query(
        `BEGIN; SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${horizonte.id}'; COMMIT`,
      );
      const { rows } = await one.query("SELECT name FROM bearer_of_session($1, $2, $3, $4)", [
        ...Object.values(session()),
        app.clock.now(),
      ]);
      expect(rows).toEqual([{ name: "Helena Prado" }]);
    } finally {
      one.release();
    }
  });
});

describe("credentials", () => {
  const { clientId, clientSecret } = aurora.credential;
  const makeCall = (client_id: string, client_secret: string) =>
    app.call(authorize, { body: { grant_type: "client_credentials", client_id, client_secret } });

  it.each([
    ["a wrong secret", clientId, "wrong"],
    ["no secret", clientId, ""],
    ["another company's secret", clientId, horizonte.credential.clientSecret],
    ["an unknown client", "nobody", clientSecret],
    ["a person's e-mail", "helena@aurora.example", demoPassword],
  ])("refuses %s", async (_, id, secret) => {
    expect(await makeCall(id, secret)).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
  });

  it("DEV-011 get a token of thirty minutes", async () => {
    const answer = await makeCall(clientId, clientSecret);
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 1800 } });
    const token = answer.body.access_token;
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(200);
    app.clock.advance({ minutes: 29, seconds: 59 });
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(401);
  });

  it("may not make calls of persons, nor renew their token", async () => {
    const token = (await makeCall(clientId, clientSecret)).body.access_token;
    expect(await app.call(readMe, {}, { token })).toMatchObject({
      status: 403,
      body: { code: "person_only" },
    });
    const body = { oldPassword: demoPassword, newPassword: "Outra-2026!" };
    expect((await app.call(changePassword, { body }, { token })).status).toBe(403);
    const renewal = await app.call(authorize, {
      body: { grant_type: "refresh_token", refresh_token: token },
    });
    expect(renewal).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("lose their tokens immediately when they are revoked", async () => {
    const token = (await makeCall(clientId, clientSecret)).body.access_token;
    await app.services.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE api_credentials SET revoked_at = now() WHERE client_id = ${clientId}`.execute(tx),
    );
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(401);
    expect((await makeCall(clientId, clientSecret)).status).toBe(401);
  });
});

import { bases } from "@malote/contracts/contract";
import { authorize, logout, readMe } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { movableClock } from "../adapters/sandbox/clock.ts";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await buildTestApp();
});
afterEach(() => app.close());

const aurora = demoCompanies[0]!;
const renew = (refresh_token: string, scope?: string) =>
  app.call(authorize, { body: { grant_type: "refresh_token", refresh_token, scope } });
const works = async (token: string) => (await app.call(readMe, {}, { token })).status === 200;

describe("renewing a token", () => {
  it("refuses an application that does not exist, or is not the user's", async () => {
    const { token } = await app.as("rui@aurora.example");
    expect(await renew(token, "cards")).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    await app.services.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE users SET applications = '{payments}' WHERE email = 'rui@aurora.example'`.execute(tx),
    );
    expect(await renew(token, "validation")).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await renew(token)).status, "a refused switch spends nothing").toBe(200);
  });

  it("refuses an expired token", async () => {
    const { token } = await app.as("rui@aurora.example");
    app.clock.advance({ minutes: 30 });
    expect(await renew(token)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("SES-036 returns a new token for another thirty minutes", async () => {
    const { token } = await app.as("rui@aurora.example");
    app.clock.advance({ minutes: 20 });
    const renewed = await renew(token);
    expect(renewed).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 1800 } });
    app.clock.advance({ minutes: 29 });
    expect(await works(renewed.body.access_token)).toBe(true);
    expect(await works(token)).toBe(false);
  });

  it("is possible for twelve hours in total, however often it is repeated", async () => {
    let { token } = await app.as("rui@aurora.example");
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      app.clock.advance({ minutes: 25 });
      token = (await renew(token)).body.access_token;
      expect(token, `after ${minutes} minutes`).toBeDefined();
    }
    app.clock.advance({ minutes: 25 });
    expect(await works(token)).toBe(false);
    expect((await renew(token)).status).toBe(401);
  });

  it("SES-036 SES-037 switches the application, and the new one applies", async () => {
    const { token } = await app.as("rui@aurora.example");
    const switched = await renew(token, "validation");
    expect(decodeJwt(switched.body.access_token)["application"]).toMatchObject({ id: "validation" });
    const refused = await app.send("GET", `${bases.payments}/companySettings`, undefined, {
      token: switched.body.access_token,
    });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    // SES-036: a renewal that names no application keeps this one.
    const renewed = await renew(switched.body.access_token);
    expect(decodeJwt(renewed.body.access_token)["application"]).toMatchObject({ id: "validation" });
    const back = await renew(renewed.body.access_token, "payments");
    expect(
      (
        await app.send("GET", `${bases.payments}/companySettings`, undefined, {
          token: back.body.access_token,
        })
      ).status,
    ).toBe(200);
  });

  it("puts the present permissions into the new token", async () => {
    const { token } = await app.as("rui@aurora.example");
    await app.services.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE users SET profile = 'analyst' WHERE email = 'rui@aurora.example'`.execute(tx),
    );
    expect(decodeJwt((await renew(token)).body.access_token)["profile"]).toBe("analyst");
  });
});

describe("a token that was renewed before", () => {
  it("still renews ten seconds later, for a second tab, into a token of the same id", async () => {
    const { token } = await app.as("rui@aurora.example");
    const first = await renew(token);
    app.clock.advance({ seconds: 10 });
    const second = await renew(token);
    expect(second.status).toBe(200);
    expect(decodeJwt(second.body.access_token).jti).toBe(decodeJwt(first.body.access_token).jti);
    app.clock.advance({ minutes: 20 });
    expect((await renew(first.body.access_token)).status, "whichever tab renews next").toBe(200);
  });

  it("ends the whole session when it is used later, because another holder has it", async () => {
    const { token } = await app.as("rui@aurora.example");
    const fresh = (await renew(token)).body.access_token;
    app.clock.advance({ seconds: 10, ms: 1 });
    expect(await renew(token)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    expect(await works(fresh)).toBe(false);
    expect((await renew(fresh)).status).toBe(401);
    const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
      sql`SELECT 1 FROM audit_entries WHERE action = 'session.ended_by_reused_token'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
  });

  it("ends the session when it is two renewals old, at any time", async () => {
    const { token } = await app.as("rui@aurora.example");
    const second = (await renew(token)).body.access_token;
    const third = (await renew(second)).body.access_token;
    expect((await renew(token)).status).toBe(401);
    expect(await works(third)).toBe(false);
  });

  it("does not end other sessions of the same person", async () => {
    const [first, second] = [await app.as("rui@aurora.example"), await app.as("rui@aurora.example")];
    await renew(first.token);
    app.clock.advance({ seconds: 11 });
    expect((await renew(first.token)).status).toBe(401);
    expect(await works(second.token)).toBe(true);
  });

  it("gives twenty tabs that renew concurrently tokens of one id, and counts one renewal", async () => {
    const { token } = await app.as("rui@aurora.example");
    const answers = await Promise.all(Array.from({ length: 20 }, () => renew(token)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const ids = new Set(answers.map((answer) => decodeJwt(answer.body.access_token).jti));
    expect(ids.size).toBe(1);
    expect((await renew(answers[7]!.body.access_token)).status).toBe(200);
  });

  it("does not become valid again when a logout and a renewal are concurrent", async () => {
    const person = await app.as("rui@aurora.example");
    const [renewed] = await Promise.all([renew(person.token), person.call(logout)]);
    if (renewed.status === 200) expect(await works(renewed.body.access_token)).toBe(false);
    expect(await works(person.token)).toBe(false);
  });
});

describe("the sandbox's clock", () => {
  it("ends no session when it is moved forward, and makes no token with a longer life in the browser", async () => {
    const movable = movableClock();
    const moved = await buildTestApp({ clock: Object.assign(movable, { set() {}, advance() {} }) });
    try {
      const person = await moved.as("rui@aurora.example");
      movable.setAhead(3 * 86_400_000);
      expect((await person.call(readMe)).status).toBe(200);
      const renewal = await moved.call(authorize, {
        body: { grant_type: "refresh_token", refresh_token: person.token },
      });
      const { exp = 0 } = decodeJwt(renewal.body.access_token);
      expect(exp * 1000 - Date.now()).toBeLessThanOrEqual(30 * 60_000);
      movable.setAhead(0);
      expect((await moved.call(readMe, {}, { token: renewal.body.access_token })).status).toBe(200);
    } finally {
      await moved.close();
    }
  });
});

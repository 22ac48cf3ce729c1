import { authorize, changeMe, changePassword, readMe } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await buildTestApp();
});
afterEach(() => app.close());

const save = (token: string | undefined, name: string) =>
  app.call(changeMe, { body: { name } }, token ? { token } : {});
const fetchName = async (token: string) => (await app.call(readMe, {}, { token })).body.name;
const renew = (refresh_token: string) =>
  app.call(authorize, { body: { grant_type: "refresh_token", refresh_token } });

describe("changing one's own name", () => {
  it("refuses a call without a session", async () => {
    expect(await save(undefined, "Helena Prado")).toMatchObject({ status: 401 });
  });

  it.each(["Helena", "  Helena ", "Helena\u200b", "\u0000 Helena"])("ACC-006 refuses '%s'", async (name) => {
    const { token } = await app.as("helena@aurora.example");
    const before = await fetchName(token);
    expect(await save(token, name)).toMatchObject({
      status: 422,
      body: { code: "name_incomplete", message: "O nome deve ter no mínimo 2 palavras" },
    });
    expect(await fetchName(token)).toBe(before);
  });

  it.each(["", "x".repeat(121)])("refuses a name that is too short or too long", async (name) => {
    const { token } = await app.as("helena@aurora.example");
    expect(await save(token, name)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it.each(["lia@horizonte.example", "bia@horizonte.example"])(
    "ACC-002 ACC-007 is also allowed to %s",
    async (email) => {
      const { token } = await app.as(email);
      expect((await save(token, "Ana  de Sá ")).status).toBe(200);
      expect(await fetchName(token)).toBe("Ana de Sá");
    },
  );

  it.each(["marcos@horizonte.example", "lia@horizonte.example", "bia@horizonte.example"])(
    "ACC-002 ACC-007 ACC-013 %s also reads and changes the own account in the validation application",
    async (email) => {
      const person = await app.as(email, "validation");
      expect((await person.call(readMe)).body.email).toBe(email);
      const applicationOf = (token: string) => decodeJwt(token)["application"];
      const named = await person.call(changeMe, { body: { name: "Ana de Sá" } });
      expect(named.status).toBe(200);
      expect(applicationOf(named.body.new_token)).toEqual(applicationOf(person.token));
      const body = { oldPassword: demoPassword, newPassword: "Outra-2026!" };
      const changed = await app.call(changePassword, { body }, { token: named.body.new_token });
      expect(changed.status).toBe(200);
      expect(applicationOf(changed.body.new_token)).toEqual({ id: "validation", name: "ContaCerta" });
      expect((await app.call(readMe, {}, { token: changed.body.new_token })).body.name).toBe("Ana de Sá");
    },
  );

  it("ACC-007 ACC-008 returns a token with the new name, for the same session and application", async () => {
    const { token } = await app.as("helena@aurora.example");
    const answer = await save(token, "Leni Prado");
    const [before, after] = [decodeJwt(token), decodeJwt(answer.body.new_token)];
    expect(after).toMatchObject({ name: "Leni Prado", sid: before["sid"], sub: before.sub });
    expect(after["application"]).toEqual(before["application"]);
    expect(await fetchName(answer.body.new_token)).toBe("Leni Prado");
    expect((await renew(answer.body.new_token)).status).toBe(200);
    const [aurora] = demoCompanies;
    const written = await app.services.db.withCompany(aurora!.id, (tx) =>
      sql`SELECT 1 FROM audit_entries WHERE action = 'user.name_changed' AND detail->'changes'->'name'->>'to' = 'Leni Prado'`.execute(
        tx,
      ),
    );
    expect(written.rows).toHaveLength(1);
  });

  it("does not revive a token that was exchanged before", async () => {
    const { token } = await app.as("helena@aurora.example");
    const renewed = (await renew(token)).body.access_token;
    app.clock.advance({ seconds: 11 });
    expect(await save(token, "Outra Pessoa")).toMatchObject({
      status: 401,
      body: { code: "not_authenticated" },
    });
    expect(await fetchName(renewed)).not.toBe("Outra Pessoa");
    expect((await renew(renewed)).status).toBe(200);
  });

  it("refuses the second of two changes with one token, and stores one name", async () => {
    const { token } = await app.as("helena@aurora.example");
    const answers = await Promise.all([save(token, "Ana Um"), save(token, "Ana Dois")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

import { authorize, changePassword, logout, readMe } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../demo/seed.ts";
import { AppError } from "../platform/app-error.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { sessionKit } from "./kit.ts";
import { signInWithPassword } from "./sign-in.ts";
import { beginTry } from "./throttle.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const signIn = (email: string, password = demoPassword, address?: string) =>
  app.call(authorize, { body: { grant_type: "password", email, password } }, address ? { address } : {});

const aurora = demoCompanies[0]!;
const auditOf = (companyId: string, action: string) =>
  app.parts.db.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ actor_name: string; request_id: string }>`
      SELECT actor_name, request_id FROM audit_entries WHERE company_id = ${companyId} AND action = ${action}`.execute(
      tx,
    );
    return rows;
  });

describe("signing in with a password", () => {
  it.each([
    ["a wrong password", "rui@aurora.example", "Malote-2025!"],
    ["an unknown e-mail", "ninguem@aurora.example", demoPassword],
    ["an empty password", "rui@aurora.example", ""],
    ["somebody else's e-mail in the middle", "rui@aurora.example,ana@aurora.example", demoPassword],
    ["the name of a machine", "aurora-sandbox", demoPassword],
    ["half a character", "rui\ud800@aurora.example", "\udfff"],
    ["an e-mail that speaks SQL", "' OR '1'='1", demoPassword],
  ])("refuses %s with the same words", async (_, email, password) => {
    const answer = await signIn(email, password);
    expect(answer).toMatchObject({ status: 401, body: { code: "wrong_credentials", data: null } });
  });

  it("refuses a zero character as bad input, not as a fault of ours", async () => {
    const answer = await signIn("rui\0@aurora.example");
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("refuses a removed user like an unknown one", async () => {
    const bia = demoCompanies[1]!.users[2]!;
    await app.parts.db.withCompany(demoCompanies[1]!.id, (tx) =>
      sql`UPDATE users SET removed_at = now() WHERE id = ${bia.id}`.execute(tx),
    );
    expect(await signIn(bia.email)).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
  });

  it("notes a refused try of a known account in the audit trail", async () => {
    const answer = await signIn("rui@aurora.example", "wrong");
    const entries = await auditOf(aurora.id, "session.password_refused");
    expect(entries).toContainEqual({ actor_name: "Rui Tavares", request_id: answer.body.requestId });
  });

  it("SES-032 gives a token that says who, for which company and with which rights", async () => {
    const answer = await signIn(" Helena@Aurora.example ");
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 1800 } });
    expect(decodeJwt(answer.body.access_token)).toMatchObject({
      name: "Helena Prado",
      email: "helena@aurora.example",
      company: { id: aurora.id, name: aurora.name, cpfCnpj: aurora.taxId, acceptedContract: true },
      profile: "admin",
      application: { id: "payments" },
      allowed_applications: [{ id: "payments" }, { id: "validation" }],
      feature_flags: ["card-charge"],
      permissions: ["all"],
      two_factor: { enabled: false, enforced: false },
    });
    const me = await app.call(readMe, {}, { token: answer.body.access_token });
    expect(me).toMatchObject({ status: 200, body: { name: "Helena Prado", email: "helena@aurora.example" } });
  });

  it("SES-039 ends a token with the logout, for the next call and for renewal", async () => {
    const person = await app.as("ana@aurora.example");
    expect(await person.call(logout)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await person.call(readMe)).status).toBe(401);
    const renewal = await app.call(authorize, {
      body: { grant_type: "refresh_token", refresh_token: person.token },
    });
    expect(renewal).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("keeps another session of the same person when one is left", async () => {
    const [first, second] = [await app.as("ana@aurora.example"), await app.as("ana@aurora.example")];
    await first.call(logout);
    expect((await second.call(readMe)).status).toBe(200);
  });
});

describe("trying again and again", () => {
  const wrong = (email: string, address: string) => signIn(email, "wrong", address);

  it.each([
    ["a known account", "lia@horizonte.example"],
    ["an unknown account", "nobody@horizonte.example"],
  ])(
    "closes %s after ten wrong tries from ever new addresses, also for the right password",
    async (_, email) => {
      for (let count = 1; count <= 10; count++) {
        expect((await wrong(email, `10.1.0.${count}`)).body.code).toBe("wrong_credentials");
      }
      const eleventh = await signIn(email, demoPassword, "10.1.1.1");
      expect(eleventh).toMatchObject({
        status: 429,
        body: { code: "too_many_tries", data: { minutes: 15 } },
      });
      expect(eleventh.headers["retry-after"]).toBe("900");
      app.clock.advance({ minutes: 15 });
      expect((await signIn(email, demoPassword)).body.code).not.toBe("too_many_tries");
    },
  );

  it("lets no more than ten of forty tries at once reach the password", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, count) => wrong("marcos@horizonte.example", `10.2.0.${count}`)),
    );
    const codes = answers.map((answer) => answer.body.code);
    expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "too_many_tries")).toHaveLength(30);
    app.clock.advance({ minutes: 15 });
  });

  it("closes an address after a hundred wrong tries at different accounts", async () => {
    for (let count = 0; count < 99; count++) {
      await beginTry(app.parts.db, `user${count}@nowhere.example`, "10.3.0.1", app.clock.now());
    }
    expect((await wrong("last@nowhere.example", "10.3.0.1")).body.code).toBe("wrong_credentials");
    expect((await signIn("helena@aurora.example", demoPassword, "10.3.0.1")).body.code).toBe(
      "too_many_tries",
    );
    expect((await signIn("helena@aurora.example", demoPassword, "10.3.0.2")).status).toBe(200);
    app.clock.advance({ minutes: 15 });
  });

  it("does not count tries that were right", async () => {
    for (let count = 0; count < 12; count++) {
      expect((await signIn("helena@aurora.example")).status).toBe(200);
    }
  });

  it("does not count a try that found the line too long", async () => {
    const full = () => Promise.reject(new AppError("too_many_requests"));
    const kit = { ...sessionKit(app.parts), passwords: { hash: full, matches: full } };
    const origin = { address: "10.5.0.1", requestId: "request", now: app.clock.now() };
    for (let count = 0; count < 12; count++) {
      const answer = signInWithPassword(kit, { email: "rui@aurora.example", password: demoPassword }, origin);
      await expect(answer).rejects.toMatchObject({ code: "too_many_requests" });
    }
    expect((await signIn("rui@aurora.example")).status).toBe(200);
  });

  it("forgets old failures, and keeps no name in them", async () => {
    await wrong("rui@aurora.example", "10.4.0.1");
    const { rows } = await app.parts.db.withSystem((tx) =>
      sql<{ subject: string }>`SELECT subject FROM sign_in_failures`.execute(tx),
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/rui|10\.4/);
  });
});

describe("changing the password", () => {
  const body = (oldPassword: string, newPassword: string) => ({ body: { oldPassword, newPassword } });

  it.each(["curta1!", "semmaiuscula1!", "SEMMINUSCULA1!", "SemNumero!", "SemEspecial1", ""])(
    "ACC-010 refuses the weak password '%s'",
    async (weak) => {
      const person = await app.as("rui@aurora.example");
      const answer = await person.call(changePassword, body(demoPassword, weak));
      expect(answer).toMatchObject({ status: 422, body: { code: "password_weak" } });
    },
  );

  it("ACC-011 refuses a wrong old password, and counts it as a wrong try", async () => {
    const person = await app.as("rui@aurora.example");
    for (let count = 0; count < 9; count++) {
      const answer = await person.call(changePassword, body("wrong", "Nova-senha-1"));
      expect(answer).toMatchObject({ status: 422, body: { code: "password_wrong" } });
    }
    app.clock.advance({ minutes: 15 });
  });

  it("refuses the same password again", async () => {
    const person = await app.as("rui@aurora.example");
    const answer = await person.call(changePassword, body(demoPassword, demoPassword));
    expect(answer).toMatchObject({ status: 422, body: { code: "password_repeated" } });
  });

  it("ACC-013 gives a new token and ends every older one at once", async () => {
    const [here, elsewhere] = [await app.as("rui@aurora.example"), await app.as("rui@aurora.example")];
    const changed = await here.call(changePassword, body(demoPassword, "Outra-2026!"));
    expect(changed.status).toBe(200);
    expect((await here.call(readMe)).status).toBe(401);
    expect((await elsewhere.call(readMe)).status).toBe(401);
    expect((await app.call(readMe, {}, { token: changed.body.new_token })).status).toBe(200);
    expect((await signIn("rui@aurora.example")).status).toBe(401);
    expect((await signIn("rui@aurora.example", "Outra-2026!")).status).toBe(200);
  });

  it("lets one of two changes at once win", async () => {
    const first = await signIn("rui@aurora.example", "Outra-2026!");
    const second = await signIn("rui@aurora.example", "Outra-2026!");
    const answers = await Promise.all(
      [first, second].map((signedIn, index) =>
        app.call(changePassword, body("Outra-2026!", `Nova-senha-${index}`), {
          token: signedIn.body.access_token,
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
  });
});

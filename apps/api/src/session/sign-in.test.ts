import { applications } from "@malote/contracts/policy";
import { authorize, changePassword, logout, readMe } from "@malote/contracts/session";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { AppError } from "../platform/app-error.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { sessionKit } from "./kit.ts";
import { signInWithPassword } from "./sign-in.ts";
import { beginTry, networkOf, rememberPlace } from "./throttle.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const signIn = (email: string, password = demoPassword, address?: string) =>
  app.call(authorize, { body: { grant_type: "password", email, password } }, address ? { address } : {});

const aurora = demoCompanies[0]!;
const fetchAudit = (companyId: string, action: string) =>
  app.services.db.withCompany(companyId, async (tx) => {
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
    ["another person's e-mail in the middle", "rui@aurora.example,ana@aurora.example", demoPassword],
    ["the name of a machine", "aurora-sandbox", demoPassword],
    ["an e-mail that speaks SQL", "' OR '1'='1", demoPassword],
  ])("refuses %s with the same words", async (_, email, password) => {
    const answer = await signIn(email, password);
    expect(answer).toMatchObject({ status: 401, body: { code: "wrong_credentials", data: null } });
  });

  it.each([
    ["a zero character", "rui\0@aurora.example", demoPassword],
    ["half a character", "rui\ud800@aurora.example", "\udfff"],
  ])("refuses %s as bad input, not as a fault of ours", async (_, email, password) => {
    const answer = await signIn(email, password);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("refuses a removed user like an unknown one", async () => {
    const bia = demoCompanies[1]!.users[2]!;
    await app.services.db.withCompany(demoCompanies[1]!.id, (tx) =>
      sql`UPDATE users SET removed_at = now() WHERE id = ${bia.id}`.execute(tx),
    );
    expect(await signIn(bia.email)).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
  });

  it("records a refused try of a known account in the audit trail", async () => {
    const answer = await signIn("rui@aurora.example", "wrong");
    const entries = await fetchAudit(aurora.id, "session.password_refused");
    expect(entries).toContainEqual({ actor_name: "Rui Tavares", request_id: answer.body.requestId });
  });

  it("SES-032 returns a token with the person, the company and the permissions", async () => {
    const answer = await signIn(" Helena@Aurora.example ");
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 1800 } });
    expect(decodeJwt(answer.body.access_token)).toMatchObject({
      name: "Helena Prado",
      email: "helena@aurora.example",
      company: { id: aurora.id, name: aurora.name, cpfCnpj: aurora.taxId, acceptedContract: true },
      profile: "admin",
      application: { id: "payments", name: "Pagamentos" },
      allowed_applications: [
        { id: "payments", name: "Pagamentos" },
        { id: "validation", name: "ContaCerta" },
      ],
      feature_flags: ["card-charge"],
      permissions: ["all"],
      two_factor: { enabled: false, enforced: false },
    });
    const me = await app.call(readMe, {}, { token: answer.body.access_token });
    expect(me).toMatchObject({ status: 200, body: { name: "Helena Prado", email: "helena@aurora.example" } });
  });

  it.each(applications)(
    "SES-039 ends a token of %s at the logout, for the next call and for renewal",
    async (application) => {
      const person = await app.as("ana@aurora.example", application);
      expect(await person.call(logout)).toMatchObject({ status: 200, body: { ok: true } });
      expect((await person.call(readMe)).status).toBe(401);
      const renewal = await app.call(authorize, {
        body: { grant_type: "refresh_token", refresh_token: person.token },
      });
      expect(renewal).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    },
  );

  it("keeps another session of the same person when one is logged out", async () => {
    const [first, second] = [await app.as("ana@aurora.example"), await app.as("ana@aurora.example")];
    await first.call(logout);
    expect((await second.call(readMe)).status).toBe(200);
  });
});

describe("repeated tries", () => {
  const wrong = (email: string, address: string) => signIn(email, "wrong", address);

  it.each([
    ["a known account", "lia@horizonte.example"],
    ["an unknown account", "nobody@horizonte.example"],
  ])(
    "locks %s after ten wrong tries from different addresses, also for the right password",
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

  it("checks the password for no more than ten of forty concurrent tries", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, count) => wrong("marcos@horizonte.example", `10.2.0.${count}`)),
    );
    const codes = answers.map((answer) => answer.body.code);
    expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "too_many_tries")).toHaveLength(30);
    app.clock.advance({ minutes: 15 });
  });

  it("locks an address after a hundred wrong tries at different accounts", async () => {
    for (let count = 0; count < 99; count++) {
      await beginTry(app.services.db, `user${count}@nowhere.example`, "10.3.0.1", app.clock.now());
    }
    expect((await wrong("last@nowhere.example", "10.3.0.1")).body.code).toBe("wrong_credentials");
    expect((await signIn("helena@aurora.example", demoPassword, "10.3.0.1")).body.code).toBe(
      "too_many_tries",
    );
    expect((await signIn("helena@aurora.example", demoPassword, "10.3.0.2")).status).toBe(200);
    app.clock.advance({ minutes: 15 });
  });

  it("does not count successful tries", async () => {
    for (let count = 0; count < 12; count++) {
      expect((await signIn("helena@aurora.example")).status).toBe(200);
    }
  });

  it("does not count a try that was refused by the full queue", async () => {
    const full = () => Promise.reject(new AppError("too_many_requests"));
    const kit = { ...sessionKit(app.services), passwords: { hash: full, matches: full } };
    const origin = { address: "10.5.0.1", requestId: "request", now: app.clock.now() };
    for (let count = 0; count < 12; count++) {
      const answer = signInWithPassword(kit, { email: "rui@aurora.example", password: demoPassword }, origin);
      await expect(answer).rejects.toMatchObject({ code: "too_many_requests" });
    }
    expect((await signIn("rui@aurora.example")).status).toBe(200);
  });

  it("accepts a person who signed in from there before, whatever strangers try, and counts their own tries", async () => {
    const email = "rui@aurora.example";
    expect((await signIn(email, demoPassword, "203.0.113.5")).status).toBe(200);
    for (let count = 1; count <= 10; count++) await wrong(email, `10.6.0.${count}`);
    expect((await signIn(email, demoPassword, "10.6.1.1")).body.code).toBe("too_many_tries");
    expect((await signIn(email, demoPassword, "203.0.113.5")).status).toBe(200);
    for (let count = 1; count <= 10; count++)
      expect((await wrong(email, "203.0.113.5")).body.code).toBe("wrong_credentials");
    expect((await signIn(email, demoPassword, "203.0.113.5")).body.code).toBe("too_many_tries");
    app.clock.advance({ minutes: 15 });
  });

  it("recognises a browser after a change of its address, and no other browser by its name", async () => {
    const email = "rui@aurora.example";
    const first = await app.call(
      authorize,
      { body: { grant_type: "password", email, password: demoPassword } },
      { address: "203.0.113.6" },
    );
    const given = String(first.headers["set-cookie"]);
    expect(given).toMatch(
      /^malote_device=[\w-]{22}; Path=\/api\/login; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    const cookie = given.split(";")[0] ?? "";
    const from = (address: string, headers: Record<string, string>, name = email, password = demoPassword) =>
      app.call(authorize, { body: { grant_type: "password", email: name, password } }, { address, headers });
    for (let count = 1; count <= 10; count++) await wrong(email, `10.7.0.${count}`);
    expect((await from("10.7.1.1", {})).status).toBe(429);
    const again = await from("10.7.1.2", { cookie: `other=1; ${cookie}` });
    expect([again.status, again.headers["set-cookie"]]).toEqual([200, undefined]);
    // An invented name of a browser has no effect, and a person's name has none for another person.
    for (let count = 1; count <= 10; count++) await wrong("ana@aurora.example", `10.8.0.${count}`);
    expect((await from("10.8.1.1", { cookie }, "ana@aurora.example")).status).toBe(429);
    const madeUp = { cookie: `malote_device=${"a".repeat(22)}` };
    expect((await from("10.7.1.3", madeUp)).status).toBe(429);
    app.clock.advance({ minutes: 15 });
  });

  it("counts credentials and people separately, so that tries of one kind do not lock the other", async () => {
    for (let count = 1; count <= 12; count++) {
      const body = {
        grant_type: "client_credentials",
        client_id: "lia@horizonte.example",
        client_secret: "x",
      };
      await app.call(authorize, { body }, { address: `10.9.0.${count}` });
    }
    expect((await signIn("lia@horizonte.example", demoPassword, "10.9.1.1")).status).toBe(200);
    app.clock.advance({ minutes: 15 });
  });

  it("does not lock out the people of an office when one of them, or a visitor, tries a hundred times", async () => {
    expect((await signIn("helena@aurora.example", demoPassword, "10.10.0.1")).status).toBe(200);
    for (let count = 0; count < 100; count++)
      await beginTry(app.services.db, `visitor${count}@nowhere.example`, "10.10.0.1", app.clock.now());
    expect((await signIn("ana@aurora.example", demoPassword, "10.10.0.1")).status).toBe(429);
    expect((await signIn("helena@aurora.example", demoPassword, "10.10.0.1")).status).toBe(200);
    app.clock.advance({ minutes: 15 });
  });

  it("treats a whole IPv6 network as one address", async () => {
    for (let count = 0; count < 100; count++)
      await beginTry(
        app.services.db,
        `six${count}@nowhere.example`,
        `2001:db8:7:1::${count}`,
        app.clock.now(),
      );
    expect((await wrong("six@nowhere.example", "2001:db8:7:1:ab::9")).body.code).toBe("too_many_tries");
    expect((await wrong("six@nowhere.example", "2001:db8:7:2::9")).body.code).toBe("wrong_credentials");
    expect(networkOf("::ffff:10.1.2.3")).toBe("10.1.2.3");
    expect(networkOf("2001:0DB8:0:1::")).toBe("2001:db8:0:1::/64");
    app.clock.advance({ minutes: 15 });
  });

  it("counts a signed-in person's own checks separately from strangers' tries", async () => {
    const person = await app.as("rui@aurora.example");
    for (let count = 1; count <= 10; count++) await wrong("rui@aurora.example", `10.11.0.${count}`);
    const answer = await person.call(changePassword, {
      body: { oldPassword: "wrong", newPassword: "Nova-senha-1" },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "password_wrong" } });
    app.clock.advance({ minutes: 15 });
  });

  const codeKinds = ["factor-code", "code"] as const;
  it.each(codeKinds)(
    "checks a hundred wrong tries of a %s a day, and stores them no longer",
    async (kind) => {
      const guess = () => beginTry(app.services.db, aurora.users[0]!.id, "10.12.0.1", app.clock.now(), kind);
      const kept = async () =>
        (
          await app.services.db.withSystem((tx) =>
            sql<{ count: number }>`SELECT count(*)::int AS count FROM sign_in_failures`.execute(tx),
          )
        ).rows[0]?.count;
      for (let quarter = 0; quarter < 10; quarter++) {
        for (let count = 0; count < 10; count++) await guess();
        // The last ten use up the allowance of the day as well.
        if (quarter < 9)
          await expect(guess()).rejects.toMatchObject({ code: "too_many_tries", data: { minutes: 15 } });
        app.clock.advance({ minutes: 15 });
      }
      await expect(guess()).rejects.toMatchObject({
        code: "too_many_codes_today",
        data: { hours: 22, minutes: 1290 },
      });
      app.clock.advance({ minutes: 1290 });
      for (let count = 0; count < 10; count++) await guess();
      await expect(guess()).rejects.toMatchObject({ code: expect.stringMatching(/^too_many_/) });
      app.clock.advance({ minutes: 24 * 60 });
      await wrong("rui@aurora.example", "10.12.0.2");
      expect(await kept()).toBe(2);
    },
  );

  it("checks a hundred wrong codes a day at a known place too, whatever strangers try", async () => {
    const account = "known@nowhere.example";
    const place = { address: "10.13.0.1", device: "browser" };
    const guess = (from: string | typeof place) =>
      beginTry(app.services.db, account, from, app.clock.now(), "code");
    await app.services.db.withSystem((tx) => rememberPlace(tx, account, place, app.clock.now()));
    for (let quarter = 0; quarter < 10; quarter++) {
      for (let count = 0; count < 10; count++) {
        await guess(place);
        await guess("10.13.0.2");
      }
      app.clock.advance({ minutes: 15 });
    }
    await expect(guess(place)).rejects.toMatchObject({ code: "too_many_codes_today" });
    await expect(guess("10.13.0.2")).rejects.toMatchObject({ code: "too_many_codes_today" });
    app.clock.advance({ minutes: 24 * 60 });
    await guess(place);
  });

  it.each([
    ["code", "too_many_tries"],
    ["person", "too_many_tries"],
  ] as const)("gives all known places of a name thirty tries in total: %s", async (kind, code) => {
    const account = `many-${kind}@nowhere.example`;
    const places = Array.from({ length: 5 }, (_, n) => ({ address: `10.14.${n}.1`, device: `browser ${n}` }));
    for (const place of places)
      await app.services.db.withSystem((tx) => rememberPlace(tx, account, place, app.clock.now()));
    const guess = (place: { address: string; device: string }) =>
      beginTry(app.services.db, account, place, app.clock.now(), kind);
    for (const place of places.slice(0, 3)) for (let count = 0; count < 10; count++) await guess(place);
    for (const place of places) await expect(guess(place)).rejects.toMatchObject({ code });
    app.clock.advance({ minutes: 15 });
    await guess(places[4]!);
  });

  it("lets a transaction of a company see or remove only its own tries", async () => {
    await expect(
      app.services.db.withCompany(aurora.id, (tx) => sql`DELETE FROM sign_in_failures`.execute(tx)),
    ).rejects.toThrow(/permission denied/);
    await expect(
      app.services.db.withCompany(aurora.id, (tx) => sql`SELECT FROM sign_in_places`.execute(tx)),
    ).rejects.toThrow(/permission denied/);
  });

  it("deletes old failures, and stores no name in them", async () => {
    await wrong("rui@aurora.example", "10.4.0.1");
    const { rows } = await app.services.db.withSystem((tx) =>
      sql<{ subject: string }>`SELECT subject FROM sign_in_failures`.execute(tx),
    );
    expect(rows.length).toBeGreaterThan(0);
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

  it("ACC-013 returns a new token and ends every older one immediately", async () => {
    const [here, elsewhere] = [await app.as("rui@aurora.example"), await app.as("rui@aurora.example")];
    const changed = await here.call(changePassword, body(demoPassword, "Outra-2026!"));
    expect(changed.status).toBe(200);
    expect((await here.call(readMe)).status).toBe(401);
    expect((await elsewhere.call(readMe)).status).toBe(401);
    expect((await app.call(readMe, {}, { token: changed.body.new_token })).status).toBe(200);
    expect((await signIn("rui@aurora.example")).status).toBe(401);
    expect((await signIn("rui@aurora.example", "Outra-2026!")).status).toBe(200);
  });

  it.each(["ana@aurora.example", "lia@horizonte.example"])(
    "ACC-002 ACC-013 is also allowed to %s",
    async (email) => {
      const person = await app.as(email);
      expect((await person.call(changePassword, body(demoPassword, "Outra-2026!"))).status).toBe(200);
    },
  );

  it("lets exactly one of two concurrent changes succeed", async () => {
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

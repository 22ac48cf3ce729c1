/** Changing and removing people, whose rights end at once. */
import { createBatch, listBatches } from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import { createCredential, createValidationCredential } from "@malote/contracts/developer";
import { authorize, readMe } from "@malote/contracts/session";
import { createUser, readUser, sendPasswordLink, type User } from "@malote/contracts/users";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { uuidv7 } from "../platform/uuid.ts";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";
import { aurora, fresh, helenaId, userCalls } from "../testing/users-kit.ts";

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

const today = { initialDate: "2026-08-12", endDate: "2026-08-12" };

describe("changing", () => {
  let user: User;
  let own: Person;
  beforeEach(async () => {
    user = await withPassword();
    own = await app.as(user.email);
  });

  it("COM-025 refuses one's own record", async () => {
    for (const answer of [
      await change(helenaId, { profile: "operator", applications: ["payments"] }),
      await change(helenaId, { profile: "admin", applications: ["payments", "validation"] }),
      await remove(helenaId),
      await people.helena.call(sendPasswordLink, { params: { id: helenaId } }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: "user_own_record" } });
    expect((await people.helena.call(readMe)).status).toBe(200);
  });

  it("refuses an unknown person", async () => {
    const id = uuidv7();
    expect(await change(id, { profile: "admin", applications: ["payments"] })).toMatchObject({ status: 404 });
    expect(await remove(id)).toMatchObject({ status: 404 });
  });

  it("COM-023 changes profile and applications, records both, and ends the person's tokens immediately", async () => {
    const access = { profile: "analyst", applications: ["payments", "validation"] };
    const { status, body } = await change(user.id, access);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      profile: "analyst",
      applications: [{ id: "payments" }, { id: "validation" }],
    });
    expect(await own.call(readMe)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    const renewed = await app.send("POST", "/api/login/authorize", {
      grant_type: "refresh_token",
      refresh_token: own.token,
    });
    expect(renewed.status).toBe(401);
    expect((await readEntries(user.id)).at(-1)).toEqual({
      action: "user.access_changed",
      actor_name: "Helena Prado",
      detail: {
        name: user.name,
        changes: {
          profile: { from: "operator", to: access.profile },
          applications: { from: ["payments"], to: access.applications },
        },
      },
    });
    const again = await app.as(user.email);
    expect(await again.call(listBatches, { query: today })).toMatchObject({ status: 200 });
    expect(await again.call(createBatch, { body: { name: "Lote", transfers: [] } })).toMatchObject({
      status: 403,
    });
  });

  it.each([
    { profile: "operator", applications: [] },
    { profile: "operator", applications: ["cards"] },
    { profile: "owner", applications: ["payments"] },
    { applications: ["payments"] },
  ])("COM-023 refuses the access %j", async (access) => {
    expect(await change(user.id, access)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect((await people.helena.call(readUser, { params: { id: user.id } })).body).toEqual({
      ...user,
      has_password: true,
    });
  });

  it("ends and records nothing if nothing changes", async () => {
    const entries = await readEntries(user.id);
    const answer = await change(user.id, { profile: "operator", applications: ["payments", "payments"] });
    expect(answer.status).toBe(200);
    expect((await own.call(readMe)).status).toBe(200);
    expect(await readEntries(user.id)).toEqual(entries);
  });

  const signIn = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
    (await app.call(authorize, { body: { grant_type: "client_credentials", client_id, client_secret } })).body
      .access_token;

  /** The access of all people is older than the day in which they may create no credential. */
  const age = () => inCompany(aurora.id, "UPDATE users SET let_in_at = NULL, known_since = NULL");

  it("ends the person's credentials with higher permissions and their tokens, and no others", async () => {
    const maker = await withPassword({ profile: "admin", applications: ["payments", "validation"] });
    const make = async (contract: Contract = createCredential, by?: Person) => {
      await age();
      return (await (by ?? (await app.as(maker.email))).call(contract, { body: {} })).body;
    };
    const asAdmin = await make();
    const token = await signIn(asAdmin);
    const seesBatches = async () => (await app.call(listBatches, { query: today }, { token })).status;
    expect(await seesBatches()).toBe(200);
    await change(maker.id, { profile: "operator", applications: ["payments", "validation"] });
    expect(await seesBatches()).toBe(401);
    expect(await signIn(asAdmin)).toBeUndefined();
    expect(
      await inCompany(
        aurora.id,
        `SELECT actor_name, detail -> 'changes' -> 'client_id' ->> 'from' AS client_id FROM audit_entries WHERE action = 'credential_revoked'`,
      ),
    ).toEqual([{ actor_name: "Helena Prado", client_id: asAdmin.client_id }]);

    const kept = await make();
    const elsewhere = await make(createValidationCredential, await app.as(maker.email, "validation"));
    await change(maker.id, { profile: "admin", applications: ["payments"] });
    expect([await signIn(kept), await signIn(elsewhere)]).toEqual([expect.any(String), undefined]);
    await remove(maker.id);
    expect(await signIn(kept)).toBeUndefined();
  });

  it("leaves no credential of an operator to a person who becomes an analyst while creating it", async () => {
    for (let round = 0; round < 3; round++) {
      const maker = await withPassword();
      await age();
      const making = await app.as(maker.email);
      const [, made] = await Promise.all([
        change(maker.id, { profile: "analyst", applications: ["payments"] }),
        making.call(createCredential, { body: {} }),
      ]);
      expect([200, 401, 403]).toContain(made.status);
      if (made.status === 200) expect(await signIn(made.body)).toBeUndefined();
    }
  });

  it("keeps an admin in a company when two demote each other concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const others = await Promise.all([
        withPassword({ profile: "admin" }),
        withPassword({ profile: "admin" }),
      ]);
      const [one, two] = others;
      // The access of all admins is older than the day in which they may remove no other's.
      await inCompany(aurora.id, "UPDATE users SET let_in_at = NULL, known_since = NULL");
      const [first, second] = await Promise.all([app.as(one.email), app.as(two.email)]);
      const operator = { profile: "operator", applications: ["payments"] };
      const answers = await Promise.all([
        round % 2 ? change(two.id, operator, first) : remove(two.id, first),
        round % 2 ? change(one.id, operator, second) : remove(one.id, second),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403]).toContain(statuses[1]);
      const left = await inCompany<{ id: string }>(
        aurora.id,
        `SELECT id FROM users WHERE profile = 'admin' AND removed_at IS NULL AND id IN ('${one.id}', '${two.id}')`,
      );
      expect(left).toHaveLength(1);
    }
  });
});

describe("removing", () => {
  it("COM-024 ends every token, locks the person out, and frees the e-mail", async () => {
    const user = await withPassword();
    const own = await app.as(user.email);
    expect(await remove(user.id)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await own.call(readMe)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    const signIn = await app.send("POST", "/api/login/authorize", {
      grant_type: "password",
      email: user.email,
      password: demoPassword,
    });
    expect(signIn).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
    expect((await people.helena.call(readUser, { params: { id: user.id } })).status).toBe(404);
    expect((await list({ search: user.email })).data).toEqual([]);
    expect((await readEntries(user.id)).at(-1)).toMatchObject({
      action: "user.removed",
      detail: { changes: { name: { from: user.name, to: null }, profile: { from: "operator", to: null } } },
    });
    expect(await remove(user.id)).toMatchObject({ status: 404 });

    const { body: next } = await people.helena.call(createUser, { body: fresh({ email: user.email }) });
    expect(next.id).not.toBe(user.id);
  });

  it("still names a removed person in their actions", async () => {
    const user = await withPassword();
    const own = await app.as(user.email);
    const { body: batch } = await own.call(createBatch, { body: { name: "Folha da saída", transfers: [] } });
    await remove(user.id);
    const { data } = (
      await people.helena.call(listBatches, { query: { ...today, search: "Folha da saída" } })
    ).body;
    expect(JSON.stringify(data)).toContain(batch.id);
    expect(JSON.stringify(data)).toContain(user.name);
  });

  it("is done by one of two concurrent calls", async () => {
    const user = await created();
    const answers = await Promise.all([1, 2].map(() => remove(user.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await readEntries(user.id)).filter(({ action }) => action === "user.removed")).toHaveLength(1);
  });
});

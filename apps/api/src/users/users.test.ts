import { readMe } from "@malote/contracts/session";
import {
  changeValidationUser,
  createUser,
  createValidationUser,
  listUsers,
  listValidationUsers,
  readUser,
  readValidationUser,
  removeValidationUser,
  resetValidationTwoFactor,
  sendPasswordLink,
  sendValidationPasswordLink,
  type User,
} from "@malote/contracts/users";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
import { anaId, aurora, fresh, helenaId, horizonte, ruiId, userCalls } from "../testing/users-kit.ts";

const marcosId = horizonte.users[0]!.id;
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

const { letAnHourPass, inCompany, created, change, remove, list } = userCalls(
  () => app,
  () => people,
);

describe("permissions", () => {
  const calls = [
    ["list", (by: Person) => by.call(listUsers)],
    ["read", (by: Person) => by.call(readUser, { params: { id: ruiId } })],
    ["create", (by: Person) => by.call(createUser, { body: fresh() })],
    ["change", (by: Person) => change(anaId, { profile: "admin", applications: ["payments"] }, by)],
    ["remove", (by: Person) => remove(anaId, by)],
    ["send a link", (by: Person) => by.call(sendPasswordLink, { params: { id: anaId } })],
  ] as const;

  it.each(calls)("COM-002 only an admin may %s", async (_, call) => {
    for (const name of ["rui", "ana"] as const) {
      expect(await call(people[name])).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
  });

  it("COM-018 creating needs the permission user_create, and the other calls do not", async () => {
    await setCompany(app.services, aurora.id, { permissions: ["platform_access", "account_create"] });
    const refused = await people.helena.call(createUser, { body: fresh() });
    const listed = await people.helena.call(listUsers);
    const validating = await app.as("helena@aurora.example", "validation");
    const body = fresh({ applications: ["validation"] });
    const refusedThere = await validating.call(createValidationUser, { body });
    await setCompany(app.services, aurora.id, { permissions: ["platform_access", "user_create"] });
    const allowed = await people.helena.call(createUser, { body: fresh() });
    await setCompany(app.services, aurora.id, { permissions: ["all"] });
    for (const one of [refused, refusedThere])
      expect(one).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(listed.status).toBe(200);
    expect(allowed.status).toBe(200);
  });

  it("never show or change the users of another company", async () => {
    const read = await people.helena.call(readUser, { params: { id: marcosId } });
    const changed = await change(marcosId, { profile: "analyst", applications: ["payments"] });
    const removed = await remove(marcosId);
    const linked = await people.helena.call(sendPasswordLink, { params: { id: marcosId } });
    for (const answer of [read, changed, removed, linked])
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    const { data } = await list();
    expect(data.map(({ email }: User) => email).join()).not.toContain("horizonte");
    expect((await people.marcos.call(readMe)).status).toBe(200);
  });

  it("COM-003 let an admin work from either application", async () => {
    const validating = await app.as("helena@aurora.example", "validation");
    expect((await validating.call(listUsers)).status).toBe(200);
  });

  it("COM-016 give the same answers on the API of the validation application, only to its admins", async () => {
    const validating = await app.as("helena@aurora.example", "validation");
    const { data } = (await validating.call(listValidationUsers)).body;
    expect(data).toEqual((await list()).data);
    const made = (
      await validating.call(createValidationUser, { body: fresh({ applications: ["validation"] }) })
    ).body;
    const params = { id: made.id };
    expect((await validating.call(readValidationUser, { params })).body).toEqual(made);
    const access = { profile: "analyst", applications: ["validation"] };
    expect((await validating.call(changeValidationUser, { params, body: access })).body).toMatchObject({
      profile: "analyst",
    });
    expect((await validating.call(sendValidationPasswordLink, { params })).status).toBe(200);
    await inCompany(aurora.id, `UPDATE users SET two_factor_at = now() WHERE id = '${made.id}'`);
    expect((await validating.call(resetValidationTwoFactor, { params })).status).toBe(200);
    expect((await list({ search: made.email })).data).toMatchObject([{ has_two_factor_enabled: false }]);
    expect((await validating.call(removeValidationUser, { params })).status).toBe(200);
    expect((await validating.call(readValidationUser, { params })).status).toBe(404);
  });

  it("COM-016 on the API of the validation application refuse every call of others and of the other application", async () => {
    const params = { id: anaId };
    const body = { profile: "admin", applications: ["validation"] };
    const calls = (by: Person) => [
      by.call(listValidationUsers),
      by.call(readValidationUser, { params }),
      by.call(createValidationUser, { body: fresh({ applications: ["validation"] }) }),
      by.call(changeValidationUser, { params, body }),
      by.call(sendValidationPasswordLink, { params }),
      by.call(resetValidationTwoFactor, { params }),
      by.call(removeValidationUser, { params }),
    ];
    const operator = await app.as("rui@aurora.example", "validation");
    const analyst = await app.as("ana@aurora.example", "validation");
    for (const by of [operator, analyst, people.helena])
      for (const answer of await Promise.all(calls(by)))
        expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("COM-015 COM-016 the list of the validation application has the same search, filters and pages", async () => {
    await created();
    const validating = await app.as("helena@aurora.example", "validation");
    for (const query of [
      { search: "beltrao" },
      { application: "validation" },
      { profile: "analyst" },
      { page: "40" },
    ] as const) {
      const { body } = await validating.call(listValidationUsers, { query });
      expect(body).toEqual(await list(query));
      expect(body).not.toEqual(await list());
    }
  });
});

describe("the list", () => {
  it("COM-014 COM-015 returns users with their applications, page by page", async () => {
    const { data, metadata } = await list({ page: "0" });
    expect(metadata.pagination).toEqual({ itemsPerPage: 20, totalItems: expect.any(Number) });
    expect(data).toContainEqual({
      id: helenaId,
      name: "Helena Prado",
      email: "helena@aurora.example",
      has_two_factor_enabled: false,
      has_password: true,
      profile: "admin",
      applications: [
        { id: "payments", name: "Pagamentos" },
        { id: "validation", name: "ContaCerta" },
      ],
    });
    expect((await list({ page: "40" })).data).toEqual([]);
  });

  it("COM-015 pages neither repeat nor omit a person", async () => {
    for (let made = 0; made < 22; made++) await created({ name: `Página Cheia ${made % 3}` });
    const first = await list({ search: "pagina cheia" });
    const second = await list({ search: "pagina cheia", page: "1" });
    expect([first.data.length, second.data.length]).toEqual([20, 2]);
    expect(first.metadata.pagination.totalItems).toBe(22);
    expect(new Set([...first.data, ...second.data].map(({ id }: User) => id)).size).toBe(22);
  });

  it("COM-015 searches in name and e-mail, ignores case and accents, and takes every character literally", async () => {
    const ids = async (search: string) => (await list({ search })).data.map(({ id }: User) => id);
    expect(await ids("BELTRAO")).toEqual([anaId]);
    expect(await ids("ana@aurora")).toEqual([anaId]);
    expect(await ids("%")).toEqual([]);
    expect(await ids("_")).toEqual([]);
    expect(await ids("ninguém")).toEqual([]);
  });

  it("COM-015 filters by application and by profile", async () => {
    const user = await created({ profile: "analyst", applications: ["validation"] });
    const ids = async (query: Record<string, string>) =>
      (await list({ search: user.name, ...query })).data.map(({ id }: User) => id);
    expect(await ids({ application: "validation", profile: "analyst" })).toEqual([user.id]);
    expect(await ids({ application: "payments" })).toEqual([]);
    expect(await ids({ profile: "admin" })).toEqual([]);
    // A person with both applications is found by either.
    for (const application of ["payments", "validation"])
      expect((await list({ search: "helena@aurora", application })).data).toMatchObject([{ id: helenaId }]);
    const bad = await people.helena.call(listUsers, { query: { application: "cards" } });
    expect(bad).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("COM-014 shows a second factor", async () => {
    await inCompany(aurora.id, `UPDATE users SET two_factor_at = now() WHERE id = '${anaId}'`);
    expect((await list({ search: "beltrão" })).data[0].has_two_factor_enabled).toBe(true);
    await inCompany(aurora.id, `UPDATE users SET two_factor_at = NULL WHERE id = '${anaId}'`);
  });
});

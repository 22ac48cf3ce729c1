/** Calls with a password are slow and wait for the same rows: one person's wait in that person's company. */
import { changePassword, confirmIdentity, readMe, setTwoFactor } from "@malote/contracts/session";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";

const aurora = demoCompanies[0]!;
let app: TestApp;
let helena: Person;
let marcos: Person;
let letGo = Promise.withResolvers<void>();
beforeEach(async () => {
  letGo = Promise.withResolvers<void>();
  app = await buildTestApp();
  [helena, marcos] = await Promise.all([app.as("helena@aurora.example"), app.as("marcos@horizonte.example")]);
});
afterEach(() => {
  letGo.resolve();
  return app.close();
});

const password = demoPassword;
const confirm = (by: Person) => by.call(confirmIdentity, { body: { password } });

/** Locks what the calls of Aurora's people wait for, until the test lets them go. */
async function hold(): Promise<void> {
  const held = Promise.withResolvers<void>();
  void app.services.db.withCompany(aurora.id, async (tx) => {
    await sql`SELECT FROM users WHERE company_id = ${tx.companyId} FOR UPDATE`.execute(tx);
    await sql`SELECT FROM sessions WHERE company_id = ${tx.companyId} FOR UPDATE`.execute(tx);
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
}

it.each([
  ["confirmations of the identity", () => confirm(helena)],
  [
    "changes of the password",
    () => helena.call(changePassword, { body: { oldPassword: password, newPassword: "Outra-senha-2026!" } }),
  ],
  [
    "changes of the second factor",
    () => helena.call(setTwoFactor, { body: { action: "enable", code: "000000" } }),
  ],
])("while 64 %s of one person wait, a person of another company reads and confirms", async (_, call) => {
  await hold();
  const calls = Array.from({ length: 64 }, (): Promise<{ status: number }> => call());
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => [confirm(marcos), marcos.call(readMe)]).flat(),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  letGo.resolve();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

it("64 concurrent confirmations of one person are all answered", async () => {
  const statuses = (await Promise.all(Array.from({ length: 64 }, () => confirm(helena)))).map(
    ({ status }) => status,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

import { deletePixKey, readPixKey } from "@malote/contracts/pix-keys";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";

const key = demoCompanies[0]?.pixKeys.find(({ type }) => type === "EMAIL");
let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  await kit.newMails();
});
afterEach(() => kit.close());

const remove = (by: Person) => by.call(deletePixKey, { params: { id: key?.id ?? "" } });
const status = async () => (await kit.admin.call(readPixKey, { params: { id: key?.id ?? "" } })).body.status;

it("asks for the password of whoever deletes a key that payers use", async () => {
  await kit.ageConfirmations();
  expect(await remove(second)).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
  expect(await status()).toBe("REGISTERED");
  expect(await kit.subjects()).toEqual([]);
});

it("is nothing for an admin who is new", async () => {
  const fresh = await kit.letIn(kit.admin, "nova@aurora.example", "admin");
  await kit.newMails();
  expect((await remove(fresh)).body.code).toBe("admin_too_new");
  expect(await status()).toBe("REGISTERED");
});

it("is e-mailed to all admins, once", async () => {
  expect((await remove(second)).body.status).toBe("PENDING_REMOVAL");
  expect((await remove(second)).status).toBe(200);
  const mails = await kit.newMails();
  expect(mails.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    `helena@aurora.example A chave Pix ${key?.key} vai sair da sua empresa`,
    `segunda@aurora.example A chave Pix ${key?.key} vai sair da sua empresa`,
  ]);
  expect(mails[0]?.text).toContain("Segunda Admin excluiu esta chave.");
});

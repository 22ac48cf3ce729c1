import {
  cancelPixKeyClaim,
  confirmPixKeyClaim,
  createPixKey,
  deletePixKey,
  readPixKey,
} from "@malote/contracts/pix-keys";
import { raiseClaim } from "@malote/contracts/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";
import { pixKeyCalls } from "../testing/pix-keys-kit.ts";

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

/** A customer of another institution claims it, by the simulator of the directory. */
async function askFor(kind: "PORTABILITY" | "CLAIM") {
  await kit.call(raiseClaim, { body: { key: key?.key ?? "", kind } });
  await kit.pass({ seconds: 1 });
  await kit.newMails();
}
const release = (by: Person) => by.call(confirmPixKeyClaim, { params: { id: key?.id ?? "" } });

it("PIX-044 requires the releasing admin's password, refuses a new admin, and then releases the key", async () => {
  await askFor("PORTABILITY");
  const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
  await kit.newMails();
  expect((await release(fresh)).body.code).toBe("admin_too_new");
  await kit.ageConfirmations();
  expect(await release(second)).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
  expect(await status()).toBe("WAITING_PORTABILITY_APPROVAL");
  expect(await kit.subjects()).toEqual([]);
  second = await kit.as("segunda@aurora.example");
  expect((await release(second)).body.status).toBe("PENDING_REMOVAL");
  expect((await kit.newMails()).map(({ to }) => to).sort()).toEqual([
    "helena@aurora.example",
    "nova@aurora.example",
    "segunda@aurora.example",
  ]);
});

it("PIX-044 requires the password before a phone is granted to another owner, too", async () => {
  const { proven, act, fetchStatus } = pixKeyCalls(() => kit);
  const id = await proven("TELEFONE", "11984215574");
  await kit.call(raiseClaim, { body: { key: "+5511984215574", kind: "CLAIM" } });
  await kit.pass({ seconds: 1 });
  await kit.ageConfirmations();
  expect(await act(confirmPixKeyClaim, id, second)).toMatchObject({
    status: 403,
    body: { code: "identity_unconfirmed" },
  });
  expect(await fetchStatus(id)).toBe("WAITING_CLAIM_APPROVAL");
});

it("PIX-050 requires the password before a key that payers use is deleted", async () => {
  await kit.ageConfirmations();
  expect(await remove(second)).toMatchObject({ status: 403, body: { code: "identity_unconfirmed" } });
  expect(await status()).toBe("REGISTERED");
  expect(await kit.subjects()).toEqual([]);
});

it("PIX-050 requires no password before a key that is not registered yet is deleted", async () => {
  const body = { key_type: "EMAIL", key: "nova-chave@aurora.example" };
  const { id } = (await second.call(createPixKey, { body })).body;
  await kit.ageConfirmations();
  const deleted = await second.call(deletePixKey, { params: { id } });
  expect([deleted.status, deleted.body.status]).toEqual([200, "REMOVED"]);
});

it("does not let a new admin release or delete a key", async () => {
  const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
  await kit.newMails();
  expect((await remove(fresh)).body.code).toBe("admin_too_new");
  expect(await status()).toBe("REGISTERED");
});

describe("a credential", () => {
  /** Credentials of an admin with every right, and without a recorded maker. */
  const each = async (work: (token: string) => Promise<void>) => {
    for (const token of [await kit.fetchCredential(kit.admin), await kit.installed()]) await work(token);
  };
  const params = { id: key?.id ?? "" };

  it("PIX-050 cannot delete a key that payers use", async () => {
    await each(async (token) =>
      expect(await kit.byMachine(token, deletePixKey, { params })).toMatchObject({
        status: 403,
        body: { code: "person_only" },
      }),
    );
    expect(await status()).toBe("REGISTERED");
  });

  it("PIX-044 cannot release a key to its claimer", async () => {
    await askFor("PORTABILITY");
    await each(async (token) =>
      expect(await kit.byMachine(token, confirmPixKeyClaim, { params })).toMatchObject({
        status: 403,
        body: { code: "person_only" },
      }),
    );
    expect(await status()).toBe("WAITING_PORTABILITY_APPROVAL");
  });

  it("PIX-043 can keep a key that another holder claims", async () => {
    await askFor("PORTABILITY");
    expect((await kit.byMachine(await kit.installed(), cancelPixKeyClaim, { params })).status).toBe(200);
    expect(await status()).toBe("REGISTERED");
  });

  it.each([
    ["ERROR", "EMAIL", "chave.pix42@exemplo.com.br"],
    ["WAITING_PORTABILITY", "EMAIL", "chave.pix41@exemplo.com.br"],
    ["WAITING_CLAIM", "TELEFONE", "11912341242"],
  ] as const)("PIX-050 can delete a key in %s, which is not the company's", async (before, type, value) => {
    const { proven, fetchStatus } = pixKeyCalls(() => kit);
    const id = await proven(type, value);
    expect(await fetchStatus(id)).toBe(before);
    const deleted = await kit.byMachine(await kit.installed(), deletePixKey, { params: { id } });
    expect([deleted.status, deleted.body.status]).toEqual([200, "REMOVED"]);
  });

  it("can delete a key that the directory does not have yet", async () => {
    const token = await kit.installed();
    const body = { key_type: "EMAIL", key: "nova-chave@aurora.example" };
    const made = await kit.byMachine(token, createPixKey, { body });
    const deleted = await kit.byMachine(token, deletePixKey, { params: { id: made.body.id } });
    expect([made.body.status, deleted.body.status]).toEqual(["VALIDATING", "REMOVED"]);
  });
});

it("e-mails all admins once about a released or deleted key", async () => {
  expect((await remove(second)).body.status).toBe("PENDING_REMOVAL");
  expect((await remove(second)).status).toBe(200);
  const mails = await kit.newMails();
  expect(mails.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    `helena@aurora.example A chave Pix ${key?.key} vai sair da sua empresa`,
    `segunda@aurora.example A chave Pix ${key?.key} vai sair da sua empresa`,
  ]);
  expect(mails[0]?.text).toContain("Segunda Admin excluiu esta chave.");
});

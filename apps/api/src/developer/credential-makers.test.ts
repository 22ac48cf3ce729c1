/** People who may create a credential, and people who are notified. */
import { createCredential, createValidationCredential, listCredentials } from "@malote/contracts/developer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
  await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

it("e-mails every admin about a new credential", async () => {
  await kit.admin.call(createCredential, { body: {} });
  expect(await kit.subjects()).toEqual([
    "helena@aurora.example Sua empresa tem uma nova credencial de API",
    "segunda@aurora.example Sua empresa tem uma nova credencial de API",
  ]);
});

const tooNew = { status: 403, body: { code: "admin_too_new" } };

it.each(["admin", "operator"] as const)(
  "DEV-004 refuses a person who was added as %s a credential for a day",
  async (profile) => {
    const email = "nova@aurora.example";
    const fresh = await kit.addPerson(kit.admin, email, profile);
    const inValidation = await kit.as(email, "validation");
    await kit.newMails();
    const refused = await fresh.call(createCredential, { body: {} });
    expect(refused).toMatchObject(tooNew);
    expect(refused.body.message).toBe(
      "Seu acesso, sua senha ou sua autenticação em 2 fatores mudou há pouco. A partir de 13/08/2026 10:00 você pode fazer isto; até lá, peça a um administrador com acesso há mais tempo.",
    );
    expect(await inValidation.call(createValidationCredential, { body: {} })).toMatchObject(tooNew);
    expect((await kit.admin.call(listCredentials)).body.data).toHaveLength(1);
    expect(await kit.subjects()).toEqual([]);
    await kit.pass({ hours: 24 });
    expect((await fresh.call(createCredential, { body: {} })).status).toBe(200);
  },
);

it.each(["helena@aurora.example", "rui@aurora.example"])(
  "%s creates no credential for a day after choosing a password by a link or changing the factor if there is another admin",
  async (email) => {
    await kit.query("UPDATE users SET known_since = $1 WHERE email = $2", [kit.clock.now(), email]);
    const person = await kit.as(email);
    expect(await person.call(createCredential, { body: {} })).toMatchObject(tooNew);
    await kit.pass({ hours: 23, minutes: 59 });
    expect(await person.call(createCredential, { body: {} })).toMatchObject(tooNew);
    await kit.pass({ minutes: 1 });
    expect((await person.call(createCredential, { body: {} })).status).toBe(200);
  },
);

it("lets the only admin create a credential immediately, because no other admin can approve", async () => {
  await kit.query("UPDATE users SET removed_at = now() WHERE email = 'segunda@aurora.example'");
  await kit.query("UPDATE users SET known_since = $1", [kit.clock.now()]);
  expect((await kit.admin.call(createCredential, { body: {} })).status).toBe(200);
});

/** Accounts of a draft, validated from its payments. */
import { randomUUID } from "node:crypto";
import {
  readDraftAccountValidation,
  readValidation,
  validateDraftAccount,
} from "@malote/contracts/validation";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeSettings } from "../company/index.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, fetchBalance, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { account } from "../testing/validation-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
  await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_micro_deposit: true }));
});
afterAll(() => kit.close());

const validate = (by: Person, once: string = randomUUID()) =>
  by.call(
    validateDraftAccount,
    { query: { type: "MICRO_DEPOSIT" }, body: account },
    { "idempotency-key": once },
  );
const read = (id: string, by: Person) => by.call(readDraftAccountValidation, { params: { id } });

it("moves one centavo for a validation from a draft however often it is repeated, and shows it in ContaCerta", async () => {
  await kit.deposit(10_00);
  const before = await fetchBalance(kit.operator);
  const once = randomUUID();
  const { body } = await validate(kit.operator, once);
  expect((await validate(kit.operator, once)).body).toEqual(body);
  expect(await fetchBalance(kit.operator)).toBe(before - 1);
  for (const seconds of [1, 1]) await kit.pass({ seconds });
  const here = (await read(body.id, kit.operator)).body;
  expect(here).toMatchObject({ valid: true, micro_deposit_status: "TRANSFERRED" });
  const there = await kit.as("rui@aurora.example", "validation");
  expect((await there.call(readValidation, { params: { id: body.id } })).body).toEqual(here);
  expect((await read(body.id, kit.stranger)).status).toBe(404);
});

it("refuses a validation from a draft to an analyst, to a person without ContaCerta, and with a token of ContaCerta", async () => {
  const { id } = (await validate(kit.admin)).body;
  const others = [kit.analyst, await kit.as("helena@aurora.example", "validation")];
  await kit.services.db.pool.query(
    "UPDATE users SET applications = '{payments}' WHERE email = 'rui@aurora.example'",
  );
  for (const by of [...others, kit.operator]) {
    expect((await validate(by)).status).toBe(403);
    expect((await read(id, by)).status).toBe(403);
  }
});

it("makes no basic check from a draft, because it uses the rule that proposed the digits", async () => {
  const basic = { query: { type: "BASIC" }, body: account };
  const once = { "idempotency-key": randomUUID() };
  expect((await kit.admin.call(validateDraftAccount, basic, once)).status).toBe(400);
});

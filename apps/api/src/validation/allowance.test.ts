/** Limits of validations: the Pix directory's allowance of the company, and micro deposits of one person. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { account, key, validate, validationCalls } from "../testing/validation-kit.ts";

let kit: PaymentsKit;
let admin: Person;
let operator: Person;
beforeAll(async () => {
  kit = await openPayments();
  [admin, operator] = await Promise.all([
    kit.as("helena@aurora.example", "validation"),
    kit.as("rui@aurora.example", "validation"),
  ]);
});
afterAll(() => kit.close());

const { found, made } = validationCalls(
  () => kit,
  () => admin,
);

const setTokens = (tokens: number) =>
  kit.services.db.pool.query("UPDATE lookup_allowances SET tokens = $2 WHERE company_id = $1", [
    auroraId,
    tokens,
  ]);
const tokens = async () =>
  Number(
    (
      await kit.services.db.pool.query("SELECT tokens FROM lookup_allowances WHERE company_id = $1", [
        auroraId,
      ])
    ).rows[0].tokens,
  );

it("a basic validation of a key costs the company a query of the directory, and twenty for a key that is unknown", async () => {
  await made(key("maria@exemplo.com.br"));
  await setTokens(500);
  await made(key("joao@exemplo.com.br"));
  expect(Math.round(await tokens())).toBe(499);
  await made(key("chave.pix15@exemplo.com.br"));
  expect(Math.round(await tokens())).toBe(479);
  await made(account);
  expect(Math.round(await tokens())).toBe(479);
});

it("a basic validation leaves a hundred queries to people who pay, and is refused until there are more", async () => {
  await setTokens(100);
  const before = (await found()).data.length;
  const refused = await validate(admin, key("maria@exemplo.com.br"));
  expect([refused.status, refused.body.code]).toEqual([429, "too_many_validations"]);
  expect(refused.body.message).toBe(
    "Foram feitas muitas validações em pouco tempo. Aguarde 1 minuto e valide de novo.",
  );
  expect((await found()).data).toHaveLength(before);
  kit.clock.advance({ minutes: 1 });
  expect((await validate(admin, key("maria@exemplo.com.br"))).status).toBe(200);
});

it("a repeated call is answered as the first one was, whatever is left since", async () => {
  await setTokens(500);
  const key1 = "00000000-0000-4000-8000-00000000a110";
  const first = await validate(admin, key("maria@exemplo.com.br"), "BASIC", key1);
  await setTokens(0);
  const again = await validate(admin, key("maria@exemplo.com.br"), "BASIC", key1);
  expect([again.status, again.body]).toEqual([200, first.body]);
});

it("one person makes a hundred micro deposits within fifteen minutes, and leaves the others theirs", async () => {
  await kit.deposit(10_00);
  for (let times = 0; times < 100; times++)
    expect((await validate(operator, account, "MICRO_DEPOSIT")).status).toBe(200);
  const refused = await validate(operator, account, "MICRO_DEPOSIT");
  expect([refused.status, refused.body.code]).toEqual([429, "too_many_validations"]);
  expect((await validate(admin, account, "MICRO_DEPOSIT")).status).toBe(200);
  await kit.pass({ minutes: 15 });
  expect((await validate(operator, account, "MICRO_DEPOSIT")).status).toBe(200);
  await kit.pass({ seconds: 2 });
});

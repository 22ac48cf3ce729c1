/** Limits of validations: the Pix directory's allowance of the company, and micro deposits of one person. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeSettings } from "../company/index.ts";
import type { Person } from "../testing/app.ts";
import { blockDocument } from "../testing/operator-kit.ts";
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
  kit.services.db.pool.query(
    "UPDATE lookup_allowances SET tokens = $2, counted_at = $3 WHERE company_id = $1",
    [auroraId, tokens, kit.clock.now()],
  );
const tokens = async () =>
  Number(
    (
      await kit.services.db.pool.query("SELECT tokens FROM lookup_allowances WHERE company_id = $1", [
        auroraId,
      ])
    ).rows[0].tokens,
  );

it("charges a company one query of the directory for a basic validation of a key, and twenty for an unknown key", async () => {
  await made(key("maria@exemplo.com.br"));
  await setTokens(500);
  await made(key("joao@exemplo.com.br"));
  expect(Math.round(await tokens())).toBe(499);
  await made(key("chave.pix15@exemplo.com.br"));
  expect(Math.round(await tokens())).toBe(479);
  await made(account);
  expect(Math.round(await tokens())).toBe(479);
});

it("reserves a hundred queries for people who pay, and refuses basic validations until there are more", async () => {
  await setTokens(119);
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

it("says for a refused validation after how many minutes there are enough queries again", async () => {
  await setTokens(100);
  const refused = await validate(admin, key("maria@exemplo.com.br"));
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "600"]);
  expect(refused.body.message).toContain("Aguarde 10 minutos");
  kit.clock.advance({ minutes: 10 });
  expect((await validate(admin, key("maria@exemplo.com.br"))).status).toBe(200);
});

const unknown = key("chave.pix15@exemplo.com.br");

it("never lets unknown keys use the hundred queries that are reserved for people who pay", async () => {
  await setTokens(250);
  const statuses: number[] = [];
  for (let times = 0; times < 10; times++) {
    statuses.push((await validate(admin, unknown)).status);
    expect(await tokens()).toBeGreaterThanOrEqual(100);
  }
  expect(statuses).toEqual([...Array(7).fill(200), ...Array(3).fill(429)]);
});

it("queries only as many concurrently validated unknown keys as leave a hundred queries", async () => {
  await setTokens(179);
  const answers = await Promise.all(Array.from({ length: 6 }, () => validate(admin, unknown)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  expect(Math.floor(await tokens())).toBe(119);
});

it("makes no query for a validation that our own rules refuse or find wrong", async () => {
  await setTokens(500);
  await blockDocument(kit.services, "52998224725");
  const blocked = await validate(admin, key("529.982.247-25", { pix_key_type: "CPF" }));
  expect(blocked.status).toBe(200);
  const useBasic = (uses_basic_validation: boolean) =>
    kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_basic_validation }));
  await useBasic(false);
  expect((await validate(admin, unknown)).body.code).toBe("validation_type_unused");
  await useBasic(true);
  expect(await tokens()).toBe(500);
});

it("answers a repeated call like the first one, whatever is left of the allowance", async () => {
  await setTokens(500);
  const key1 = "00000000-0000-4000-8000-00000000a110";
  const first = await validate(admin, key("maria@exemplo.com.br"), "BASIC", key1);
  await setTokens(0);
  const again = await validate(admin, key("maria@exemplo.com.br"), "BASIC", key1);
  expect([again.status, again.body]).toEqual([200, first.body]);
});

it("lets one person make a hundred micro deposits within fifteen minutes, independently of other people", async () => {
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

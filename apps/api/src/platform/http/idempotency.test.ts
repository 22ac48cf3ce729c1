import { withdrawBalance } from "@malote/contracts/statement";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchBalance, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

it("returns the stored answer of a key to the first requester, and to no other person of the company", async () => {
  await kit.deposit(1_000_00);
  const key = { "idempotency-key": "resgate-de-agosto" };
  const body = { value: 100_00 };
  const first = await kit.admin.call(withdrawBalance, { body }, key);
  expect(first.status).toBe(200);
  const other = await kit.operator.call(withdrawBalance, { body }, key);
  expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_of_another" } });
  expect(other.headers["idempotent-replayed"]).toBeUndefined();
  expect(JSON.stringify(other.body)).not.toContain(first.body.id);
  expect(await fetchBalance(kit.admin)).toBe(900_00);
  // The same person signs in again.
  const again = await (await kit.as("helena@aurora.example")).call(withdrawBalance, { body }, key);
  expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
  // The answer was stored before callers were recorded.
  await kit.services.db.pool.query("UPDATE idempotency_keys SET asked_by = NULL");
  expect((await kit.admin.call(withdrawBalance, { body }, key)).headers["idempotent-replayed"]).toBe("true");
});

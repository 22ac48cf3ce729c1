import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance } from "@malote/contracts/statement";
import { test as base, expect } from "@playwright/test";
import { actAs, send, signIn } from "./api.ts";
import { createMalote, type Server } from "./server.ts";

/** No screen is shown here, so no browser is opened. */
const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const server = await createMalote();
      try {
        await server.start();
        await use(server);
      } finally {
        await server.stop();
      }
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

const admin = "helena@aurora.example";
const payment = (value: number) => ({
  value,
  // A document of its own, so that the payment is no possible double payment.
  integration_id: crypto.randomUUID(),
  destination_bank_account: { pix_key_type: "EMAIL" as const, pix_key: "alguem@exemplo.com.br" },
});

async function fund(server: Server, value: number): Promise<void> {
  const ask = await actAs(server.url, admin);
  const { companies } = await ask(readSimulator);
  await ask(depositPix, { body: { pix_key: companies[0]!.pix_key, value } });
  await expect.poll(async () => (await ask(readBalance)).value).toBe(value);
}

test.beforeEach(({ server }) => server.startOver());

test("lets one of 64 simultaneous closes of a batch win", async ({ server }) => {
  await fund(server, 1_000_00);
  const ask = await actAs(server.url, admin);
  const batch = await ask(createBatch, { body: { name: "Folha", transfers: [payment(400_00)] } });
  const token = await signIn(server.url, admin);
  const input = { params: { id: batch.id }, body: {} };

  const answers = await Promise.all(
    Array.from({ length: 64 }, () => send(server.url, token, closeBatch, input)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.filter(({ done }) => !done).map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["409 batch_not_draft"]),
  );
  await expect.poll(async () => (await ask(readBatch, { params: { id: batch.id } })).status).toBe("FINISHED");
  expect((await ask(readBalance)).value).toBe(600_00);
});

test("gives 64 closes under one key one effect and one answer", async ({ server }) => {
  await fund(server, 1_000_00);
  const ask = await actAs(server.url, admin);
  const batch = await ask(createBatch, { body: { name: "Folha", transfers: [payment(400_00)] } });
  const token = await signIn(server.url, admin);
  const input = { params: { id: batch.id }, body: {}, key: randomUUID() };

  const answers = await Promise.all(
    Array.from({ length: 64 }, () => send(server.url, token, closeBatch, input)),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThan(0);
  for (const { done, code } of answers)
    expect(done ? "done" : code).toMatch(/^(done|idempotency_in_progress)$/);
  const later = await send(server.url, token, closeBatch, input);
  expect(new Set([...accepted, later].map(({ text }) => text))).toHaveProperty("size", 1);
  expect((await ask(readBalance)).value).toBe(600_00);
});

test("never lets simultaneous closes spend more than the balance", async ({ server }) => {
  const enoughFor = 7;
  await fund(server, enoughFor * 100_00 + 99_99);
  const ask = await actAs(server.url, admin);
  const ids: string[] = [];
  for (let index = 0; index < 24; index++) {
    const body = { name: `Lote ${index}`, transfers: [payment(100_00)] };
    ids.push((await ask(createBatch, { body })).id);
  }
  const token = await signIn(server.url, admin);

  const answers = await Promise.all(
    ids.map((id) => send(server.url, token, closeBatch, { params: { id }, body: {} })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(answers.filter(({ done }) => done?.is_batch_paid)).toHaveLength(enoughFor);
  expect(answers.filter(({ done }) => done?.status === "WAITING")).toHaveLength(ids.length - enoughFor);
  expect(await ask(readBalance)).toEqual({
    value: 99_99,
    waiting_value: (ids.length - enoughFor) * 100_00,
  });
});

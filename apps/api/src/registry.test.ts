/**
 * Scheduled work on a real database with the server's rights: no request reaches it, so no other test notices a
 * refusal.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Services } from "./platform/services.ts";
import { features } from "./registry.ts";
import { auroraId, closing, draft, openPayments, type PaymentsKit, pix } from "./testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [pix(10_00), pix(20_00)]);
  await closing(kit.admin, id);
  await kit.drainJobs();
}, 30_000);
afterAll(() => kit.close());

/** A failure inside work that continues with the next company appears only in the log. */
function watched(): { services: Services; complaints: unknown[] } {
  const complaints: unknown[] = [];
  const note = (...given: unknown[]) => complaints.push(given);
  const log: Services["log"] = Object.assign(Object.create(kit.services.log), { warn: note, error: note });
  return { services: { ...kit.services, log }, complaints };
}

const changes = () =>
  kit.services.db.readCompany(auroraId, async (tx) => {
    const { rows } = await sql`SELECT FROM payment_changes WHERE company_id = ${tx.companyId}`.execute(tx);
    return rows.length;
  });

it.each(features.flatMap(({ schedules = [] }) => schedules).map((one) => [one.name, one] as const))(
  "%s: runs repeatedly",
  async (_name, { run }) => {
    const { services, complaints } = watched();
    await run(services);
    await run(services);
    expect(complaints).toEqual([]);
  },
);

it("cleans up each feature, and deletes changes of payments older than two days", async () => {
  expect(await changes()).toBeGreaterThan(0);
  kit.clock.advance({ days: 3 });
  const { services, complaints } = watched();
  const tidies = features.flatMap(({ tidy }) => tidy ?? []);
  for (const tidy of tidies) await tidy(services);
  for (const tidy of tidies) await tidy(services);
  expect(complaints).toEqual([]);
  expect(await changes()).toBe(0);
});

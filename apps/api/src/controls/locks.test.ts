/** Locks on daily sums: readers do not wait for them, payments do not deadlock, and lists stay cheap to read. */
import { randomUUID } from "node:crypto";
import { countApprovalRequests, listApprovalRequests } from "@malote/contracts/controls";
import { resendFailures } from "@malote/contracts/failures";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { statementsIn } from "../platform/db/batch.ts";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  openControls,
  withdraw,
} from "../testing/controls-kit.ts";
import { auroraId, batch, closing, draft, pix } from "../testing/payments-kit.ts";
import { lockSums } from "./sums-store.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
});
afterEach(() => kit.close());

let people = 0;
const elsewhere = (value: number) =>
  pix(value, {
    destination_bank_account: {
      name: "Outra Pessoa",
      pix_key_type: "EMAIL",
      pix_key: `pessoa${++people}@exemplo.com.br`,
    },
  });
/** All payments belong to one batch, and the network refused all of them. */
async function failed(count: number): Promise<{ id: string; ids: string[] }> {
  const { id } = await draft(
    kit.operator,
    Array.from({ length: count }, () => elsewhere(1_00)),
  );
  await kit.query("UPDATE transfers SET pix_key = 'chave.pix15@exemplo.com.br' WHERE batch_id = $1", [id]);
  expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
  const { transfers } = await batch(kit.admin, id);
  expect(new Set(transfers.map(({ status }) => status))).toEqual(new Set(["FAILED"]));
  return { id, ids: transfers.map((one) => one.id) };
}
const correct = (by: Person, id: string, tid: string) =>
  by.call(
    changeTransfer,
    { params: { id, tid }, body: elsewhere(1_00) },
    { "idempotency-key": randomUUID() },
  );

it("reading requests does not wait for a transaction that moves money", async () => {
  const one = await failed(1);
  await kit.inForce({ bands: bandsOf([0, 0], [500_00, 1]) });
  expect((await correct(kit.operator, one.id, one.ids[0] ?? "")).body.awaits_approval).toBe(true);
  expect((await withdraw(kit.admin, 600_00)).body.awaits_approval).toBe(true);
  await kit.services.db.withCompany(auroraId, async (tx) => {
    await lockSums(tx);
    for (const by of [second, kit.operator]) {
      const { status, body } = await by.call(listApprovalRequests);
      expect([status, body.data.length]).toEqual([200, by === second ? 2 : 1]);
    }
  });
});

it("completes an approval of one correction and a concurrent new correction in the same batch, twenty times", async () => {
  const rounds = 20;
  const { id, ids } = await failed(2 * rounds);
  await kit.inForce({ bands: bandsOf([0, 0], [500_00, 1]) });
  for (const tid of ids.slice(0, rounds))
    expect((await correct(kit.operator, id, tid)).body.awaits_approval).toBe(true);
  const open = await fetchRequests(second);
  expect(open).toHaveLength(rounds);
  const other = await kit.another();
  for (let n = 0; n < rounds; n++) {
    const answers = await Promise.all([
      approveOne(second, open.at(n)),
      other.call(
        changeTransfer,
        { params: { id, tid: ids[rounds + n] ?? "" }, body: elsewhere(1_00) },
        { token: kit.admin.token, headers: { "idempotency-key": randomUUID() } },
      ),
    ]);
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, "approved"],
      [200, "RECEIVED"],
    ]);
  }
  await other.drainJobs();
  await kit.drainJobs();
  await other.close();
});

it("lists sixty requests with as many statements as two, and counts them with fewer", async () => {
  const one = await failed(1);
  await kit.inForce({ bands: bandsOf([0, 0], [500_00, 1]) });
  const body = { ids: one.ids };
  const retried = await kit.operator.call(
    resendFailures,
    { params: { id: one.id }, body },
    { "idempotency-key": randomUUID() },
  );
  expect(retried.body.data[0].outcome).toBe("waits_for_approval");
  expect((await withdraw(kit.admin, 600_00)).body.awaits_approval).toBe(true);
  let ran = 0;
  const seen = new WeakSet<object>();
  kit.services.db.readers.on("acquire", (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query(...given: unknown[]) {
        ran += statementsIn(given[0]).length;
        return query(...given);
      },
    });
  });
  const fetchStatements = async (contract: typeof listApprovalRequests | typeof countApprovalRequests) => {
    ran = 0;
    const answer = await second.call(contract);
    return { ran, body: answer.body };
  };
  await fetchStatements(listApprovalRequests);
  const few = await fetchStatements(listApprovalRequests);
  const counted = await fetchStatements(countApprovalRequests);
  expect([few.body.open_count, counted.body.count]).toEqual([2, 2]);
  await kit.query(
    `INSERT INTO approval_requests (company_id, id, kind, object_id, payload, facts, amount, digest, requested_by_kind,
       requested_by, requested_by_name, preparers, has_unknown_preparer, approvers_min, status, created_at, expires_at)
     SELECT company_id, uuidv7(), kind, uuidv7(), payload, facts, amount, digest, requested_by_kind, requested_by,
       requested_by_name, preparers, false, approvers_min, 'pending', created_at, expires_at
     FROM approval_requests, generate_series(1, 29)`,
  );
  const many = await fetchStatements(listApprovalRequests);
  expect([many.body.open_count, many.body.data.length]).toEqual([60, 60]);
  expect(few.ran).toBeGreaterThan(5);
  expect(many.ran).toBe(few.ran);
  const countedMany = await fetchStatements(countApprovalRequests);
  expect([countedMany.body.count, countedMany.ran]).toEqual([60, counted.ran]);
  expect(counted.ran).toBeLessThan(few.ran);
});

/** Creates batches with failed payments, and calls that send them again or return their money. */
import { randomUUID } from "node:crypto";
import { listApprovalRequests } from "@malote/contracts/controls";
import type { Failures } from "@malote/contracts/failures";
import { giveBackFailures, listFailures, retryFailures } from "@malote/contracts/failures";
import type { Person } from "./app.ts";
import { auroraId, batch, type PaymentsKit, paidFor, pix } from "./payments-kit.ts";

export const to = (value: number, name: string) =>
  pix(value, {
    destination_bank_account: {
      name,
      pix_key_type: "EMAIL",
      pix_key: `${name.split(" ")[0]?.toLowerCase()}@exemplo.com.br`,
    },
  });

export const four = () => [
  to(10_00, "Ana Lima"),
  to(20_00, "Ana Lima"),
  to(30_00, "Bento Cruz"),
  to(40_00, "Caio Reis"),
];

export type Ids = readonly (string | undefined)[];

export const key = (text: string = randomUUID()) => ({ "idempotency-key": text });

export const retry = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(retryFailures, { params: { id }, body: { ids: ids as string[] } }, key(named));

/** Sends again as the screen does: it confirms the demanded findings and repeats the call with the confirmations. */
export async function retryTicked(by: Person, id: string, ids: Ids) {
  const { body, ...answer } = await retry(by, id, ids);
  if (body.code !== "checks_not_confirmed") return { ...answer, body };
  const confirmations = body.data.checks.map(
    ({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
      kind,
      fingerprint,
    }),
  );
  return by.call(retryFailures, { params: { id }, body: { ids: ids as string[], confirmations } }, key());
}

export const giveBack = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(giveBackFailures, { params: { id }, body: { ids: ids as string[] } }, key(named));

export const list = async (by: Person, id: string): Promise<Failures> =>
  (await by.call(listFailures, { params: { id } })).body;

export const requests = async (by: Person) => (await by.call(listApprovalRequests)).body.data;

export const calls = [
  ["resending", retryFailures, retry],
  ["returning", giveBackFailures, giveBack],
] as const;

export function failedBatches(kit: () => PaymentsKit) {
  /**
   * Makes the network refuse all payments but the last one, as for a bank that is out of order. Sent again unchanged,
   * they arrive.
   */
  async function failed(id: string): Promise<string[]> {
    await kit().drainJobs();
    const { transfers } = await batch(kit().admin, id);
    const sent = transfers.slice(0, -1).map((one: { end_to_end_id: string }) => one.end_to_end_id);
    await kit().services.db.pool.query(
      `UPDATE sandbox.events SET payload = (payload - 'final') || '{"kind":"failed","reason":"Conta indisponível."}'
     WHERE end_to_end_id = ANY($1)`,
      [sent],
    );
    await kit().services.db.pool.query(
      "UPDATE sandbox.orders SET outcome = 'failed' WHERE end_to_end_id = ANY($1)",
      [sent],
    );
    await kit().pass({ seconds: 1 });
    return transfers.map((one: { id: string }) => one.id);
  }
  async function failedBatch(payments = four()) {
    const id = await paidFor(
      kit(),
      payments,
      payments.reduce((sum, { value }) => sum + (value ?? 0), 0),
    );
    return { id, ids: await failed(id) };
  }
  const entries = async (action: string) =>
    (
      await kit().services.db.pool.query(
        "SELECT detail FROM audit_entries WHERE company_id = $1 AND action = $2",
        [auroraId, action],
      )
    ).rows.map(({ detail }) => detail);
  return { failed, failedBatch, entries };
}

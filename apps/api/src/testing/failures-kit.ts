/** Creates batches with failed payments, and calls that resend them or return their money. */
import { randomUUID } from "node:crypto";
import { listApprovalRequests } from "@malote/contracts/controls";
import type { Failures } from "@malote/contracts/failures";
import { listFailures, resendFailures, returnFailures } from "@malote/contracts/failures";
import { errorOf } from "./answer.ts";
import type { Person } from "./app.ts";
import { auroraId, batch, type PaymentsKit, paidFor, pix } from "./payments-kit.ts";

export const pixTo = (value: number, name: string) =>
  pix(value, {
    destination_bank_account: {
      name,
      pix_key_type: "EMAIL",
      pix_key: `${name.split(" ")[0]?.toLowerCase()}@exemplo.com.br`,
    },
  });

export const fourPayments = () => [
  pixTo(10_00, "Ana Lima"),
  pixTo(20_00, "Ana Lima"),
  pixTo(30_00, "Bento Cruz"),
  pixTo(40_00, "Caio Reis"),
];

export type Ids = readonly (string | undefined)[];

export const idempotencyKey = (text: string = randomUUID()) => ({ "idempotency-key": text });

export const resendChosen = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(resendFailures, { params: { id }, body: { ids: ids as string[] } }, idempotencyKey(named));

/** Resends as the screen does: it confirms the demanded findings and repeats the call with the confirmations. */
export async function resendConfirmed(by: Person, id: string, ids: Ids) {
  const answer = await resendChosen(by, id, ids);
  const { code, data } = errorOf(answer);
  if (code !== "checks_not_confirmed") return answer;
  const confirmations = data.checks.map(({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
    kind,
    fingerprint,
  }));
  return by.call(
    resendFailures,
    { params: { id }, body: { ids: ids as string[], confirmations } },
    idempotencyKey(),
  );
}

export const returnChosen = (by: Person, id: string, ids: Ids, named?: string) =>
  by.call(returnFailures, { params: { id }, body: { ids: ids as string[] } }, idempotencyKey(named));

export const fetchFailures = async (by: Person, id: string): Promise<Failures> =>
  (await by.call(listFailures, { params: { id } })).body;

export const fetchRequests = async (by: Person) => (await by.call(listApprovalRequests)).body.data;

export const bulkCalls = [
  ["resending", resendFailures, resendChosen],
  ["returning", returnFailures, returnChosen],
] as const;

export function failedBatches(kit: () => PaymentsKit) {
  /**
   * Makes the network refuse all payments but the last one, as for a bank that is out of order. Sent again unchanged,
   * they arrive.
   */
  async function failed(id: string): Promise<string[]> {
    await kit().drainJobs();
    const { transfers } = await batch(kit().admin, id);
    const sent = transfers.slice(0, -1).map((one) => one.end_to_end_id);
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
    return transfers.map((one) => one.id);
  }
  async function failedBatch(payments = fourPayments()) {
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

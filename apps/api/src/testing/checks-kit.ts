/** Reads and confirms a batch's findings in tests. */
import { randomUUID } from "node:crypto";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { type BatchChecks, confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import type { TransferInput } from "@malote/contracts/transfers";
import type { Person } from "./app.ts";
import { closing, draft, type PaymentsKit, pix } from "./payments-kit.ts";

/** Returns a payment as a sheet contains it, without a reference to the document that it pays. */
export const bare = (value = 1_234_56, changes: Partial<TransferInput> = {}) =>
  pix(value, { integration_id: null, ...changes });

export const toKey = (key: string, changes: Partial<TransferInput> = {}, name = "Rita de Cássia Lima") =>
  bare(1_234_56, { destination_bank_account: { name, pix_key_type: "EMAIL", pix_key: key }, ...changes });

export const confirm = (by: Person, id: string, confirmations: object) =>
  by.call(confirmBatchChecks, { params: { id }, body: { confirmations } });

export const send = (by: Person, id: string, body: object = {}) =>
  by.call(sendBatchToApproval, { params: { id }, body });

export function checkCalls(kit: () => PaymentsKit) {
  const read = async (id: string, by: Person = kit().admin): Promise<BatchChecks> =>
    (await by.call(readBatchChecks, { params: { id } })).body;

  const kinds = async (id: string) => (await read(id)).data.map(({ kind, count }) => [kind, count]);

  const alerts = async (id: string) =>
    (await read(id)).data
      .filter(({ severity }) => severity !== "note")
      .map(({ kind, count }) => [kind, count]);

  const ticks = async (id: string) =>
    (await read(id)).missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));

  async function pay(transfers: readonly TransferInput[], name?: string): Promise<string> {
    await kit().deposit(100_000_00);
    const { id } = await draft(kit().admin, transfers, name);
    const confirmations = await ticks(id);
    const answer = await closing(
      kit().admin,
      id,
      randomUUID(),
      confirmations.length > 0 ? { confirmations } : {},
    );
    if (!answer.body.is_batch_paid) throw new Error(JSON.stringify(answer.body));
    await kit().drainJobs();
    await kit().pass({ minutes: 5 });
    return id;
  }

  return { read, kinds, alerts, ticks, pay };
}

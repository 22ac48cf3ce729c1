/** A picture of the product and one of the model, in the same format. */
import type { Names } from "./names.ts";
import { companyId, depositOf, people } from "./names.ts";
import { isPaid, paymentsOf, reservedOf, type State, sumOf } from "./state.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

/** Everything that a person, a worker or the network could observe, by name. */
export type Picture = Record<string, unknown>;

const iso = (instant: number) => new Date(instant).toISOString();

/** Sorts entries of one moment, which have no defined order, except batches, which queue. */
function inOrder(entries: readonly { at: string; type: string; amount: number }[]): string[] {
  const text = ({ at, type, amount }: (typeof entries)[number]) => `${at} ${type} ${amount}`;
  const key = ({ at, type }: (typeof entries)[number]) => (type === "BATCH" ? `${at} BATCH` : `${at} other`);
  const groups: { key: string; lines: string[] }[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.key === key(entry)) last.lines.push(text(entry));
    else groups.push({ key: key(entry), lines: [text(entry)] });
  }
  return groups.flatMap(({ key, lines }) => (key.endsWith("BATCH") ? lines : lines.sort()));
}

export function pictureOfModel(state: State): Picture {
  const picture: Picture = {
    ...state.accounts,
    entries: inOrder(state.entries.map((one) => ({ ...one, at: iso(one.at) }))),
  };
  for (const [label, batch] of Object.entries(state.batches)) {
    const payments = paymentsOf(state, Number(label));
    const returned = payments.filter(({ status }) => status === "RETURNED");
    picture[`batch ${label}`] = [
      batch.type,
      batch.status,
      `revision ${batch.revision}`,
      `by ${[...batch.editors].sort()}`,
      `closed ${batch.closings}`,
      `${payments.length} payments`,
      sumOf(payments),
      `wrong ${payments.filter(({ wrong }) => wrong).length}`,
      `paid ${payments.filter(isPaid).length}`,
      `failed ${payments.filter(({ status }) => status === "FAILED").length}`,
      `returned ${returned.length}`,
      sumOf(returned),
      `reserved ${reservedOf(state, Number(label))}`,
    ].join(", ");
  }
  for (const [label, one] of Object.entries(state.payments)) {
    picture[`payment ${label}`] = [
      `batch ${one.batch}`,
      one.status,
      one.value,
      `order ${one.attempt}`,
      ...(one.status === "CREATED" ? [] : [iso(one.leavesAt ?? 0)]),
      ...(one.status === "EXECUTING" ? [one.handedOver ? "handed over" : `taken ${iso(one.takenAt)}`] : []),
    ].join(", ");
  }
  for (const event of state.network) {
    picture[`event ${event.id}`] = `${iso(event.dueAt)}${event.delivered ? " delivered" : ""}`;
  }
  picture["jobs"] = state.jobs.map(({ queue, batch }) => (batch === undefined ? queue : `${queue} ${batch}`));
  return picture;
}

export function eventName(names: Names, id: string): string {
  const [endToEndId = "", kind] = id.split(":");
  return kind === "pix_received"
    ? depositOf(endToEndId)
    : `${names.orders.get(endToEndId) ?? endToEndId}:${kind}`;
}

interface Row {
  accounts: Record<string, number>;
  entries: { at: string; type: string; amount: number; balance: number }[] | null;
  batches: Record<string, never>[] | null;
  payments: Record<string, never>[] | null;
  events: { id: string; due_at: string; delivered: boolean }[] | null;
  jobs: { queue: string; data: { batchId?: string; sheetId?: string } }[] | null;
}

const text = `SELECT
  (SELECT jsonb_object_agg(account, balance) FROM ledger_accounts WHERE company_id = $1) AS accounts,
  (SELECT jsonb_agg(jsonb_build_object('at', e.at, 'type', t.type, 'amount', e.amount, 'balance', e.balance_after) ORDER BY e.seq)
   FROM ledger_entries e LEFT JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
   WHERE e.company_id = $1 AND e.account = 'available') AS entries,
  (SELECT jsonb_agg(to_jsonb(b)) FROM batches b WHERE company_id = $1) AS batches,
  (SELECT jsonb_agg(jsonb_build_object('id', id, 'batch', batch_id, 'status', status, 'value', value, 'attempt', attempt,
     'leaves', execute_at, 'order', end_to_end_id, 'taken', claimed_at, 'sent', sent_at IS NOT NULL)) FROM transfers WHERE company_id = $1) AS payments,
  (SELECT jsonb_agg(jsonb_build_object('id', id, 'due_at', due_at, 'delivered', delivered_at IS NOT NULL)) FROM sandbox.events) AS events,
  (SELECT jsonb_agg(jsonb_build_object('queue', queue, 'data', data) ORDER BY n) FROM simulation_jobs
   WHERE queue IN ('close-batch', 'pay-waiting-batches', 'send-payments', 'import-sheet')) AS jobs`;

export async function pictureOfProduct({ client, names }: SystemUnderTest): Promise<Picture> {
  const { rows } = await client.query<Row>({ name: "picture", text, values: [companyId] });
  const row = rows[0];
  if (!row) throw new Error("no picture");
  const at = (instant: string) => iso(Date.parse(instant));
  const { available, reserved, pix_in, payouts, blocked, fees } = row.accounts;
  const entries = row.entries ?? [];
  const picture: Picture = { available, reserved, pix_in, payouts };
  if (blocked || fees) picture["other accounts"] = [blocked, fees];
  picture["entries"] = inOrder(entries.map((one) => ({ ...one, at: at(one.at) })));
  let balance = 0;
  for (const [index, entry] of entries.entries()) {
    balance += entry.amount;
    if (balance !== entry.balance) picture[`balance after entry ${index + 1}`] = entry.balance;
  }
  for (const payment of row.payments ?? []) {
    const label = names.paymentOf(payment["id"] ?? "");
    if (payment["order"]) names.orders.set(payment["order"], `${label}#${payment["attempt"]}`);
    picture[`payment ${label}`] = [
      `batch ${names.batchOf(payment["batch"] ?? "")}`,
      payment["status"],
      payment["value"],
      `order ${payment["attempt"]}`,
      ...(payment["status"] === "CREATED" ? [] : [at(payment["leaves"] ?? "")]),
      ...(payment["status"] === "EXECUTING"
        ? [payment["sent"] ? "handed over" : `taken ${at(payment["taken"] ?? "")}`]
        : []),
    ].join(", ");
  }
  for (const b of row.batches ?? []) {
    picture[`batch ${names.batchOf(b["id"] ?? "")}`] = [
      b["type"],
      b["status"],
      `revision ${b["revision"]}`,
      `by ${((b["edited_by"] ?? []) as string[]).map((id) => people[id] ?? id).sort()}`,
      `closed ${b["closings"]}`,
      `${b["payments_count"]} payments`,
      b["value"],
      `wrong ${b["errors_count"]}`,
      `paid ${b["paid_count"]}`,
      `failed ${b["failed_count"]}`,
      `returned ${b["returned_count"]}`,
      b["returned_value"],
      `reserved ${b["reserved_value"]}`,
    ].join(", ");
  }
  for (const event of row.events ?? []) {
    picture[`event ${eventName(names, event.id)}`] =
      `${at(event.due_at)}${event.delivered ? " delivered" : ""}`;
  }
  picture["jobs"] = (row.jobs ?? []).map(({ queue, data }) => {
    const batch = data.sheetId
      ? names.sheets.get(data.sheetId)?.label
      : data.batchId && names.batchOf(data.batchId);
    return batch === undefined ? queue : `${queue} ${batch}`;
  });
  return picture;
}

/** Returns the differences between two pictures in words; none when they are equal. */
export function differences(product: Picture, model: Picture): string[] {
  const names = [...new Set([...Object.keys(product), ...Object.keys(model)])].sort();
  return names.flatMap((name) => {
    const [is, should] = [JSON.stringify(product[name]), JSON.stringify(model[name])];
    return is === should ? [] : [`${name} is ${is ?? "not there"} and should be ${should ?? "not there"}`];
  });
}

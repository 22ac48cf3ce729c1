/**
 * Resending or returning several failed payments of a batch at a time. Each payment is checked separately; one refusal
 * does not stop the rest.
 */
import { errorText } from "@malote/contracts/errors";
import type * as contracts from "@malote/contracts/failures";
import { type Issue, issueFormText } from "@malote/domain/issues";
import { cents, formatBrl } from "@malote/domain/money";
import {
  listRequestedPayments,
  recordUnapprovedCorrections,
  requireNotRequested,
} from "../../controls/index.ts";
import { countMoved } from "../../indicators/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Services } from "../../platform/services.ts";
import { getLockedBatch } from "../batches/locked-batch.ts";
import { returnPayments } from "../batches/return-payments.ts";
import type { BatchRow } from "../batches/store.ts";
import { requireCorrector, requireMayReturn } from "../batches/who-resolves.ts";
import type { BulkCorrectionRequest } from "../corrections/execute.ts";
import type { Prepared } from "../corrections/kind.ts";
import { correctionKinds } from "../corrections/kinds.ts";
import { passCorrection, resendPayments } from "../corrections/send.ts";
import { type ChosenRow, findChosen } from "../corrections/store.ts";
import { markReturned } from "../transfers/store.ts";

type Outcome = contracts.FailureOutcomes["data"][number];

/** Maximum number of payments that an approval request names. */
const namedMax = 10;

type Versions = Readonly<Record<string, string>> | undefined;

/** Returns the requested payments, each once. Throws when one is not of the batch or has no version. */
async function listChosen(
  tx: Tx,
  batch: BatchRow,
  { ids, versions }: { ids: readonly string[]; versions?: Versions },
): Promise<ChosenRow[]> {
  if (versions && !ids.every((id) => Object.hasOwn(versions, id))) throw new AppError("versions_incomplete");
  const chosen = await findChosen(tx, batch.id, ids);
  if (chosen.length < new Set(ids).size) throw new AppError("payments_not_of_batch");
  return chosen;
}

/**
 * Throws when the payment changed after the caller read it (decision 0026). Accepts a resolved payment, which a later
 * check refuses.
 */
function requireUnchanged(row: ChosenRow, versions: Versions): void {
  const shown = versions?.[row.id];
  if (row.status === "FAILED" && shown !== undefined && shown !== row.version)
    throw new AppError("payment_changed");
}

const refused = (id: string, error: AppError): Outcome => ({
  id,
  outcome: "refused",
  reason: sentenceOf(error),
});

/** Returns the text of the first validation issue, or the error's own text. */
function sentenceOf({ code, data }: AppError): string {
  const [issue] = (data?.["errors"] ?? []) as Issue[];
  return issue ? issueFormText(issue) : errorText(code, data);
}

/** Runs `work` and returns a refusal, which left no writes, as the outcome of the payment. Throws any other error. */
async function catchRefusal<T>(
  id: string,
  work: () => Promise<T>,
): Promise<{ done: T } | { refused: Outcome }> {
  try {
    return { done: await work() };
  } catch (error) {
    if (error instanceof AppError) return { refused: refused(id, error) };
    throw error;
  }
}

export async function resendFailures(
  tx: Tx,
  call: Call<typeof contracts.resendFailures>,
  services: Pick<Services, "jobs">,
): Promise<contracts.FailureOutcomes> {
  const { params, body, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const approversMin = await requireCorrector(tx, call, batch);
  const chosen = await listChosen(tx, batch, body);
  const requested = await listRequestedPayments(tx, body.ids, now);
  const data: Outcome[] = [];
  const ready: { row: ChosenRow; one: Prepared }[] = [];
  for (const row of chosen) {
    const result = await catchRefusal(row.id, async () => {
      requireUnchanged(row, body.versions);
      requireNotRequested(requested, row.id);
      return correctionKinds[batch.type].prepare(tx, row.id, now);
    });
    if ("refused" in result) data.push(result.refused);
    else ready.push({ row, one: result.done });
  }
  const [first, ...others] = ready.map(({ one }) => one);
  if (!first) return { data, value: 0 };

  const passed = await passCorrection(tx, call, batch, [first, ...others], {
    approversMin,
    confirmations: body.confirmations,
    payload: {
      type: "RETRY",
      batchId: batch.id,
      payments: ready.map(({ row, one }) => ({ id: row.id, input: one.input })),
    } satisfies BulkCorrectionRequest,
    facts: resendFactsOf(batch, ready),
  });
  if (passed.kind === "waits") {
    const waiting = ready.map(
      ({ row }): Outcome => ({ id: row.id, outcome: "waits_for_approval", reason: null }),
    );
    return { data: [...data, ...waiting], value: sum(ready.map(({ row }) => row)) };
  }
  const sent: typeof ready = [];
  for (const { row, one } of ready) {
    const tried = await catchRefusal(row.id, () => resendPayments(tx, services, one, call));
    if ("refused" in tried) {
      data.push(tried.refused);
      continue;
    }
    sent.push({ row, one });
    data.push({ id: row.id, outcome: "sent", reason: null });
  }
  const value = sum(sent.map(({ row }) => row));
  const payments = sent.map(({ one }) => one.payment);
  await recordUnapprovedCorrections(tx, {
    correction: { batchId: batch.id, payments },
    people: passed.people,
    now,
  });
  if (sent.length > 0)
    await audit(tx, call, "payments_retried", batch.id, { payments: sent.map(({ row }) => row.id), value });
  return { data, value };
}

const sum = (rows: readonly { value: number }[]) => rows.reduce((total, { value }) => total + value, 0);

function resendFactsOf(batch: BatchRow, ready: readonly { row: ChosenRow; one: Prepared }[]) {
  const named = ready.slice(0, namedMax).map(({ row, one }) => ({
    label: row.name ?? "Sem nome",
    value: [formatBrl(cents(row.value)), one.shownReceiver, row.status_description]
      .filter(Boolean)
      .join(" · "),
  }));
  const others = ready.length - named.length;
  const asTheyAre = ready.length === 1 ? "como está" : "como estão";
  return [
    { label: "Lote", value: batch.name },
    { label: "Tentar de novo", value: `${ready.length} com falha, ${asTheyAre}` },
    { label: "Valor total", value: formatBrl(cents(sum(ready.map(({ row }) => row)))) },
    ...named,
    ...(others > 0 ? [{ label: "Outros", value: `mais ${others} no lote` }] : []),
  ];
}

/**
 * Returns the money of the chosen failed payments to the balance, with that of the other failed ones to the same
 * receivers (TRF-047).
 */
export async function returnFailures(
  tx: Tx,
  call: Call<typeof contracts.returnFailures>,
  jobs: Jobs,
): Promise<contracts.FailureOutcomes> {
  const { params, body, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  await requireMayReturn(tx, call);
  const chosen = await listChosen(tx, batch, body);
  const data: Outcome[] = [];
  const going: string[] = [];
  for (const row of chosen) {
    const result = await catchRefusal(row.id, async () => {
      if (row.status !== "FAILED") throw new AppError("transfer_not_failed");
      requireUnchanged(row, body.versions);
    });
    if ("refused" in result) data.push(result.refused);
    else going.push(row.id);
  }
  if (going.length === 0) return { data, value: 0 };
  const returned = await markReturned(tx, batch.id, going, now);
  const value = await returnPayments(tx, jobs, batch.id, returned, { had: "failed", call });
  await countMoved(tx, returned);
  const ids = returned.map(({ id }) => id);
  await audit(tx, call, "payments_given_back", batch.id, { payments: ids, value });
  return {
    // A payment that was refused because it changed is returned with the others of its receiver, like payments that
    // were not chosen.
    data: [
      ...data.filter(({ id }) => !ids.includes(id)),
      ...ids.map((id): Outcome => ({ id, outcome: "given_back", reason: null })),
    ],
    value,
  };
}

/** Executes operations on the real product: HTTP calls, jobs of its queue, reports of its network, and failures. */

import * as batchLife from "@malote/contracts/batch-life";
import * as batches from "@malote/contracts/batches";
import { isErrorCode, statusOf } from "@malote/contracts/errors";
import { importSheet as importContract } from "@malote/contracts/import";
import { depositPix } from "@malote/contracts/simulator-payins";
import { withdrawBalance } from "@malote/contracts/statement";
import * as transfers from "@malote/contracts/transfers";
import { offerMoney } from "../../apps/api/src/offer-money.ts";
import { handleEvents, sendDuePayments } from "../../apps/api/src/payments/index.ts";
import { importSheet, releaseClosedBatch } from "../../apps/api/src/payouts/index.ts";
import type { RailEvent } from "../../apps/api/src/ports/rails.ts";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import {
  csvOf,
  multipart,
  multipartType,
  pixHeadings,
  pixRow,
  uploadPath,
} from "../../apps/api/src/testing/import-kit.ts";
import { auroraKey } from "../../apps/api/src/testing/payments-kit.ts";
import { companyId, depositIdOf, inputOf, nameOf } from "./names.ts";
import { eventName } from "./observe.ts";
import {
  type Operation,
  type Paying,
  type Request,
  receiverOf,
  type Settings,
  type Work,
} from "./operations.ts";
import { noAnswer, type SystemUnderTest } from "./system-under-test.ts";

export interface Acted {
  answer: string | undefined;
  /** True when the fault of the operation happened. */
  hasFailed: boolean;
}

export async function act(
  system: SystemUnderTest,
  operation: Operation,
  now: number,
  settings: Settings,
): Promise<Acted> {
  system.active.kit.clock.set(new Date(now));
  const fault = "fault" in operation ? operation.fault : undefined;
  const { faults } = system.active;
  if (fault) faults.arm(fault);
  const answer = await perform(system, operation, settings);
  if (!fault) return { answer, hasFailed: false };
  const hasHappened = await faults.disarm();
  if (hasHappened && (fault.kind === "crash" || fault.kind === "lost")) system.replace();
  return { answer, hasFailed: hasHappened && fault.kind !== "retry" };
}

async function perform(
  system: SystemUnderTest,
  operation: Operation,
  settings: Settings,
): Promise<string | undefined> {
  const { kit } = system.active;
  switch (operation.do) {
    case "clock":
      return undefined;
    case "settings":
      await system.changeSettings(settings);
      return undefined;
    case "deliver":
      await kit.network.deliverDue();
      return undefined;
    case "deposit": {
      const { deposit, value } = operation;
      const body = { pix_key: auroraKey, value, end_to_end_id: depositIdOf(deposit) };
      const { status } = await kit.call(depositPix, { body });
      return status === 200 ? undefined : `a deposit was answered with ${status}`;
    }
    case "work":
    case "tick":
    case "receive":
      return runWork(system, operation);
    case "withdraw":
      return withdraw(system, operation);
    default:
      return answerText(operation, await ask(system, operation));
  }
}

async function runWork(system: SystemUnderTest, operation: Work): Promise<string> {
  const { active } = system;
  const { services } = active.kit;
  active.silence = "silence" in operation ? operation.silence : undefined;
  try {
    if (operation.do === "tick") await sendDuePayments(services, { companyId });
    else if (operation.do === "receive") {
      const events = await pickEvents(system, operation.events);
      if (events.length > 0) await handleEvents(services, events);
    } else await runJob(system, operation);
    return "ok";
  } catch (error) {
    const { message } = error as Error;
    return message === noAnswer ? "failed" : `failed: ${message}`;
  } finally {
    active.silence = undefined;
  }
}

/** Returns the events in the order of their creation, whatever order the network would choose. */
async function pickEvents(
  { client, names }: SystemUnderTest,
  wanted: readonly string[],
): Promise<RailEvent[]> {
  const { rows } = await client.query<{ payload: RailEvent }>("SELECT payload FROM sandbox.events");
  const known = new Map(rows.map(({ payload }) => [eventName(names, payload.id), payload]));
  return wanted.flatMap((name) => known.get(name) ?? []);
}

/** Queues whose jobs the model contains; the others carry e-mails and addresses. */
export const queues = ["close-batch", "pay-waiting-batches", "send-payments", "import-sheet"] as const;

interface StoredJob {
  n: number;
  queue: (typeof queues)[number];
  data: { companyId: string; batchId: string; sheetId: string };
}

async function runJob(
  system: SystemUnderTest,
  { job: place, stays }: Extract<Work, { do: "work" }>,
): Promise<void> {
  const { client, active } = system;
  const { services } = active.kit;
  const { rows } = await client.query<StoredJob>(
    "SELECT n, queue, data FROM simulation_jobs WHERE queue = ANY($1) ORDER BY n OFFSET $2 LIMIT 1",
    [queues, place],
  );
  const [job] = rows;
  if (!job) return;
  if (job.queue === "close-batch") await releaseClosedBatch(services, job.data);
  else if (job.queue === "pay-waiting-batches") await offerMoney(services, job.data);
  else if (job.queue === "send-payments") await sendDuePayments(services, job.data);
  else await readSheet(system, job.data);
  if (!stays) await client.query("DELETE FROM simulation_jobs WHERE n = $1", [job.n]);
}

/** Reads a sheet and learns the ids that the product assigned to its batch and payments. */
async function readSheet({ client, active, names }: SystemUnderTest, data: StoredJob["data"]): Promise<void> {
  await importSheet(active.kit.services, data);
  const { rows } = await client.query<{ batch: string; payments: string[] }>(
    `SELECT s.batch_id AS batch, (SELECT array_agg(t.id ORDER BY t.position) FROM transfers t WHERE t.batch_id = s.batch_id) AS payments
     FROM sheets s WHERE s.id = $1 AND s.batch_id IS NOT NULL`,
    [data.sheetId],
  );
  const [read] = rows;
  const sheet = names.sheets.get(data.sheetId);
  if (!read || !sheet) return;
  names.learnBatch(sheet.label, read.batch);
  for (const [row, { payment }] of sheet.payments.entries()) {
    const id = read.payments[row];
    if (id) names.learnPayment(payment, id);
  }
}

/**
 * Learns the id that the product assigned to a withdrawal; its answer may have been lost, so the unknown one is this
 * one.
 */
async function learnWithdrawal(
  { client, names }: SystemUnderTest,
  { batch, payment }: Extract<Request, { do: "withdraw" }>,
): Promise<void> {
  const { rows } = await client.query<{ batch: string; payment: string }>(
    `SELECT b.id AS batch, t.id AS payment FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
     WHERE b.company_id = $1 AND b.type = 'WITHDRAWAL'`,
    [companyId],
  );
  const made = rows.find((row) => typeof names.batchOf(row.batch) === "string");
  if (!made) return;
  names.learnBatch(batch, made.batch);
  names.learnPayment(payment, made.payment);
}

/** Makes a withdrawal; its answer, also a repeated one, must equal the stored payment of its id. */
async function withdraw(
  system: SystemUnderTest,
  request: Extract<Request, { do: "withdraw" }>,
): Promise<string> {
  const answer = await ask(system, request);
  await learnWithdrawal(system, request);
  const words = answerText(request, answer);
  if (answer.status !== 200 || answer.body.awaits_approval) return words;
  const { rows } = await system.client.query<{ value: string; execute_at: Date }>(
    "SELECT value, execute_at FROM transfers WHERE company_id = $1 AND id = $2",
    [companyId, system.names.payment(request.payment)],
  );
  const [kept] = rows;
  const { id, value, execute_at } = answer.body;
  const says = `${value} ${execute_at} ${id}`;
  const should =
    kept && `${kept.value} ${kept.execute_at.toISOString()} ${system.names.payment(request.payment)}`;
  return says === should ? words : `${words}, but it says ${says} and ${should} is kept`;
}

function answerText(request: Request, { status, body, headers }: Answer): string {
  if (status !== 200) {
    const code = String(body?.code);
    return isErrorCode(code) && statusOf(code) === status ? code : `${status} ${code}`;
  }
  const words = (...list: unknown[]) => ["ok", ...list].filter((word) => word !== undefined).join(" ");
  const again = headers["idempotent-replayed"] === "true" ? "again" : undefined;
  switch (request.do) {
    case "delete":
      return words();
    case "remove":
      return words(body.removed);
    case "withdraw":
      return words(body.awaits_approval ? "waits" : undefined, again);
    case "items":
    case "sheet":
      return words(body.state);
    case "close":
      return words(body.status, body.is_batch_paid ? "paid" : undefined, again);
    default:
      return words(body.status, again);
  }
}

function ask(system: SystemUnderTest, request: Request): Promise<Answer> {
  const { names, tokens } = system;
  const { kit } = system.active;
  const token = tokens[request.by];
  const id = names.batch(request.batch);
  const input = (paying: Paying) => inputOf(names, paying);
  const call = (
    contract: Parameters<typeof kit.call>[0],
    body?: object,
    more: Record<string, string> = {},
    key?: number,
  ) =>
    kit.call(
      contract,
      { params: { id, ...more }, ...(body && { body }) },
      {
        token,
        headers: key === undefined ? {} : { "idempotency-key": `key-${key}` },
      },
    );
  const name = `Lote ${request.batch}`;
  const seen = "revision" in request && request.revision !== undefined ? { revision: request.revision } : {};
  switch (request.do) {
    case "create":
      return call(batches.createBatch, { id, name, transfers: request.payments.map(input) });
    case "items":
      return call(importContract, { id, name, items: request.payments.map(input) });
    case "sheet":
      return sendSheet(system, request);
    case "save":
      return call(batches.saveBatch, {
        name,
        transfers: request.write.map(input),
        removed_ids: request.remove.map(names.payment),
      });
    case "rename":
      return call(batches.renameBatch, { name: `${name} de novo` });
    case "delete":
      return call(batchLife.deleteBatch);
    case "add":
      return call(transfers.addTransfer, input(request.paying));
    case "change":
      return call(transfers.changeTransfer, input(request.paying), {
        tid: names.payment(request.paying.payment),
      });
    case "remove":
      return call(transfers.removeTransfers, { ids: request.payments.map(names.payment) });
    case "send":
      return call(batchLife.sendBatchToApproval, seen);
    case "close":
      return call(batchLife.closeBatch, seen, {}, request.key);
    case "reject":
      return call(batchLife.rejectBatch, {});
    case "reopen":
      return call(batchLife.enableBatchEdit);
    case "refund":
      return call(transfers.refundTransfer, undefined, { tid: names.payment(request.payment) }, request.key);
    case "withdraw":
      return call(withdrawBalance, { value: request.value }, {}, request.key);
  }
}

async function sendSheet(
  { names, tokens, active: { kit } }: SystemUnderTest,
  { by, batch, payments }: Extract<Request, { payments: readonly Paying[] }>,
): Promise<Answer> {
  const rows = payments.map(({ payment, receiver, value }) => {
    const key = receiverOf(receiver).key;
    const amount = value === null ? "" : `${Math.floor(value / 100)},${String(value % 100).padStart(2, "0")}`;
    // A document of its own, as in a typed draft.
    const document = `planilha-${names.sheets.size}-${payment}`;
    return pixRow({ 0: nameOf(receiver), 2: key?.type ?? "", 3: key?.key ?? "", 4: amount, 7: document });
  });
  const file = { name: "file", fileName: "folha.csv", content: csvOf([pixHeadings, ...rows]) };
  const headers = multipartType;
  const uploaded = await kit.send("POST", uploadPath, multipart([file]), { token: tokens[by], headers });
  if (uploaded.status !== 200) return uploaded;
  names.sheets.set(uploaded.body.id, { label: batch, payments });
  return kit.call(importContract, { body: { sheet_id: uploaded.body.id } }, { token: tokens[by] });
}

/** One of sixteen clients: works on its own drafts and changes the other clients' batches until it is stopped. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as batchLife from "@malote/contracts/batch-life";
import * as batches from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import * as sheets from "@malote/contracts/import";
import { depositPix } from "@malote/contracts/simulator-payins";
import { withdrawBalance } from "@malote/contracts/statement";
import * as transfers from "@malote/contracts/transfers";
import type { CallInput } from "../../e2e/api.ts";
import type { Chance } from "../chance.ts";
import { goodKey, type MadePayment, somePayment, someSheet } from "./some-payments.ts";
import { type Company, perform, type Workload } from "./workload.ts";

/** The number of batches per company that all clients change: few, so that the clients meet. */
const sharedMax = 24;
const sheetPollMs = 50;

export async function runClient(workload: Workload, company: Company, chance: Chance): Promise<void> {
  const { admin, operator } = company;
  const person = chance.happens(50) ? admin : operator;
  const ask = <const C extends Contract>(contract: C, input?: CallInput<C>) =>
    perform(workload, person, contract, input);
  const askAsAdmin = <const C extends Contract>(contract: C, input?: CallInput<C>) =>
    perform(workload, admin, contract, input);

  function share(batchId: string): void {
    company.batches.push(batchId);
    if (company.batches.length > sharedMax) company.batches.shift();
  }

  const payments = (count: number) => Array.from({ length: count }, () => somePayment(chance));
  /** Removes the expected value of a payment while a change of it is under way. */
  const unsettled = (id: string) => workload.payments.delete(id);
  const written = (made: readonly MadePayment[]) => {
    for (const { id, value } of made) workload.payments.set(id, value);
  };

  /** Creates a draft whose rows no other client changes. */
  async function makeDraft(): Promise<{ id: string; made: MadePayment[] } | undefined> {
    const id = randomUUID();
    const made = payments(chance.between(1, 6));
    const body = { id, name: `Lote ${chance.between(1, 999)}` };
    const answer = chance.happens(70)
      ? await ask(batches.createBatch, { body: { ...body, transfers: made } })
      : await ask(sheets.importSheet, { body: { ...body, items: made } });
    if (!answer.done) return undefined;
    written(made);
    return { id, made };
  }

  async function importSheet(): Promise<string | undefined> {
    const { text, ...becomes } = someSheet(chance);
    const form = new FormData();
    form.set("fileName", "pagamentos.csv");
    form.set("file", new Blob([text]), "pagamentos.csv");
    const uploaded = await ask(sheets.uploadSheet, { body: form });
    const sheetId = uploaded.done?.id;
    if (!sheetId) return undefined;
    const started = await ask(sheets.importSheet, { body: { sheet_id: sheetId } });
    if (!started.done) return undefined;
    workload.sheets.set(sheetId, becomes);
    while (!workload.stopping) {
      const { done } = await ask(sheets.readSheet, { params: { id: sheetId } });
      if (done?.batch_id) return done.batch_id;
      if (done?.state === "refused")
        workload.faults.push(`a good sheet was refused: ${done.refusal?.message}`);
      if (done?.state !== "reading") return undefined;
      await sleep(sheetPollMs);
    }
    return undefined;
  }

  async function changeDraft(id: string, made: readonly MadePayment[]): Promise<void> {
    const old = chance.oneOf(made);
    const [fresh] = payments(1);
    if (!old || !fresh) return;
    const changed = somePayment(chance, old.id);
    const kind = chance.between(1, 4);
    if (kind !== 1) unsettled(old.id);
    if (kind === 1) {
      if ((await ask(transfers.addTransfer, { params: { id }, body: fresh })).done) written([fresh]);
    } else if (kind === 2) {
      const params = { id, tid: old.id };
      if ((await ask(transfers.changeTransfer, { params, body: changed })).done) written([changed]);
    } else if (kind === 3) {
      const body = { name: "Lote salvo", transfers: [changed, fresh] };
      if ((await ask(batches.saveBatch, { params: { id }, body })).done) written([changed, fresh]);
    } else if (made.length > 1) {
      const removed = await ask(transfers.removeTransfer, { params: { id, tid: old.id } });
      // A retry gets "not found" when the first attempt succeeded and its answer was cut.
      if (removed.done || removed.code === "not_found") await noteRemoved(id, old.id);
    }
  }

  async function noteRemoved(batchId: string, id: string): Promise<void> {
    const batch = await ask(batches.readBatch, { params: { id: batchId } });
    // "Not found" may also mean that the whole batch was deleted; then its rows keep their values.
    if (batch.done && !batch.done.transfers.some((row) => row.id === id))
      workload.payments.set(id, undefined);
  }

  /** Sends a request, sometimes twice at once, like a double click. */
  async function askOnceOrTwice<const C extends Contract>(contract: C, input: CallInput<C>): Promise<void> {
    const same = { ...input, key: randomUUID(), requestId: randomUUID() };
    const times = chance.happens(30) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => askAsAdmin(contract, same)));
    const texts = new Set(answers.filter(({ done }) => done !== undefined).map(({ text }) => text));
    if (texts.size > 1) workload.faults.push(`${contract.id} answered one key in two ways`);
  }

  async function meddle(): Promise<void> {
    const id = chance.oneOf(company.batches);
    if (!id) return;
    const params = { id };
    const kind = chance.between(1, 100);
    if (kind <= 45) await closeOrApprove(id);
    else if (kind <= 60) await ask(batchLife.sendBatchToApproval, { params, body: {} });
    else if (kind <= 70) await askAsAdmin(batchLife.rejectBatch, { params, body: { reason: "Confira" } });
    else if (kind <= 78) await askAsAdmin(batchLife.enableBatchEdit, { params });
    else if (kind <= 82) await ask(batchLife.deleteBatch, { params, query: {} });
    else await fixFailure(id);
  }

  /**
   * Closes or approves a batch. An approval names the revision that the approver saw; closing a draft does not need it.
   */
  async function closeOrApprove(id: string): Promise<void> {
    const seen = chance.happens(60)
      ? (await askAsAdmin(batches.readBatch, { params: { id } })).done
      : undefined;
    const body = seen ? { revision: seen.revision } : {};
    await askOnceOrTwice(batchLife.closeBatch, { params: { id }, body });
  }

  /** Corrects a failed payment, or returns its money. */
  async function fixFailure(batchId: string): Promise<void> {
    const listed = await askAsAdmin(transfers.listTransfers, {
      params: { id: batchId },
      query: { status: "FAILED" },
    });
    const failed = chance.oneOf(listed.done?.data ?? []);
    if (!failed) return;
    const params = { id: batchId, tid: failed.id };
    if (chance.happens(50)) return askOnceOrTwice(transfers.refundTransfer, { params });
    const destination_bank_account = { pix_key_type: "EMAIL" as const, pix_key: goodKey(chance) };
    await askAsAdmin(transfers.changeTransfer, {
      params,
      body: { value: failed.value, destination_bank_account },
    });
  }

  async function deposit(): Promise<void> {
    const value = chance.between(100_00, 4_000_00);
    const end_to_end_id = `E88888801202611210000${randomUUID().replaceAll("-", "").slice(0, 11)}`;
    const body = { pix_key: company.pixKey, value, end_to_end_id };
    const times = chance.happens(20) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => ask(depositPix, { body })));
    if (answers.some(({ done }) => done)) workload.deposits.set(end_to_end_id, value);
  }

  async function replay(): Promise<void> {
    const old = chance.oneOf(workload.replays);
    if (!old) return;
    const answer = await perform(workload, old.person, old.contract, old.input);
    if (answer.text !== old.text) workload.faults.push(`${old.contract.id}: its key got another answer`);
  }

  while (!workload.stopping) {
    const kind = chance.between(1, 100);
    if (kind <= 25) {
      const draft = await makeDraft();
      if (!draft) continue;
      for (let changes = chance.between(0, 2); changes > 0; changes--)
        await changeDraft(draft.id, draft.made);
      share(draft.id);
    } else if (kind <= 35) {
      const batchId = await importSheet();
      if (batchId) share(batchId);
    } else if (kind <= 45) await deposit();
    else if (kind <= 50) await replay();
    else if (kind <= 54)
      await askOnceOrTwice(withdrawBalance, { body: { value: chance.between(1, 500_00) } });
    else await meddle();
  }
}

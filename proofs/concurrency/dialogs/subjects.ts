/** Subjects of the dialogs, created through the product's own calls. */
import { randomUUID } from "node:crypto";
import * as batchLife from "@malote/contracts/batch-life";
import * as batches from "@malote/contracts/batches";
import { type BoletoInput, readBoleto } from "@malote/contracts/boletos";
import { readBatchChecks } from "@malote/contracts/checks";
import * as transfers from "@malote/contracts/transfers";
import { checkAgencyAndAccount } from "@malote/domain/bank-account";
import { barcodeOf, magicBarcode } from "../../../apps/api/src/testing/boletos.ts";
import { type Environment, until } from "../environment.ts";
import type { Subject } from "./money-dialog.ts";

/** A key of the sandbox network without a holder. */
const failingKey = "chave.pix15@exemplo.com.br";
export const value = 150_00;
let made = 0;

/** Returns a number that identifies a subject within the run. */
export const nextNumber = () => ++made;

/** Returns a payment to a receiver without earlier payments: no value is unusual, so no dialog needs a confirmation. */
const payment = (id: string, key = `${id}@exemplo.com.br`) => ({
  id,
  value,
  integration_id: id,
  destination_bank_account: { name: "Joana Prado", pix_key_type: "EMAIL" as const, pix_key: key },
});

export async function draft(environment: Environment, key?: string): Promise<Subject> {
  const subject = { name: `Prova ${nextNumber()}`, batchId: randomUUID(), transferId: randomUUID() };
  const body = { id: subject.batchId, name: subject.name, transfers: [payment(subject.transferId, key)] };
  await environment.admin(batches.createBatch, { body });
  return subject;
}

export async function funded(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  return draft(environment);
}

/** Creates a batch larger than any balance of the run. */
export async function tooLarge(environment: Environment): Promise<Subject> {
  const subject = await draft(environment);
  const { batchId: id, transferId: tid } = subject;
  await environment.admin(transfers.changeTransfer, {
    params: { id, tid },
    body: { ...payment(tid), value: 90_000_00 },
  });
  return subject;
}

export async function sentToApproval(environment: Environment): Promise<Subject> {
  const subject = await funded(environment);
  await environment.admin(batchLife.sendBatchToApproval, { params: { id: subject.batchId }, body: {} });
  return subject;
}

export async function waiting(environment: Environment): Promise<Subject> {
  const subject = await tooLarge(environment);
  await close(environment, subject);
  return subject;
}

/** Closes a batch as a person who confirmed every finding of the checks. */
async function close(environment: Environment, { batchId: id }: Subject): Promise<void> {
  const { revision, missing } = await environment.admin(readBatchChecks, { params: { id } });
  const confirmations = missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
  await environment.admin(batchLife.closeBatch, { params: { id }, body: { revision, confirmations } });
}

export async function failed(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const subject = await draft(environment, failingKey);
  await close(environment, subject);
  await until("the payment failed", async () => {
    const { status } = await environment.admin(transfers.readTransfer, {
      params: { id: subject.transferId },
    });
    return status === "FAILED";
  });
  return subject;
}

async function boletoBatch(
  environment: Environment,
  boleto: Omit<BoletoInput, "id" | "value" | "description">,
) {
  await environment.deposit(value);
  const subject = { name: `Prova ${nextNumber()}`, batchId: randomUUID(), transferId: randomUUID() };
  const boletos = [{ id: subject.transferId, value, description: "Aluguel da prova", ...boleto }];
  const body = { id: subject.batchId, name: subject.name, type: "BILLET" as const, billets: boletos };
  await environment.admin(batches.createBatch, { body });
  await close(environment, subject);
  return subject;
}

/** Creates a failed boleto. Boletos settle by day, so the events of the next day are made to happen now. */
export async function failedBoleto(environment: Environment): Promise<Subject> {
  const subject = await boletoBatch(environment, { barcode: magicBarcode(value, "15") });
  await until("the boleto failed", async () => {
    await environment.ask("UPDATE transfers SET execute_at = now() WHERE id = $1 AND status = 'SCHEDULED'", [
      subject.transferId,
    ]);
    await environment.ask(
      `UPDATE sandbox.events SET due_at = now() WHERE delivered_at IS NULL
         AND end_to_end_id = (SELECT end_to_end_id FROM transfers WHERE id = $1)`,
      [subject.transferId],
    );
    const { status } = await environment.admin(readBoleto, { params: { id: subject.transferId } });
    return status === "FAILED";
  });
  return subject;
}

const tenDaysMs = 10 * 24 * 3_600_000;

export async function scheduledBoleto(environment: Environment): Promise<Subject> {
  const payment_date = new Date(Date.now() + tenDaysMs).toISOString().slice(0, 10);
  const subject = await boletoBatch(environment, { barcode: barcodeOf(value), payment_date });
  await until("the boleto is scheduled", async () => {
    const { status } = await environment.admin(readBoleto, { params: { id: subject.transferId } });
    return status === "SCHEDULED";
  });
  return subject;
}

export async function scheduled(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const subject = { name: `Prova ${nextNumber()}`, batchId: randomUUID(), transferId: randomUUID() };
  const payment_date = new Date(Date.now() + tenDaysMs).toISOString().slice(0, 10);
  const body = {
    id: subject.batchId,
    name: subject.name,
    transfers: [{ ...payment(subject.transferId), payment_date }],
  };
  await environment.admin(batches.createBatch, { body });
  await close(environment, subject);
  await until("the payment is scheduled", async () => {
    const { status } = await environment.admin(transfers.readTransfer, {
      params: { id: subject.transferId },
    });
    return status === "SCHEDULED";
  });
  return subject;
}

export async function empty(
  environment: Environment,
  type: "BILLET" | "TRANSFER" = "TRANSFER",
): Promise<Subject> {
  const subject = { name: `Prova ${nextNumber()}`, batchId: randomUUID(), transferId: "" };
  await environment.admin(batches.createBatch, { body: { id: subject.batchId, name: subject.name, type } });
  return subject;
}

/** Creates a payment that the network refused once and would accept now. */
export async function failedOnce(environment: Environment): Promise<Subject> {
  const subject = await failed(environment);
  await environment.ask("UPDATE transfers SET pix_key = 'joana@exemplo.com.br' WHERE id = $1", [
    subject.transferId,
  ]);
  return subject;
}

/** Accounts of a draft of `wrongDigits`, five digits each. */
export const wrongAccounts = ({ name }: Subject): string[] => {
  const number = Number(name.replace(/\D/g, ""));
  return [String(20_000 + number), String(60_000 + number)];
};

const wrongDigit = (account: string) =>
  ["0", "1"].find(
    (accountDigit) =>
      checkAgencyAndAccount({ bankCode: "341", agency: "1234", agencyDigit: "", account, accountDigit })
        .length > 0,
  ) ?? "";

/** Creates a draft of two payments whose digits Itaú's rule corrects. */
export async function wrongDigits(environment: Environment): Promise<Subject> {
  const subject = { name: `Prova ${nextNumber()}`, batchId: randomUUID(), transferId: randomUUID() };
  const wrong = wrongAccounts(subject).map((account) => ({
    value,
    destination_bank_account: {
      name: "Joana Prado",
      cpf_cnpj: "52998224725",
      bank_id: "60701190",
      agency: "1234",
      account_type: "CONTA_CORRENTE" as const,
      account,
      account_digit: wrongDigit(account),
    },
  }));
  const body = { id: subject.batchId, name: subject.name, transfers: wrong };
  await environment.admin(batches.createBatch, { body });
  return subject;
}

/** Test boletos, each with its own barcode unless the test passes one. */
import { randomUUID } from "node:crypto";
import { createBatch } from "@malote/contracts/batches";
import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import { bankBarcode } from "@malote/domain/boleto-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import type { Person } from "./app.ts";
import { batch } from "./payments-kit.ts";

let made = 0;

export function barcodeOf(
  value: number | null,
  dueDate: string | null = null,
  // Ten digits before the ones: padded with ones alone, 11 and 111 would make the same barcode.
  freeField = String(++made).padStart(10, "0").padStart(25, "1"),
): string {
  return bankBarcode({
    bankCode: "341",
    dueDate: dueDate as CalendarDate | null,
    value: value === null ? null : cents(value),
    freeField,
  });
}

/** Returns a barcode whose ending makes the sandbox network refuse or return it. */
export const magicBarcode = (value: number, ending: string) =>
  barcodeOf(value, null, `${"9".repeat(10)}${"0".repeat(13)}${ending}`);

export const boletoOf = (value: number, changes: Partial<BoletoInput> = {}): BoletoInput => ({
  value,
  barcode: barcodeOf(value),
  description: "Aluguel do escritório",
  ...changes,
});

export async function boletoDraft(
  by: Person,
  boletos: readonly BoletoInput[],
  name = `Contas ${randomUUID().slice(0, 8)}`,
): Promise<{ id: string; revision: number }> {
  const answer = await by.call(createBatch, { body: { name, type: "BILLET", billets: boletos } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export const fetchBoletos = async (by: Person, id: string): Promise<Boleto[]> =>
  (await batch(by, id)).billets;

export const fetchBoletoStatuses = async (by: Person, id: string) =>
  (await fetchBoletos(by, id)).map(({ status }) => status);

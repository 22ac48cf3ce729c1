/** Writes and reads the transfers of a draft in tests. */
import { createBatch, readBatch } from "@malote/contracts/batches";
import * as contracts from "@malote/contracts/transfers";
import { expect } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "./app.ts";

export const companyId = demoCompanies[0]?.id ?? "";

export const itau = "60701190";

export type Destination = NonNullable<contracts.TransferInput["destination_bank_account"]>;

type Changes = Omit<Partial<contracts.TransferInput>, "destination_bank_account"> & {
  to?: Partial<Destination>;
};

export const ted = ({ to = {}, ...changes }: Changes = {}): contracts.TransferInput => ({
  value: 100_00,
  destination_bank_account: {
    name: "Padaria Três Irmãos Ltda",
    cpf_cnpj: "12.ABC.345/01DE-35",
    bank_id: itau,
    agency: "1234",
    account: "12345",
    account_digit: "1",
    account_type: "CONTA_CORRENTE",
    ...to,
  },
  ...changes,
});

export const pix = ({ to = {}, ...changes }: Changes = {}): contracts.TransferInput => ({
  value: 100_00,
  destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: "ana@exemplo.com.br", ...to },
  ...changes,
});

export const byKey = (
  pix_key_type: NonNullable<Destination["pix_key_type"]>,
  pix_key: string,
  changes: Changes = {},
) => pix({ ...changes, to: { ...changes.to, pix_key_type, pix_key } });

export function draftCalls(helena: () => Person, batchId: () => string) {
  async function newBatch(person = helena(), body: object = {}): Promise<string> {
    const answer = await person.call(createBatch, { body: { name: "Folha", ...body } });
    expect(answer.status).toBe(200);
    return answer.body.id;
  }

  const add = (body: object, person = helena(), id = batchId()) =>
    person.call(contracts.addTransfer, { params: { id }, body });

  const change = (tid: string, body: object, person = helena(), id = batchId()) =>
    person.call(contracts.changeTransfer, { params: { id, tid }, body });

  const counters = async (id = batchId()) => {
    const { body } = await helena().call(readBatch, { params: { id } });
    return { value: body.value, payments: body.payments_count, errors: body.errors_count };
  };

  return { newBatch, add, change, counters };
}

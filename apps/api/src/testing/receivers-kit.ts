/** Writes and reads saved receivers in tests. */
import * as contracts from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { expect } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import type { Person } from "./app.ts";

export const companyId = demoCompanies[0]?.id ?? "";

export const itau = "60701190";

export const pix = (changes: DestinationInput = {}): DestinationInput => ({
  name: "Ana Lima",
  pix_key_type: "EMAIL",
  pix_key: "ana@exemplo.com.br",
  ...changes,
});

export const account = (changes: DestinationInput = {}): DestinationInput => ({
  name: "Conceição Araújo",
  cpf_cnpj: "123.456.789-09",
  bank_id: itau,
  agency: "1234",
  account: "12345",
  account_digit: "1",
  account_type: "CONTA_CORRENTE",
  ...changes,
});

export function receiverCalls(helena: () => Person) {
  const create = (body: object, person = helena()) => person.call(contracts.createReceiver, { body });

  const read = (id: string, person = helena()) => person.call(contracts.readReceiver, { params: { id } });

  const list = async (query: Record<string, string> = {}, person = helena()) =>
    (await person.call(contracts.listReceivers, { query })).body;

  const names = async (query: Record<string, string> = {}, person = helena()) =>
    (await list(query, person)).data.map((receiver: contracts.Receiver) => receiver.name);

  const saved = async (body: object, person = helena()): Promise<contracts.Receiver> => {
    const answer = await create(body, person);
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    return answer.body;
  };

  return { create, read, list, names, saved };
}

/** Requests and reads validations in tests. */
import { randomUUID } from "node:crypto";
import type { DataInput } from "@malote/contracts/validation";
import { createValidation, listValidations, readValidation } from "@malote/contracts/validation";
import type { ValidationType } from "@malote/domain/validation-types";
import type { Person } from "./app.ts";
import type { PaymentsKit } from "./payments-kit.ts";

export const account: DataInput = {
  name: "Padaria Sol Nascente",
  cpf_cnpj: "11.222.333/0001-81",
  bank_code: "341",
  agency: "1234",
  account: "56789",
  account_digit: "7",
  account_type: "CONTA_CORRENTE",
};

export const key = (pix_key: string, changes: Partial<DataInput> = {}): DataInput => ({
  pix_key_type: "EMAIL",
  pix_key,
  ...changes,
});

export const validate = (
  by: Person,
  body: DataInput,
  type: ValidationType = "BASIC",
  once: string = randomUUID(),
) => by.call(createValidation, { query: { type }, body }, { "idempotency-key": once });

export function validationCalls(kit: () => PaymentsKit, admin: () => Person) {
  const read = async (id: string, by = admin()) => (await by.call(readValidation, { params: { id } })).body;

  async function made(body: DataInput, type: ValidationType = "BASIC", by = admin()): Promise<string> {
    // Validations have distinct times, like those of people.
    kit().clock.advance({ ms: 5 });
    const answer = await validate(by, body, type);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.id;
  }

  const fetchOutcome = async (id: string) => {
    const { valid, errors, micro_deposit_status } = await read(id);
    return [valid, micro_deposit_status, errors.map(({ field, message }) => [field, message])];
  };

  /** Hands the micro deposit over and waits as long as a Pix takes. */
  async function settle() {
    await kit().pass({ seconds: 1 });
    await kit().pass({ seconds: 1 });
  }

  const found = async (query: Record<string, string> = {}, by = admin()) =>
    (await by.call(listValidations, { query })).body;

  return { read, made, fetchOutcome, settle, found };
}

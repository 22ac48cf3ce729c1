/** A confirmation covers the payment as it was read: a changed payee or value needs a new one. */
import { randomUUID } from "node:crypto";
import { saveBatch } from "@malote/contracts/batches";
import { changeBoleto } from "@malote/contracts/boletos";
import type { TransferInput } from "@malote/contracts/transfers";
import { bankBarcode } from "@malote/domain/boleto-code";
import { cents } from "@malote/domain/money";
import { afterAll, beforeAll, expect, it } from "vitest";
import { boletoDraft, boletoOf, fetchBoletos } from "../../testing/boletos.ts";
import { checkCalls, confirm, toKey } from "../../testing/checks-kit.ts";
import { batch, draft, openPayments, type PaymentsKit, pix, ted } from "../../testing/payments-kit.ts";
import { fieldColumns } from "../payment-columns.ts";
import { confirmedColumns, unconfirmedFields } from "./store.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { read, ticks } = checkCalls(() => kit);

const isConfirmed = async (id: string, kind: string) =>
  (await read(id)).data.filter((one) => one.kind === kind).map(({ confirmed }) => confirmed !== null);

async function confirmed(id: string, kind: string): Promise<void> {
  await confirm(kit.admin, id, await ticks(id));
  expect(await isConfirmed(id, kind)).toEqual([true]);
}

/** Saves payment `nth` of a draft with other data. */
async function change(id: string, nth: number, to: TransferInput): Promise<void> {
  const transfers = [{ ...to, id: (await batch(kit.admin, id)).transfers.at(nth).id }];
  const saved = await kit.operator.call(saveBatch, { params: { id }, body: { name: "Folha", transfers } });
  expect(saved.status).toBe(200);
}

const toAccount = (changes: object) => {
  const payment = ted(10_00, { integration_id: null });
  return { ...payment, destination_bank_account: { ...payment.destination_bank_account, ...changes } };
};

it("covers each field of a payment, except for those that are named with a reason", () => {
  const fields = new Set<string>([...fieldColumns.TRANSFER, ...fieldColumns.BILLET]);
  const placed = [...confirmedColumns, ...Object.keys(unconfirmedFields)];
  expect(placed.filter((column) => column !== "destination").sort()).toEqual([...fields].sort());
});

it.each([
  ["the account's type", { account_type: "CONTA_POUPANCA" }],
  ["the branch's digit", { agency_digit: "1" }],
  ["the payee's name", { name: "Padaria Sol Poente" }],
])(
  "requires a new confirmation of two equal payments after a change of %s in either",
  async (_what, changes) => {
    for (const nth of [0, 1]) {
      const { id } = await draft(kit.operator, [toAccount({}), toAccount({})]);
      await confirmed(id, "same_payment");
      await change(id, nth, toAccount(changes));
      expect(await isConfirmed(id, "same_payment")).toEqual([false]);
    }
  },
);

it("requires a new confirmation of a reference that appears twice after a change of either description", async () => {
  const of = (value: number, pix_description: string) =>
    toKey("rita@exemplo.com.br", { value, pix_description });
  for (const nth of [0, 1]) {
    const { id } = await draft(kit.operator, [of(10_00, "NF 4.567"), of(20_00, "nf 04567")]);
    await confirmed(id, "same_reference");
    await change(id, nth, of([10_00, 20_00][nth] ?? 0, "nf 4567"));
    expect(await isConfirmed(id, "same_reference")).toEqual([false]);
  }
});

it.each([
  ["the name", { name: "Zeca Lima" }],
  ["the document", { cpf_cnpj: "11144477735" }],
])("requires a new confirmation of a key of another holder after a change of %s", async (_what, changes) => {
  const key = `chave.pix35@${randomUUID().slice(0, 8)}.com.br`;
  const to = { name: "Rita Lima", cpf_cnpj: "52998224725", pix_key_type: "EMAIL", pix_key: key } as const;
  const { id } = await draft(kit.operator, [pix(10_00, { destination_bank_account: to })]);
  await kit.drainJobs();
  await confirmed(id, "holder_differs");
  await change(id, 0, pix(10_00, { destination_bank_account: { ...to, ...changes } }));
  await kit.drainJobs();
  expect(await isConfirmed(id, "holder_differs")).toEqual([false]);
});

it("requires a new confirmation of a key of another holder after a change of the document it is compared with", async () => {
  const pix_key = `chave.pix35@${randomUUID().slice(0, 8)}.com.br`;
  const checkedBy = (cpf_cnpj: string) =>
    pix(10_00, {
      pix_key_validation: { cpf_cnpj },
      destination_bank_account: { name: "Rita Lima", pix_key_type: "EMAIL", pix_key },
    });
  const { id } = await draft(kit.operator, [checkedBy("52998224725")]);
  await kit.drainJobs();
  await confirmed(id, "holder_differs");
  await change(id, 0, checkedBy("11144477735"));
  await kit.drainJobs();
  expect(await isConfirmed(id, "holder_differs")).toEqual([false]);
});

it("requires a new confirmation of a boleto unknown to its register when another one replaces it", async () => {
  const unregistered = (bankCode: string) =>
    bankBarcode({
      bankCode,
      dueDate: null,
      value: cents(10_00),
      freeField: `${"9".repeat(10)}${"0".repeat(13)}15`,
    });
  const { id } = await boletoDraft(kit.operator, [boletoOf(10_00, { barcode: unregistered("237") })]);
  await kit.drainJobs();
  await confirmed(id, "billet_register");
  const [found] = (await read(id)).data.filter(({ kind }) => kind === "billet_register");
  expect(found?.fingerprint).toMatch(/^1-[0-9a-f]{64}$/);
  const [boleto] = await fetchBoletos(kit.admin, id);
  const body = { ...boletoOf(10_00, { barcode: unregistered("341") }), id: boleto?.id };
  expect((await kit.operator.call(changeBoleto, { params: { id }, body })).status).toBe(200);
  await kit.drainJobs();
  expect(await isConfirmed(id, "billet_register")).toEqual([false]);
});

/**
 * Every way by which money leaves a company or payers are charged, each with the function that suspends it (decision
 * 0056).
 */
import { randomUUID } from "node:crypto";
import { changeBoleto } from "@malote/contracts/boletos";
import { approveInfractions } from "@malote/contracts/contestations";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import { permissions } from "@malote/contracts/policy";
import { changeTransfer, type TransferInput } from "@malote/contracts/transfers";
import { type Issue, issueFormText } from "@malote/domain/issues";
import { ownInstitution } from "@malote/domain/own-institution";
import { type MoneyFunction, moneyFunctions } from "@malote/domain/suspended-functions";
import { saveBankAccount } from "../company/store.ts";
import type { Answer } from "./answer.ts";
import { boletoDraft, boletoOf, fetchBoletos, magicBarcode } from "./boletos.ts";
import { checkoutCalls } from "./checkout-kit.ts";
import { defend, receiveInfraction } from "./contestations.ts";
import {
  approve,
  approveOne,
  type ControlsKit,
  fetchRequests,
  send,
  sentToApproval,
  withdraw,
} from "./controls-kit.ts";
import { resendConfirmed } from "./failures-kit.ts";
import { setCompany } from "./operator-kit.ts";
import { auroraId, batch, closing, draft, ownAccount, pix, ted } from "./payments-kit.ts";
import { account, key, validate } from "./validation-kit.ts";

/** The answer of a call, with its refusal in the words that a person reads. */
export interface CallOutcome {
  isDone: boolean;
  says: string;
}

export interface Way {
  way: string;
  by: MoneyFunction;
  /** Functions that it needs in addition to `by`. */
  needs?: readonly MoneyFunction[];
  /** The text of a refusal that does not name the function. */
  says?: string;
  /** Prepares the company for the call, before any suspension. */
  begin(kit: ControlsKit): Promise<() => Promise<CallOutcome>>;
}

/** Suspends these functions; the company holds every other code. */
export const suspend = (kit: ControlsKit, ...gone: readonly MoneyFunction[]) =>
  setCompany(kit.services, auroraId, {
    permissions:
      gone.length === 0 ? ["all"] : permissions.filter((code) => !gone.some((one) => one === code)),
  });

export const suspendAllBut = (kit: ControlsKit, ...held: readonly MoneyFunction[]) =>
  suspend(kit, ...(Object.keys(moneyFunctions) as MoneyFunction[]).filter((one) => !held.includes(one)));

const outcomeOf = ({ status, body }: Answer): CallOutcome => {
  const [issue] = (body.data?.errors ?? []) as Issue[];
  return { isDone: status === 200, says: issue ? issueFormText(issue) : (body.message ?? "") };
};

/** Returns the answer for a batch: the text of the first payment with an error. */
async function outcomeOfBatch(kit: ControlsKit, id: string, answer: Answer): Promise<CallOutcome> {
  if (answer.status === 200) return { isDone: true, says: "" };
  const { transfers, billets } = await batch(kit.admin, id);
  const [issue] = [...transfers, ...billets].flatMap(({ errors }) => errors as Issue[]);
  return { isDone: false, says: issue ? issueFormText(issue) : answer.body.message };
}

const tev = (value: number): TransferInput => {
  const { destination_bank_account: to, ...payment } = ted(value);
  return { ...payment, destination_bank_account: { ...to, bank_id: ownInstitution().ispb } };
};

const prepareClosing = (kit: ControlsKit, id: string) => async () =>
  outcomeOfBatch(kit, id, await closing(kit.admin, id));

const closingTransfer = (make: (value: number) => TransferInput) => async (kit: ControlsKit) =>
  prepareClosing(kit, (await draft(kit.admin, [make(20_00)])).id);

/** Creates a Pix of R$ 20 that the network refused. */
async function failedPix(kit: ControlsKit) {
  const to = { name: "Pessoa Silva", pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
  const { id } = await draft(kit.admin, [pix(20_00, { destination_bank_account: to })]);
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  const [failed] = (await batch(kit.admin, id)).transfers;
  if (failed?.status !== "FAILED") throw new Error(`the Pix is ${failed?.status}`);
  return { id, tid: failed.id as string };
}

/** Creates a boleto of R$ 20 that the network refused. */
async function failedBoleto(kit: ControlsKit) {
  const barcode = magicBarcode(20_00, "15");
  const { id: batchId } = await boletoDraft(kit.admin, [boletoOf(20_00, { barcode })]);
  await closing(kit.admin, batchId);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  const [failed] = await fetchBoletos(kit.admin, batchId);
  return { batchId, id: failed?.id ?? "" };
}

/** Tries a failed payment again. */
async function triedAgain(kit: ControlsKit, batchId: string, id: string): Promise<CallOutcome> {
  const { body } = await resendConfirmed(kit.admin, batchId, [id]);
  const [{ outcome, reason }] = body.data;
  return { isDone: outcome === "sent", says: reason ?? "" };
}

const correctingPixTo = (make: (value: number) => TransferInput) => async (kit: ControlsKit) => {
  const params = await failedPix(kit);
  return async () => outcomeOf(await kit.admin.call(changeTransfer, { params, body: make(20_00) }));
};

const withdrawalTo = (bankId: string) => async (kit: ControlsKit) => {
  await kit.services.db.withCompany(auroraId, (tx) =>
    saveBankAccount(tx, { ...ownAccount, bank_id: bankId }),
  );
  return async () => outcomeOf(await withdraw(kit.admin, 20_00));
};

const microDepositTo = (to: Parameters<typeof validate>[1]) => async (kit: ControlsKit) => {
  const validator = await kit.as("helena@aurora.example", "validation");
  return async () => outcomeOf(await validate(validator, to, "MICRO_DEPOSIT"));
};

/** Returns the approval, by a second admin, of a request that is older than the suspension. */
async function prepareApproval(kit: ControlsKit, makeCall: () => Promise<unknown>) {
  const second = await kit.colleague();
  await kit.inForce({ requiresOtherApprover: true });
  await makeCall();
  const [request] = await fetchRequests(second);
  return async () => outcomeOf(await approveOne(second, request));
}

async function receivedPix(kit: ControlsKit): Promise<string> {
  const endToEndId = await kit.deposit(60_00);
  return (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body.items[0].id;
}
const refund = (kit: ControlsKit, id: string) =>
  kit.admin.call(
    refundPayin,
    { params: { id }, body: { amount: 20_00 } },
    { "idempotency-key": randomUUID() },
  );

const accept = (kit: ControlsKit, id: string) =>
  kit.admin.call(
    approveInfractions,
    { body: { infraction_ids: [id], analysis: "accepted" } },
    { "idempotency-key": randomUUID() },
  );

let hosts = 0;
async function checkout(kit: ControlsKit) {
  await setCompany(kit.services, auroraId, { hasBoletoCharge: true, hasCardCharge: true });
  return checkoutCalls(
    () => kit,
    () => `10.9.0.${++hosts}`,
  );
}
type ChargeMethod = "pix" | "boleto" | "credit_card";

const chargingBy = (method: ChargeMethod) => async (kit: ControlsKit) => {
  const { makeLink, pay, byCard } = await checkout(kit);
  const { token } = await makeLink({ payment_methods: [method] });
  const body = method === "credit_card" ? byCard() : { payment_method: method };
  return async () => outcomeOf(await pay(token, body));
};

const linkFor = (method: ChargeMethod) => async (kit: ControlsKit) => {
  const { terms } = await checkout(kit);
  const body = { ...terms, payment_methods: [method] };
  return async () => outcomeOf(await kit.admin.call(createPaymentLink, { body: body as never }));
};

/** A payer sees nothing about the relation between the company and its institution. */
const otherMethod = "Este link não aceita essa forma de pagamento. Escolha outra.";

export const waysIn: readonly Way[] = [
  { way: "charging a link by Pix", by: "payin_pix", says: otherMethod, begin: chargingBy("pix") },
  { way: "charging a link by boleto", by: "payin_boleto", says: otherMethod, begin: chargingBy("boleto") },
  {
    way: "charging a link by card",
    by: "payin_credit_card",
    says: otherMethod,
    begin: chargingBy("credit_card"),
  },
  { way: "making a link for Pix", by: "payin_pix", begin: linkFor("pix") },
  { way: "making a link for boletos", by: "payin_boleto", begin: linkFor("boleto") },
  { way: "making a link for cards", by: "payin_credit_card", begin: linkFor("credit_card") },
];

export const outflowWays: readonly Way[] = [
  { way: "closing a batch of Pix", by: "payout_pix", begin: closingTransfer(pix) },
  { way: "closing a batch of TEDs", by: "payout_ted", begin: closingTransfer(ted) },
  { way: "closing a batch of internal transfers", by: "payout_ted", begin: closingTransfer(tev) },
  {
    way: "closing a batch of boletos",
    by: "payout_boleto",
    begin: async (kit) => prepareClosing(kit, (await boletoDraft(kit.admin, [boletoOf(20_00)])).id),
  },
  {
    way: "sending a batch of Pix to approval",
    by: "payout_pix",
    async begin(kit) {
      const { id } = await draft(kit.operator, [pix(20_00)]);
      return async () => outcomeOfBatch(kit, id, await send(kit.operator, id));
    },
  },
  {
    way: "approving a batch of TEDs that was sent before",
    by: "payout_ted",
    async begin(kit) {
      const id = await sentToApproval(kit.operator, [ted(20_00)]);
      return async () => outcomeOfBatch(kit, id, await approve(kit.admin, id));
    },
  },
  { way: "correcting a failed Pix to another key", by: "payout_pix", begin: correctingPixTo(pix) },
  { way: "correcting a failed Pix to a TED", by: "payout_ted", begin: correctingPixTo(ted) },
  {
    way: "approving the correction of a failed Pix",
    by: "payout_pix",
    async begin(kit) {
      const params = await failedPix(kit);
      return prepareApproval(kit, () => kit.admin.call(changeTransfer, { params, body: pix(20_00) }));
    },
  },
  {
    way: "trying a failed Pix again",
    by: "payout_pix",
    async begin(kit) {
      const { id, tid } = await failedPix(kit);
      return () => triedAgain(kit, id, tid);
    },
  },
  {
    way: "correcting a failed boleto",
    by: "payout_boleto",
    async begin(kit) {
      const { batchId, id } = await failedBoleto(kit);
      const body = { ...boletoOf(20_00), id };
      return async () => outcomeOf(await kit.admin.call(changeBoleto, { params: { id: batchId }, body }));
    },
  },
  {
    way: "approving the correction of a failed boleto",
    by: "payout_boleto",
    async begin(kit) {
      const { batchId, id } = await failedBoleto(kit);
      const body = { ...boletoOf(20_00), id };
      return prepareApproval(kit, () => kit.admin.call(changeBoleto, { params: { id: batchId }, body }));
    },
  },
  {
    way: "trying a failed boleto again",
    by: "payout_boleto",
    async begin(kit) {
      const { batchId, id } = await failedBoleto(kit);
      return () => triedAgain(kit, batchId, id);
    },
  },
  {
    way: "withdrawing by TED",
    by: "payout_ted",
    needs: ["balance_withdrawal"],
    begin: withdrawalTo("60701190"),
  },
  {
    way: "withdrawing to an account of this institution",
    by: "payout_ted",
    needs: ["balance_withdrawal"],
    begin: (kit) => withdrawalTo(ownInstitution().ispb)(kit),
  },
  {
    way: "approving a withdrawal",
    by: "balance_withdrawal",
    needs: ["payout_ted"],
    async begin(kit) {
      await withdrawalTo("60701190")(kit);
      return prepareApproval(kit, () => withdraw(kit.admin, 20_00));
    },
  },
  { way: "a micro deposit by Pix", by: "payout_pix", begin: microDepositTo(key("padaria@exemplo.com.br")) },
  {
    way: "a micro deposit by internal transfer",
    by: "payout_ted",
    begin: (kit) => microDepositTo({ ...account, bank_code: ownInstitution().code })(kit),
  },
  {
    way: "giving a received Pix back",
    by: "payout_pix_refund",
    needs: ["payin_refund"],
    async begin(kit) {
      const id = await receivedPix(kit);
      return async () => outcomeOf(await refund(kit, id));
    },
  },
  {
    way: "approving that a received Pix is given back",
    by: "payout_pix_refund",
    needs: ["payin_refund"],
    async begin(kit) {
      const id = await receivedPix(kit);
      return prepareApproval(kit, () => refund(kit, id));
    },
  },
  {
    way: "approving a refund by a right that is gone",
    by: "payin_refund",
    needs: ["payout_pix_refund"],
    async begin(kit) {
      const id = await receivedPix(kit);
      return prepareApproval(kit, () => refund(kit, id));
    },
  },
  {
    way: "agreeing with a contestation",
    by: "payin_refund_med",
    async begin(kit) {
      const { id } = await receiveInfraction(kit, 60_00);
      return async () => outcomeOf(await accept(kit, id));
    },
  },
  {
    way: "agreeing with a contestation in its form",
    by: "payin_refund_med",
    async begin(kit) {
      const { id } = await receiveInfraction(kit, 60_00);
      const said = { analysis: "accepted", analysis_description: "Foi mesmo uma fraude." };
      return async () => outcomeOf(await defend(kit, kit.admin.token, id, said));
    },
  },
];

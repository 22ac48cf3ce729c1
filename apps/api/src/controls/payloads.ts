/**
 * Payload of a request of each kind, parsed before execution: a stored payload may come from an earlier release, and is
 * executed as requested or refused.
 */

import type { BoletoInput } from "@malote/contracts/boletos";
import type { TransferInput } from "@malote/contracts/transfers";
import { accountTypes } from "@malote/domain/bank-account";
import type { ControlPolicy, RequestKind } from "@malote/domain/controls";
import { type AttachmentType, analyses, attachmentTypes } from "@malote/domain/infraction";
import { cents } from "@malote/domain/money";
import type { PixCharge } from "@malote/domain/pix-charge";
import * as z from "zod";
import type { CompanyBankAccount } from "../company/index.ts";

const id = z.guid();
const amount = z.int().positive().transform(cents);
const fromAmount = z.int().min(0).transform(cents);
/** Accepts any object: its own rules are checked when the payment is prepared. */
const anObject = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);

const account = z.object({
  bank_id: z.string(),
  agency: z.string(),
  agency_digit: z.string().nullable(),
  account_type: z.enum(accountTypes),
  account: z.string(),
  account_digit: z.string(),
  name: z.string(),
  cpfCnpj: z.string(),
} satisfies Record<keyof CompanyBankAccount, z.ZodType>);

const policy = z.object({
  requiresOtherApprover: z.boolean(),
  bands: z.array(z.object({ from: fromAmount, approvers: z.int().min(0) })).min(1),
  operatorApprovers: z.array(id),
  stepUpFrom: fromAmount.nullable(),
  operatorsMayWithdraw: z.boolean(),
  operatorsMayCorrect: z.boolean(),
  operatorsMayGiveBack: z.boolean(),
  quarantineHours: z.int().min(0),
} satisfies Record<keyof ControlPolicy, z.ZodType>);

const infractionAnswer = z.object({
  analysis: z.enum(analyses),
  description: z.string().nullable(),
  attachment: z
    .object({
      key: z.string(),
      name: z.string(),
      type: z.enum(Object.keys(attachmentTypes) as AttachmentType[]),
      bytes: z.int(),
    })
    .nullable(),
});

/** A payment that will be sent. Requests older than stored charges have none. */
const payment = {
  input: anObject<TransferInput | BoletoInput>(),
  charges: z.array(z.tuple([z.string(), anObject<PixCharge>()])).optional(),
};
const ofBatch = {
  batchId: id,
  /** Rows that would be sent, which the confirmed checks refer to; payments resolved meanwhile are included. */
  again: z.array(z.object({ id, record: anObject<object>() })).optional(),
};

const schemas = {
  CORRECTION: z.discriminatedUnion("type", [
    // One payment, which the request is about.
    z.object({ ...ofBatch, ...payment, type: z.enum(["TRANSFER", "BILLET"]) }),
    // Many payments, each in its state at the time of the request.
    z.object({ ...ofBatch, type: z.literal("RETRY"), payments: z.array(z.object({ ...payment, id })) }),
  ]),
  WITHDRAWAL: z.object({ value: amount, account }),
  PAYIN_REFUND: z.object({ amount }),
  INFRACTION: z.object({ ids: z.array(id), said: infractionAnswer }),
  WITHDRAWAL_ACCOUNT: account,
  POLICY: z.object({ version: z.int(), policy }),
} as const satisfies Record<RequestKind, z.ZodType>;

export type RequestPayload<Kind extends RequestKind> = z.output<(typeof schemas)[Kind]>;

export const readPayload = <Kind extends RequestKind>(kind: Kind, payload: unknown): RequestPayload<Kind> =>
  schemas[kind].parse(payload) as RequestPayload<Kind>;

const corrected = z.object({
  correction: z
    .object({
      batchId: id,
      payments: z.array(z.object({ id, value: z.int(), payee: z.string(), redirects: z.boolean() })),
    })
    .optional(),
});

/** Returns the failed payments that a request resends, from which its figures are computed. */
export const correctionIn = (payload: unknown) => corrected.parse(payload).correction;

const ofMany = z.object({ payments: z.array(z.unknown()) });

/** Returns how many payments a bulk correction resends; undefined for a single one. */
export const countOfMany = (payload: unknown): number | undefined =>
  ofMany.safeParse(payload).data?.payments.length;

/**
 * What Malote asks of the network that carries its charges (the clearing house for Pix and boletos, an acquirer for
 * cards), and what it receives back. One interface, an adapter per network. Every id is made by us, never taken from
 * the payer, and stored before the call. The network answers an id that the same company repeats with its first
 * result, so asking again is harmless; an adapter whose network knows no companies has to make one id of both. An
 * answer is believed only where it names the company and the id that were asked about.
 */
import type { LateTerms } from "@malote/domain/late-charges";
import * as z from "zod";
import { outsideInstant } from "./instant.ts";

interface ChargeOf {
  id: string;
  companyId: string;
  /** Centavos. */
  amount: number;
  payer: { name: string; taxId: string };
  /** Whom the payer pays. */
  receiver: { name: string; taxId: string };
}

export type ChargeOrder =
  | (ChargeOf & { method: "pix"; txid: string; expiresAt: string })
  | (ChargeOf & { method: "boleto"; barcode: string; dueDate: string; late: LateTerms | null })
  | (ChargeOf & { method: "credit_card"; installments: number; card: Card });

/** Goes through, and is kept nowhere. */
export interface Card {
  number: string;
  holder: string;
  expiry: { month: number; year: number };
  securityCode: string;
}

export interface RefundOrder {
  id: string;
  companyId: string;
  amount: number;
  /** The end-to-end id of the Pix that is refunded. */
  endToEndId: string | null;
  /** The charge of the card sale that is undone. */
  chargeId: string | null;
}

export type ChargeState = "waiting" | PayinEvent;
export type RefundState = "under_way" | PayinEvent;

export interface Charges {
  /**
   * Registers a charge. A card is authorised or refused at once; a Pix or boleto is `waiting` for its payer. Rejects
   * when the result is unknown. Never called inside a transaction.
   */
  charge(order: ChargeOrder): Promise<ChargeState>;
  /**
   * Ends an unpaid charge. Answers its state then; a charge that the network never received can never be made
   * afterwards.
   */
  cancel(charge: { id: string; companyId: string }): Promise<ChargeState>;
  /** Sends money back to its payer. A repeated id answers the progress of the first. */
  refund(order: RefundOrder): Promise<RefundState>;
}

/** A zero character is valid JSON and no text for PostgreSQL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());

const event = {
  /** The network's own id of the event: the same id again is the same event. */
  id: text(200).min(1),
  companyId: z.guid(),
  /** When it happened there, as an ISO instant. */
  at: outsideInstant,
};
const ofCharge = { ...event, chargeId: z.guid() };
const payer = z.object({
  name: text(500),
  document: text(500).nullable(),
  bank: text(500).nullable(),
  agency: text(500).nullable(),
  account: text(500).nullable(),
  accountDigit: text(500).nullable(),
  accountType: text(500).nullable(),
});

/** What happens to incoming money, except a Pix to a key, which the rails report. */
export const payinEvents = [
  z.object({
    ...ofCharge,
    kind: z.literal("charge_paid"),
    /** Of this payment, at the network: another id is another payment. A Pix has its end-to-end id here. */
    paymentId: text(100).min(1),
    value: z.int().positive(),
    payer: payer.nullable(),
  }),
  z.object({ ...ofCharge, kind: z.literal("charge_expired") }),
  z.object({ ...ofCharge, kind: z.literal("charge_cancelled"), by: z.enum(["user", "network"]) }),
  z.object({ ...ofCharge, kind: z.literal("charge_authorized"), authorizationCode: text(20).min(1) }),
  /** `reason`: a code of PAY-025, or one that is unknown here. */
  z.object({ ...ofCharge, kind: z.literal("charge_refused"), reason: text(100) }),
  z.object({
    ...event,
    kind: z.literal("ted_received"),
    paymentId: text(100).min(1),
    value: z.int().positive(),
    payer,
    /** `receivables`: another acquirer hands over the company's card sales. */
    purpose: z.enum(["payment", "receivables"]),
  }),
  z.object({ ...event, kind: z.literal("refund_done"), refundId: z.guid() }),
  z.object({ ...event, kind: z.literal("refund_failed"), refundId: z.guid(), reason: text(500).min(1) }),
  /** PAY-024: a suspicion of fraud. The money stays with us, out of the company's reach. */
  z.object({ ...event, kind: z.literal("payin_blocked"), endToEndId: text(100).min(1), reason: text(500) }),
  z.object({
    ...event,
    kind: z.literal("block_ended"),
    endToEndId: text(100).min(1),
    outcome: z.enum(["released", "returned"]),
  }),
  /** Its analysis is over and the money stays blocked; a later `block_ended` says how that ends. */
  z.object({ ...event, kind: z.literal("block_kept"), endToEndId: text(100).min(1) }),
  /** The blocked money goes back to its payer; a later `block_ended` says when it has. */
  z.object({ ...event, kind: z.literal("pix_rejected"), endToEndId: text(100).min(1) }),
] as const;
const payinEvent = z.discriminatedUnion("kind", payinEvents);
export type PayinEvent = z.output<typeof payinEvent>;

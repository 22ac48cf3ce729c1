/**
 * Port to the network that carries charges (the clearing house for Pix and boletos, an acquirer for cards), and its
 * events. One interface, an adapter per network. We make every id, never take it from the payer, and store it before
 * the call. The network answers a repeated id of the same company with the first result, so a retry is idempotent; an
 * adapter whose network has no companies must combine both into one id. An answer is accepted only when it names the
 * requested company and id.
 */
import type { LateTerms } from "@malote/domain/late-charges";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { outsideInstant } from "./instant.ts";

interface ChargeOf {
  id: string;
  companyId: string;
  /** Amount in centavos. */
  amount: number;
  payer: { name: string; taxId: string };
  /** Payee that the payer sees. */
  receiver: { name: string; taxId: string };
}

export type ChargeOrder =
  | (ChargeOf & { method: "pix"; txid: string; expiresAt: string })
  | (ChargeOf & { method: "boleto"; barcode: string; dueDate: string; late: LateTerms | null })
  | (ChargeOf & { method: "credit_card"; installments: number; card: Card });

/** Card data, passed to the network and never stored. */
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
  /** End-to-end id of the refunded Pix. */
  endToEndId: string | null;
  /** Id of the cancelled card sale's charge. */
  chargeId: string | null;
}

export type ChargeState = "waiting" | PayinEvent;
export type RefundState = "under_way" | PayinEvent;

export interface Charges extends Connection<PayinEvent> {
  /**
   * Registers a charge. A card is authorised or refused at once; a Pix or boleto is `waiting` for its payer. Rejects
   * when the result is unknown. Never call it inside a transaction.
   */
  charge(order: ChargeOrder): Promise<ChargeState>;
  /**
   * Cancels an unpaid charge and returns its resulting state. A charge that the network never received can then never
   * be made.
   */
  cancel(charge: { id: string; companyId: string }): Promise<ChargeState>;
  /** Returns money to its payer. A repeated id returns the progress of the first refund. */
  refund(order: RefundOrder): Promise<RefundState>;
}

/** Excludes the zero character, which is valid JSON but not valid PostgreSQL text. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());

const event = {
  /** Network's id of the event; a repeated id is the same event. */
  id: text(200).min(1),
  companyId: z.guid(),
  /** ISO instant at which the event happened. */
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

/** Events of incoming money, except a Pix to a key, which the rails report. */
export const payinEvents = [
  z.object({
    ...ofCharge,
    kind: z.literal("charge_paid"),
    /** Network's id of this payment; another id is another payment. For a Pix, its end-to-end id. */
    paymentId: text(100).min(1),
    value: z.int().positive(),
    payer: payer.nullable(),
  }),
  z.object({ ...ofCharge, kind: z.literal("charge_expired") }),
  z.object({ ...ofCharge, kind: z.literal("charge_cancelled"), by: z.enum(["user", "network"]) }),
  z.object({ ...ofCharge, kind: z.literal("charge_authorized"), authorizationCode: text(20).min(1) }),
  /** `reason` is a code of PAY-025, or one that is unknown here. */
  z.object({ ...ofCharge, kind: z.literal("charge_refused"), reason: text(100) }),
  z.object({
    ...event,
    kind: z.literal("ted_received"),
    paymentId: text(100).min(1),
    value: z.int().positive(),
    payer,
    /** `receivables`: another acquirer pays the company's card sales. */
    purpose: z.enum(["payment", "receivables"]),
  }),
  z.object({ ...event, kind: z.literal("refund_done"), refundId: z.guid() }),
  z.object({ ...event, kind: z.literal("refund_failed"), refundId: z.guid(), reason: text(500).min(1) }),
  /** PAY-024: suspicion of fraud. The money stays here and the company cannot use it. */
  z.object({ ...event, kind: z.literal("payin_blocked"), endToEndId: text(100).min(1), reason: text(500) }),
  z.object({
    ...event,
    kind: z.literal("block_ended"),
    endToEndId: text(100).min(1),
    outcome: z.enum(["released", "returned"]),
  }),
  /** The analysis has ended and the money stays blocked; a later `block_ended` gives the outcome. */
  z.object({ ...event, kind: z.literal("block_kept"), endToEndId: text(100).min(1) }),
  /** The blocked money is being returned to its payer; a later `block_ended` confirms it. */
  z.object({ ...event, kind: z.literal("pix_rejected"), endToEndId: text(100).min(1) }),
] as const;
const payinEvent = z.discriminatedUnion("kind", payinEvents);
export type PayinEvent = z.output<typeof payinEvent>;

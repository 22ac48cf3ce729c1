/** Port to the network that carries payments, and its events. One interface, an adapter per network. */
import type { PaymentMethod } from "@malote/domain/limits";
import * as z from "zod";
import { payinEvents } from "./charges.ts";
import type { Connection, UnreadableReport } from "./connection.ts";
import { outsideInstant } from "./instant.ts";

export interface PaymentOrder {
  /**
   * Id that we make and store before sending. It is the idempotency key and our number of the order at every network,
   * even at one that makes its own end-to-end id. The network answers a repeated one with the first result.
   */
  endToEndId: string;
  companyId: string;
  method: PaymentMethod;
  /** Amount in centavos. */
  value: number;
  payer: { name: string; taxId: string; agency: string; account: string; accountDigit: string };
  receiver: {
    name: string | null;
    taxId: string | null;
    bankIspb: string | null;
    agency: string | null;
    /** Check digit of an agency, at banks that use one. Stored beside the agency's number, not as part of it. */
    agencyDigit: string | null;
    account: string | null;
    accountDigit: string | null;
    accountType: string | null;
    pixKeyType: string | null;
    pixKey: string | null;
    /** Expected holder of the key, when the company requires this check. */
    pixKeyTaxId: string | null;
  };
  /** Barcode (44 digits) of a paid boleto, and its due date if the code contains one. */
  boleto: { barcode: string; dueDate: string | null } | null;
  /** For a Pix by code: location of a dynamic charge, and the payee's identifier of the payment. */
  code: { location: string | null; txid: string | null } | null;
  /** Plain text, at most 140 characters. */
  description: string | null;
}

/**
 * Number by which a network identifies an order: its own end-to-end id, its "nosso número", a protocol, a file with its
 * line. Stored beside our id; several orders may share a number.
 */
export interface Reference {
  /** Kind that the adapter chooses, at most 50 characters. */
  kind: string;
  /** Value of at most 200 characters. */
  value: string;
}

/** Network's answer to one order. `raw` is the answer as received, for later investigation. */
export type OrderAnswer = { raw?: string } & (
  | { result: "accepted"; references?: readonly Reference[] }
  /** The network explicitly refused: this key will never be paid. */
  | { result: "refused"; reason: string }
  /** The result is unknown: ask with `find` before a retry under the same key. */
  | { result: "doubtful"; cause: string }
);

/** Error when a call got no answer at all. Any other error of `send` counts as `left: "maybe"`. */
export class RailFault extends Error {
  /** Whether orders of the call may have reached the network. `no`: each is retried under its key without `find`. */
  readonly left: "no" | "maybe";
  /** Time of the network's Retry-After. */
  readonly retryAt: Date | undefined;

  constructor(message: string, { left, retryAt }: { left: "no" | "maybe"; retryAt?: Date }) {
    super(message);
    this.left = left;
    this.retryAt = retryAt;
  }
}

/** Longest silence of a network at each step. */
export interface RailTiming {
  /** Milliseconds that the sender of an order may take; afterwards another worker calls `find`. */
  answeredWithinMs: number;
  /** Milliseconds after acceptance until an order's outcome is polled. */
  outcomeWithinMs: Readonly<Record<PaymentMethod, number>>;
  /** Milliseconds after arrival until an order that may still be returned is polled. */
  finishedWithinMs: number;
  /**
   * Milliseconds after hand-over from which an order that `find` does not know was certainly never accepted and may be
   * sent again. Null: never; a person must review it.
   */
  absenceProvesAfterMs: number | null;
}

/** Keys by which the network may know an order: ours, or numbers of its own. */
export interface KnownOrder {
  endToEndId: string;
  references: readonly Reference[];
}

export interface Rails extends Connection<RailReport> {
  /** Methods that the network carries. The main connection of an installation carries all of them. */
  readonly methods: readonly PaymentMethod[];
  readonly timing: RailTiming;
  /**
   * Sends orders and returns the network's answer to each, by `endToEndId`; an order without an answer is doubtful.
   * Throws a `RailFault` when there is no answer at all. Never call it inside a transaction.
   */
  send(orders: readonly PaymentOrder[]): Promise<ReadonlyMap<string, OrderAnswer>>;
  /**
   * Returns the network's state of these orders, by `endToEndId`; an order that is missing from the answer is unknown
   * to the network.
   */
  find(orders: readonly KnownOrder[]): Promise<ReadonlyMap<string, OrderReport>>;
  /** Returns the document (PDF) that proves an order's arrival; undefined while the network has none. */
  proof(order: KnownOrder): Promise<Uint8Array | undefined>;
}

/**
 * Last event of an order, with its id. For a pending order, the network's references, if it has any, because its answer
 * may have been lost.
 */
export type OrderReport =
  | "under_way"
  | { kind: "under_way"; references: readonly Reference[] }
  | PaymentEvent
  | ReferredEvent;

export const isReportToApply = (report: OrderReport): report is PaymentEvent | ReferredEvent =>
  report !== "under_way" && report.kind !== "under_way";

/** Returns the network's own references of the order that a report is about. */
export function referencesIn(report: OrderReport): readonly Reference[] {
  if (report === "under_way") return [];
  if (report.kind === "under_way") return report.references;
  return "order" in report && "reference" in report.order ? [report.order.reference] : [];
}

/** Excludes zero characters and unpaired surrogates, which are valid JSON but not valid PostgreSQL text. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());
const textOrNull = text(500).nullable();

const event = {
  /** Network's id of the event; a repeated id is the same event. */
  id: text(200).min(1),
  endToEndId: text(100).min(1),
  /** ISO instant at which the event happened. */
  at: outsideInstant,
};
const paymentEvent = {
  ...event,
  companyId: z.guid(),
  /** Centavos according to the network; the event is applied only if they equal the order's. */
  value: z.int().positive().optional(),
};

const paymentEvents = [
  /** The money arrived; `final` when it can no longer be returned automatically (Pix, internal). */
  z.object({ ...paymentEvent, kind: z.literal("settled"), final: z.boolean() }),
  /** The time in which the other bank may return the money has passed. */
  z.object({ ...paymentEvent, kind: z.literal("finished") }),
  z.object({ ...paymentEvent, kind: z.literal("failed"), reason: text(500) }),
  /**
   * The other bank returned money that had arrived. `authorizationCode` is the network's id of the return (TRF-003).
   */
  z.object({
    ...paymentEvent,
    kind: z.literal("returned"),
    reason: text(500),
    authorizationCode: text(100).nullish(),
  }),
] as const;

/** Incoming Pix to an account of one of our companies. */
const pixReceived = z.object({
  ...event,
  kind: z.literal("pix_received"),
  pixKey: text(200),
  value: z.int().positive(),
  payer: z.object({
    name: text(500),
    document: textOrNull,
    bank: textOrNull,
    agency: textOrNull,
    account: textOrNull,
    accountDigit: textOrNull,
    accountType: textOrNull,
  }),
  message: text(5_000).nullable(),
  /** Transaction id (txid) of the static QR code that the payer scanned. */
  txid: text(35).nullish(),
});

/** Validates an event, because an external network may break its types. */
export const railEvent = z.discriminatedUnion("kind", [...paymentEvents, pixReceived, ...payinEvents]);
export type RailEvent = z.output<typeof railEvent>;
export type PaymentEvent = z.output<(typeof paymentEvents)[number]>;
export type PixReceived = z.output<typeof pixReceived>;

const paymentKinds = new Set<string>(paymentEvents.map(({ shape }) => shape.kind.value));
export const isPaymentEvent = (event: RailEvent): event is PaymentEvent => paymentKinds.has(event.kind);

/**
 * Source of a report: its connection and feed. The feeds are the answer to a call, a webhook, polling, a file, the
 * operator (who asked the network), and ourselves when an order is handed to no network.
 */
export interface Origin {
  connection: string;
  feed: "answer" | "webhook" | "poll" | "file" | "operator" | "own";
}

/**
 * Report of a payment from a network that knows neither our companies nor, perhaps, our key: it names the order by its
 * own reference.
 */
export type ReferredEvent = WithoutOurs<PaymentEvent> & { order: { key: string } | { reference: Reference } };
type WithoutOurs<Event> = Event extends unknown ? Omit<Event, "companyId" | "endToEndId"> : never;

const orderName = z.union([
  z.object({ key: text(100).min(1) }),
  z.object({ reference: z.object({ kind: text(50).min(1), value: text(200).min(1) }) }),
]);
const referred = z.object({ id: text(200).min(1), kind: z.string(), order: orderName });
/** Returns true for a referred event; its other fields are validated once its order is found. */
export const isReferredEvent = (one: unknown): one is ReferredEvent => referred.safeParse(one).success;

/** Any report of a network, including those that name orders by its own reference. */
export type RailReport = RailEvent | ReferredEvent | UnreadableReport;

/**
 * Event handler of the product. Resolves once every event is stored, and applied or kept as a dead letter for review; a
 * rejection makes the network deliver them again. Events may come twice, late and in any order.
 */
export type EventHandler<Event = RailEvent> = (events: readonly Event[], origin: Origin) => Promise<void>;
export type AnyEventHandler = EventHandler<RailReport>;

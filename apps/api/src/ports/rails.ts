/**
 * What Malote asks of the network that carries its payments, and what it receives back. One interface, an adapter per
 * network.
 */
import * as z from "zod";
import { payinEvents } from "./charges.ts";
import { outsideInstant } from "./instant.ts";

export interface PaymentOrder {
  /**
   * Made by us and stored before sending: the idempotency key, and our number of the order at every network, also at one that
   * makes an end-to-end id of its own. The network answers a repeated one with the first result.
   */
  endToEndId: string;
  companyId: string;
  method: "PIX" | "TED" | "TEV" | "BILLET";
  /** Centavos. */
  value: number;
  payer: { name: string; taxId: string; agency: string; account: string; accountDigit: string };
  receiver: {
    name: string | null;
    taxId: string | null;
    bankIspb: string | null;
    agency: string | null;
    /** Of banks whose branches have one; kept beside the number and no part of it. */
    agencyDigit: string | null;
    account: string | null;
    accountDigit: string | null;
    accountType: string | null;
    pixKeyType: string | null;
    pixKey: string | null;
    /** The expected holder of the key, when the company wants that checked. */
    pixKeyTaxId: string | null;
  };
  /** What is paid where it is a boleto: its barcode of 44 digits, and its due date where the code holds one. */
  boleto: { barcode: string; dueDate: string | null } | null;
  /** Of a Pix by code: the charge of a dynamic one, and the name a payee knows the payment by. */
  code: { location: string | null; txid: string | null } | null;
  /** Plain text, at most 140 characters. */
  description: string | null;
}

/**
 * A number by which a network knows an order: the end-to-end id it made itself, its "nosso número", a protocol, a file with
 * its line. Kept beside ours; one number may be of many orders.
 */
export interface Reference {
  /** At most 50 characters, of the adapter's choice. */
  kind: string;
  /** At most 200 characters. */
  value: string;
}

/** The network's answer to one order. `raw`: as received, for later investigation. */
export type OrderAnswer = { raw?: string } & (
  | { result: "accepted"; references?: readonly Reference[] }
  /** Explicitly: it is not paid and never will be under this key. */
  | { result: "refused"; reason: string }
  /** Unknown whether the network has it: asked with `find` before it is sent again under the same key. */
  | { result: "doubtful"; cause: string }
);

/** Why there is no answer at all. Any other error of `send` counts as one after which orders may have left. */
export class RailFault extends Error {
  /** Whether an order of the call may have reached the network. `no`: each is sent again under its key without asking. */
  readonly left: "no" | "maybe";
  /** Retry-after given by the network. */
  readonly retryAt: Date | undefined;

  constructor(message: string, { left, retryAt }: { left: "no" | "maybe"; retryAt?: Date }) {
    super(message);
    this.left = left;
    this.retryAt = retryAt;
  }
}

/** How long a network may be silent. */
export interface RailTiming {
  /** How long the sender of an order may take; after it another worker asks about the order. */
  answeredWithinMs: number;
  /** How long after it was accepted an order's outcome is asked for. */
  outcomeWithinMs: Readonly<Record<PaymentOrder["method"], number>>;
  /** How long after it arrived an order that may still come back is asked about. */
  finishedWithinMs: number;
  /**
   * How long after it was handed over an order that `find` does not know was certainly never taken, so that it may be
   * sent again. Null: never; a person has to review it.
   */
  absenceProvesAfterMs: number | null;
}

/** An order as the network may know it: by our key, or by a number of its own. */
export interface KnownOrder {
  endToEndId: string;
  references: readonly Reference[];
}

export interface Rails {
  /** Names the connection in the rows of what was sent over it: never changes. */
  readonly id: string;
  readonly timing: RailTiming;
  /**
   * Hands orders over and answers for each, by its `endToEndId`, what the network answered; an order without an
   * answer is doubtful. Throws a `RailFault` where there is no answer at all. Never called inside a transaction.
   */
  send(orders: readonly PaymentOrder[]): Promise<ReadonlyMap<string, OrderAnswer>>;
  /**
   * What the network knows of these orders, by `endToEndId`; an order that is missing from the answer is unknown to
   * it.
   */
  find(orders: readonly KnownOrder[]): Promise<ReadonlyMap<string, OrderReport>>;
  /** The document (PDF) by which the network proves that an order arrived; undefined while it has none. */
  proof(order: KnownOrder): Promise<Uint8Array | undefined>;
  /** Set only for a network that calls us. */
  readonly webhook?: {
    /** Whether the network itself called, by its signature or secret: asked before anything of the body is read. */
    isGenuine(call: WebhookCall): boolean;
    read: ReadReports;
  };
  /** Set only for a network that hands over files. `read` throws where the content is no file of this network at all. */
  readonly file?: { read: ReadReports };
}

/** A call of a network to us, as it came. */
export interface WebhookCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/** What a body or file says, in its order: a record that cannot be read takes none of the others with it. */
export type ReadReports = (content: Uint8Array) => readonly RailReport[];

/**
 * The last event of an order, with that event's id. For an order under way, the network's numbers of it, where it has
 * any: its answer may have been lost.
 */
export type OrderReport =
  | "under_way"
  | { kind: "under_way"; references: readonly Reference[] }
  | PaymentEvent
  | ReferredEvent;

export const isReportToApply = (report: OrderReport): report is PaymentEvent | ReferredEvent =>
  report !== "under_way" && report.kind !== "under_way";

/** The network's own references of the order that a report is about. */
export function referencesIn(report: OrderReport): readonly Reference[] {
  if (report === "under_way") return [];
  if (report.kind === "under_way") return report.references;
  return "order" in report && "reference" in report.order ? [report.order.reference] : [];
}

/** A zero character and half a surrogate pair are valid JSON and no text for PostgreSQL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());
const textOrNull = text(500).nullable();

const event = {
  /** The network's own id of the event: the same id again is the same event. */
  id: text(200).min(1),
  endToEndId: text(100).min(1),
  /** When it happened there, as an ISO instant. */
  at: outsideInstant,
};
const paymentEvent = {
  ...event,
  companyId: z.guid(),
  /** Centavos, by the network: compared with the order's, and applied only where they are equal. */
  value: z.int().positive().optional(),
};

const paymentEvents = [
  /** The money arrived; `final` when it can no longer come back by itself (Pix, internal). */
  z.object({ ...paymentEvent, kind: z.literal("settled"), final: z.boolean() }),
  /** The time in which the other bank may send it back is over. */
  z.object({ ...paymentEvent, kind: z.literal("finished") }),
  z.object({ ...paymentEvent, kind: z.literal("failed"), reason: text(500) }),
  /** It had arrived and the other bank sent it back. `authorizationCode`: the network's id of the money coming back (TRF-003). */
  z.object({
    ...paymentEvent,
    kind: z.literal("returned"),
    reason: text(500),
    authorizationCode: text(100).nullish(),
  }),
] as const;

/** A payer paid into the account of one of our companies. */
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
  /** The txid of the static QR code that the payer scanned. */
  txid: text(35).nullish(),
});

/** Validates an event. A network is outside: its types are promises, not facts. */
export const railEvent = z.discriminatedUnion("kind", [...paymentEvents, pixReceived, ...payinEvents]);
export type RailEvent = z.output<typeof railEvent>;
export type PaymentEvent = z.output<(typeof paymentEvents)[number]>;
export type PixReceived = z.output<typeof pixReceived>;

const paymentKinds = new Set<string>(paymentEvents.map(({ shape }) => shape.kind.value));
export const isPaymentEvent = (event: RailEvent): event is PaymentEvent => paymentKinds.has(event.kind);

/**
 * Over which connection a report came, and how: in the answer to a call, by a call to us, because we asked, in a file,
 * from the operator, who asked the network, or from ourselves, where we hand an order over to no network.
 */
export interface Origin {
  connection: string;
  feed: "answer" | "webhook" | "poll" | "file" | "operator" | "own";
}

/**
 * A report of a payment from a network that knows neither our companies nor, perhaps, our key: it names the order by
 * its own reference.
 */
export type ReferredEvent = WithoutOurs<PaymentEvent> & { order: { key: string } | { reference: Reference } };
type WithoutOurs<Event> = Event extends unknown ? Omit<Event, "companyId" | "endToEndId"> : never;

const orderName = z.union([
  z.object({ key: text(100).min(1) }),
  z.object({ reference: z.object({ kind: text(50).min(1), value: text(200).min(1) }) }),
]);
const referred = z.object({ id: text(200).min(1), kind: z.string(), order: orderName });
/** What else it says is read once its order is found. */
export const isReferredEvent = (one: unknown): one is ReferredEvent => referred.safeParse(one).success;

/** A record of a network that cannot be read, as it came: kept for a person. */
export interface UnreadableReport {
  unreadable: string;
  why: string;
}

/** Whatever a network may report, also one that names orders in its own way. */
export type RailReport = RailEvent | ReferredEvent | UnreadableReport;

const unreadableReport = z.object({ unreadable: z.string(), why: z.string() });

/** An adapter's types are promises, not facts, also where it gives none of them. */
export const isUnreadable = (one: unknown): one is UnreadableReport =>
  unreadableReport.safeParse(one).success;

/**
 * The product's event handler. Resolves once every event is stored, and applied or kept as a dead letter for a person
 * to review; rejecting makes the network deliver them again.
 * Events may come twice, late and in any order.
 */
export type EventHandler<Event = RailEvent> = (events: readonly Event[], origin: Origin) => Promise<void>;
export type AnyEventHandler = EventHandler<RailReport>;

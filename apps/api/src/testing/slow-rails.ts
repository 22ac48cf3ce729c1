/**
 * A second network for tests that differs from the sandbox's: it knows no company, and reports half a minute late by a
 * number of its own, which it returns for an order. It keeps the accepted orders in memory and pays all of them. The
 * product can fetch its reports, and it also sends them by webhook or in a file, in its own format.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { paymentMethods } from "@malote/domain/payment-limits";
import * as z from "zod";
import type { Clock } from "../platform/clock.ts";
import type { WebhookCall } from "../ports/connection.ts";
import type {
  KnownOrder,
  OrderAnswer,
  OrderReport,
  PaymentOrder,
  RailReport,
  Rails,
  Reference,
  ReferredEvent,
} from "../ports/rails.ts";

export interface SlowRails extends Rails {
  /** Returns the reports that are due and not fetched yet. */
  dueEvents(): ReferredEvent[];
  /** Returns the keys of the accepted orders. */
  taken(): string[];
}

const paysAfterMs = 30_000;

const secret = "the secret that only the slow network and its adapter know";
const signatureHeader = "slow-signature";
const firstLine = "RETORNO DA REDE LENTA";

const signatureOf = (body: Uint8Array): Buffer => createHmac("sha256", secret).update(body).digest();

/** The network's format of a payment. */
const record = z.object({
  id: z.string().min(1),
  protocol: z.string().min(1),
  paid_at: z.iso.datetime(),
  cents: z.coerce.number().int().positive(),
});

function reportOf(given: unknown): RailReport {
  const read = record.safeParse(given);
  if (!read.success) return { unreadable: JSON.stringify(given), why: z.prettifyError(read.error) };
  const { id, protocol, paid_at, cents } = read.data;
  const order = { reference: { kind: "protocol", value: protocol } };
  return { kind: "settled", id, order, at: paid_at, value: cents, final: true };
}

function recordOf({ id, order, at, value }: ReferredEvent): z.input<typeof record> {
  if (!("reference" in order)) throw new Error("the slow network names orders by its own numbers alone");
  return { id, protocol: order.reference.value, paid_at: at, cents: value };
}

/** Returns the network's signed webhook call about these payments. */
export function callOf(events: readonly ReferredEvent[]): { body: string; headers: Record<string, string> } {
  return signed(JSON.stringify({ payments: events.map(recordOf) }));
}

export const signed = (body: string) => ({
  body,
  headers: {
    "content-type": "application/json",
    [signatureHeader]: signatureOf(Buffer.from(body)).toString("hex"),
  },
});

/** Returns the network's file about these payments. */
export const fileOf = (events: readonly ReferredEvent[]): string =>
  [firstLine, ...events.map((event) => Object.values(recordOf(event)).join(";"))].join("\r\n");

const text = (content: Uint8Array): string => Buffer.from(content).toString("utf8");

function readBody(body: Uint8Array): RailReport[] {
  const { payments } = z.object({ payments: z.array(z.unknown()) }).parse(JSON.parse(text(body)));
  return payments.map(reportOf);
}

function readFile(content: Uint8Array): RailReport[] {
  const [first, ...lines] = text(content)
    .split(/\r?\n/)
    .filter((line) => line !== "");
  if (first !== firstLine) throw new Error("its first line is another one");
  return lines.map((line) => {
    const [id, protocol, paid_at, cents] = line.split(";");
    return reportOf({ id, protocol, paid_at, cents });
  });
}

/** Checks the signature; throws for one of another length, as an adapter may. */
const isGenuine = ({ headers, body }: WebhookCall): boolean =>
  timingSafeEqual(Buffer.from(String(headers[signatureHeader]), "hex"), signatureOf(body));

interface Taken {
  order: PaymentOrder;
  reference: Reference;
  paidAt: Date;
  isReported: boolean;
}

export function slowRails(clock: Clock): SlowRails {
  const taken = new Map<string, Taken>();
  const find = ({ endToEndId, references }: KnownOrder) =>
    [...taken.values()].find(({ reference }) => references.some(({ value }) => value === reference.value)) ??
    taken.get(endToEndId);
  const settled = ({ order, reference, paidAt }: Taken): ReferredEvent => ({
    kind: "settled",
    id: `${reference.value}/paid`,
    order: { reference },
    at: paidAt.toISOString(),
    value: order.value,
    final: true,
  });
  const isPaid = ({ paidAt }: Taken) => paidAt <= clock.now();

  return {
    id: "slow",
    methods: paymentMethods,
    timing: {
      answeredWithinMs: 20_000,
      outcomeWithinMs: { PIX: 120_000, TEV: 120_000, TED: 120_000, BILLET: 120_000 },
      finishedWithinMs: 86_400_000,
      absenceProvesAfterMs: 60_000,
    },
    async send(orders) {
      const answers = new Map<string, OrderAnswer>();
      for (const order of orders) {
        const known = taken.get(order.endToEndId) ?? {
          order,
          reference: { kind: "protocol", value: `S-${taken.size + 1}` },
          paidAt: new Date(clock.now().getTime() + paysAfterMs),
          isReported: false,
        };
        taken.set(order.endToEndId, known);
        answers.set(order.endToEndId, { result: "accepted", references: [known.reference] });
      }
      return answers;
    },
    async find(orders) {
      const known = orders.flatMap((order) => {
        const one = find(order);
        if (!one) return [];
        const report: OrderReport = isPaid(one)
          ? settled(one)
          : { kind: "under_way", references: [one.reference] };
        return [[order.endToEndId, report] as const];
      });
      return new Map(known);
    },
    proof: async () => undefined,
    webhook: { isGenuine, read: readBody },
    file: { read: readFile },
    dueEvents() {
      const due = [...taken.values()].filter((one) => isPaid(one) && !one.isReported);
      for (const one of due) one.isReported = true;
      return due.map(settled);
    },
    taken: () => [...taken.keys()],
  };
}

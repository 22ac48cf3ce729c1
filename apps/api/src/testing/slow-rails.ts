/**
 * A second network for tests, unlike the sandbox's: it knows no company and reports by a number of its own that it gives an
 * order with its answer, half a minute late. It keeps what it took in memory, and pays everything.
 */
import type { Clock } from "../platform/clock.ts";
import type {
  KnownOrder,
  OrderAnswer,
  OrderNews,
  PaymentOrder,
  Rails,
  Reference,
  ReferredEvent,
} from "../ports/rails.ts";

export interface SlowRails extends Rails {
  /** What it has to report by now and was not asked for yet. */
  dueEvents(): ReferredEvent[];
  /** The keys of what it took. */
  taken(): string[];
}

const paysAfterMs = 30_000;

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
        const news: OrderNews = isPaid(one)
          ? settled(one)
          : { kind: "under_way", references: [one.reference] };
        return [[order.endToEndId, news] as const];
      });
      return new Map(known);
    },
    proof: async () => undefined,
    dueEvents() {
      const due = [...taken.values()].filter((one) => isPaid(one) && !one.isReported);
      for (const one of due) one.isReported = true;
      return due.map(settled);
    },
    taken: () => [...taken.keys()],
  };
}

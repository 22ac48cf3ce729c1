/** What becomes of an order: decided once, when the network takes it, and told in one or two events. */
import { billetMoment, closesEarly, payableUntil } from "@malote/domain/billet";
import {
  type CalendarDate,
  nextBusinessDay,
  saoPauloDate,
  startOfDay,
  tedExecutionDate,
} from "@malote/domain/calendar";
import type { PaymentOrder, RailEvent } from "../port.ts";
import { happens } from "./chance.ts";
import {
  billetReturnReason,
  refusalOfBillet,
  refusalOfPixKey,
  refusalOfReceiver,
  returnReason,
  sendsBilletBack,
  sendsTedBack,
} from "./magic-values.ts";
import type { RailSettings } from "./settings.ts";

export interface Outcome {
  kind: "settled" | "failed" | "returned";
  reason: string | null;
  events: { event: RailEvent; dueAt: Date }[];
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** TEDs run from 06:30 on; one that was handed over earlier waits for it. */
const tedOpensMs = 6.5 * hourMs;
const tedTakesMs = 3 * minuteMs;
/** When the next business day's work begins: what settled before cannot come back by itself any more. */
const morningMs = 8 * hourMs;

const unreachable = "O banco de destino está indisponível no momento. Tente novamente.";

export function decideOutcome(order: PaymentOrder, settings: RailSettings, acceptedAt: Date): Outcome {
  const settlesAt = settlementOf(order, settings, acceptedAt);
  const tell = (event: Told, dueAt: Date) => ({
    event: {
      ...event,
      id: `${order.endToEndId}:${event.kind}`,
      endToEndId: order.endToEndId,
      companyId: order.companyId,
      at: dueAt.toISOString(),
    },
    dueAt,
  });

  const reason = refusal(order, settings, settlesAt);
  if (reason) return { kind: "failed", reason, events: [tell({ kind: "failed", reason }, settlesAt)] };

  // What settles through the clearing house may come back until the next business day begins.
  if (order.method === "PIX" || order.method === "TEV") {
    return { kind: "settled", reason: null, events: [tell({ kind: "settled", final: true }, settlesAt)] };
  }
  const nextMorning = atTime(nextBusinessDay(saoPauloDate(settlesAt)), morningMs);
  const settled = tell({ kind: "settled", final: false }, settlesAt);
  const back = returnOf(order);
  if (back) {
    const returned = tell({ kind: "returned", reason: back }, nextMorning);
    return { kind: "returned", reason: back, events: [settled, returned] };
  }
  return { kind: "settled", reason: null, events: [settled, tell({ kind: "finished" }, nextMorning)] };
}

type Told =
  | { kind: "settled"; final: boolean }
  | { kind: "finished" }
  | { kind: "failed"; reason: string }
  | { kind: "returned"; reason: string };

function returnOf({ method, billet, receiver }: PaymentOrder): string | undefined {
  if (billet) return sendsBilletBack(billet.barcode) ? billetReturnReason : undefined;
  return method === "TED" && receiver.taxId && sendsTedBack(receiver.taxId) ? returnReason : undefined;
}

function refusal(
  { endToEndId, receiver, billet }: PaymentOrder,
  settings: RailSettings,
  settlesAt: Date,
): string | undefined {
  return (
    (billet ? (refusalOfBillet(billet.barcode) ?? overdue(billet, settlesAt)) : undefined) ??
    (receiver.pixKey ? refusalOfPixKey(receiver.pixKeyType, receiver.pixKey) : undefined) ??
    (receiver.taxId ? refusalOfReceiver(receiver.taxId) : undefined) ??
    (happens(settings.failure_percent, `fails ${endToEndId}`) ? unreachable : undefined)
  );
}

/** After its last day a boleto is not taken at the amount that was ordered. */
function overdue({ dueDate }: NonNullable<PaymentOrder["billet"]>, settlesAt: Date): string | undefined {
  const until = payableUntil(dueDate as CalendarDate | null);
  return until !== null && saoPauloDate(settlesAt) > until ? "Boleto vencido." : undefined;
}

function settlementOf(order: PaymentOrder, settings: RailSettings, acceptedAt: Date): Date {
  const { method, billet, value } = order;
  if (billet) {
    const starts = billetMoment(null, closesEarly({ barcode: billet.barcode, value }), acceptedAt);
    return new Date(starts.getTime() + settings.pix_latency_ms);
  }
  if (method !== "TED") return new Date(acceptedAt.getTime() + settings.pix_latency_ms);
  const opens = atTime(tedExecutionDate(acceptedAt), tedOpensMs);
  return new Date(Math.max(acceptedAt.getTime(), opens.getTime()) + tedTakesMs);
}

function atTime(day: ReturnType<typeof saoPauloDate>, ms: number): Date {
  return new Date(startOfDay(day).getTime() + ms);
}

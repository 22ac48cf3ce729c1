/** What becomes of an order: decided once, when the network takes it, and told in one or two events. */
import { nextBusinessDay, saoPauloDate, startOfDay, tedExecutionDate } from "@malote/domain/calendar";
import type { PaymentOrder, RailEvent } from "../port.ts";
import { happens } from "./chance.ts";
import { refusalOfPixKey, refusalOfReceiver, returnReason, sendsTedBack } from "./magic-values.ts";
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
  const settlesAt = settlementOf(order.method, settings, acceptedAt);
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

  const reason = refusal(order, settings);
  if (reason) return { kind: "failed", reason, events: [tell({ kind: "failed", reason }, settlesAt)] };

  if (order.method !== "TED") {
    return { kind: "settled", reason: null, events: [tell({ kind: "settled", final: true }, settlesAt)] };
  }
  const nextMorning = atTime(nextBusinessDay(saoPauloDate(settlesAt)), morningMs);
  const settled = tell({ kind: "settled", final: false }, settlesAt);
  if (order.receiver.taxId && sendsTedBack(order.receiver.taxId)) {
    const returned = tell({ kind: "returned", reason: returnReason }, nextMorning);
    return { kind: "returned", reason: returnReason, events: [settled, returned] };
  }
  return { kind: "settled", reason: null, events: [settled, tell({ kind: "finished" }, nextMorning)] };
}

type Told =
  | { kind: "settled"; final: boolean }
  | { kind: "finished" }
  | { kind: "failed"; reason: string }
  | { kind: "returned"; reason: string };

function refusal({ endToEndId, receiver }: PaymentOrder, settings: RailSettings): string | undefined {
  return (
    (receiver.pixKey ? refusalOfPixKey(receiver.pixKeyType, receiver.pixKey) : undefined) ??
    (receiver.taxId ? refusalOfReceiver(receiver.taxId) : undefined) ??
    (happens(settings.failure_percent, `fails ${endToEndId}`) ? unreachable : undefined)
  );
}

function settlementOf(method: PaymentOrder["method"], settings: RailSettings, acceptedAt: Date): Date {
  if (method !== "TED") return new Date(acceptedAt.getTime() + settings.pix_latency_ms);
  const opens = atTime(tedExecutionDate(acceptedAt), tedOpensMs);
  return new Date(Math.max(acceptedAt.getTime(), opens.getTime()) + tedTakesMs);
}

function atTime(day: ReturnType<typeof saoPauloDate>, ms: number): Date {
  return new Date(startOfDay(day).getTime() + ms);
}

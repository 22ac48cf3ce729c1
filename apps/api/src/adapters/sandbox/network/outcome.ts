/** The outcome of an order: decided once, when the network accepts it, and delivered in one or two events. */
import { boletoMoment, closesEarly, payableUntil } from "@malote/domain/boleto";
import {
  type CalendarDate,
  nextBusinessDay,
  saoPauloDate,
  startOfDay,
  tedExecutionDate,
  tedOpens,
} from "@malote/domain/calendar";
import { hourMs, minuteMs } from "@malote/domain/durations";
import { amountDue, isTakenOn } from "@malote/domain/registered-boleto";
import type { PaymentOrder, RailEvent } from "../../../ports/rails.ts";
import { registrationOf } from "./boleto-register.ts";
import { happens } from "./chance.ts";
import {
  boletoReturnReason,
  refusalOfBoleto,
  refusalOfPixKey,
  refusalOfReceiver,
  returnReason,
  sendsBoletoBack,
  sendsTedBack,
} from "./magic-values.ts";
import type { RailSettings } from "./settings.ts";

export interface Outcome {
  kind: "settled" | "failed" | "returned";
  reason: string | null;
  events: { event: RailEvent; dueAt: Date }[];
}

/** ISPB of a fictitious bank, the other side of the sandbox's payments. */
export const outsideIspb = "88888801";

const tedTakesMs = 3 * minuteMs;
/**
 * Start of work on a business day. A payment that settled on an earlier day cannot be returned automatically after this
 * time.
 */
const morningMs = 8 * hourMs;

const unreachable = "O banco de destino está indisponível no momento. Tente novamente.";

/**
 * Decides the outcome of an order. `refused` is the reason for which the charging institution refuses the payment of a
 * charge.
 */
export function decideOutcome(
  order: PaymentOrder,
  settings: RailSettings,
  acceptedAt: Date,
  refused?: string,
): Outcome {
  const settlesAt = settlementOf(order, settings, acceptedAt);
  const eventAt = (event: OrderEvent, dueAt: Date) => ({
    event: {
      ...event,
      id: `${order.endToEndId}:${event.kind}`,
      endToEndId: order.endToEndId,
      companyId: order.companyId,
      value: order.value,
      at: dueAt.toISOString(),
    },
    dueAt,
  });

  const reason = refused ?? refusal(order, settings, settlesAt);
  if (reason) return { kind: "failed", reason, events: [eventAt({ kind: "failed", reason }, settlesAt)] };

  // A payment through the clearing house can be returned until the next business day begins.
  if (order.method === "PIX" || order.method === "TEV") {
    return { kind: "settled", reason: null, events: [eventAt({ kind: "settled", final: true }, settlesAt)] };
  }
  const nextMorning = atTime(nextBusinessDay(saoPauloDate(settlesAt)), morningMs);
  const settled = eventAt({ kind: "settled", final: false }, settlesAt);
  const back = returnOf(order);
  if (back) {
    const authorizationCode = returnCodeOf(order.endToEndId, nextMorning);
    const returned = eventAt({ kind: "returned", reason: back, authorizationCode }, nextMorning);
    return { kind: "returned", reason: back, events: [settled, returned] };
  }
  return { kind: "settled", reason: null, events: [settled, eventAt({ kind: "finished" }, nextMorning)] };
}

type OrderEvent =
  | { kind: "settled"; final: boolean }
  | { kind: "finished" }
  | { kind: "failed"; reason: string }
  | { kind: "returned"; reason: string; authorizationCode: string };

/** Builds a return id: D, the returning bank, the minute in UTC, and the last 11 characters of the payment's id. */
const returnCodeOf = (endToEndId: string, at: Date) =>
  `D${outsideIspb}${at.toISOString().slice(0, 16).replace(/\D/g, "")}${endToEndId.slice(-11)}`;

function returnOf({ method, boleto, receiver }: PaymentOrder): string | undefined {
  if (boleto) return sendsBoletoBack(boleto.barcode) ? boletoReturnReason : undefined;
  return method === "TED" && receiver.taxId && sendsTedBack(receiver.taxId) ? returnReason : undefined;
}

function refusal(
  { endToEndId, receiver, boleto, value }: PaymentOrder,
  settings: RailSettings,
  settlesAt: Date,
): string | undefined {
  return (
    (boleto ? (refusalOfBoleto(boleto.barcode) ?? againstRegister(boleto, value, settlesAt)) : undefined) ??
    (receiver.pixKey ? refusalOfPixKey(receiver.pixKeyType, receiver.pixKey) : undefined) ??
    (receiver.taxId ? refusalOfReceiver(receiver.taxId) : undefined) ??
    (happens(settings.failure_percent, `fails ${endToEndId}`) ? unreachable : undefined)
  );
}

/**
 * Checks a boleto against its register: the amount must be the one due on the day, and late payment must be allowed.
 */
function againstRegister(
  { barcode, dueDate }: NonNullable<PaymentOrder["boleto"]>,
  value: number,
  settlesAt: Date,
): string | undefined {
  const until = payableUntil(dueDate as CalendarDate | null);
  const day = saoPauloDate(settlesAt);
  const registered = registrationOf(barcode, day);
  if (until !== null && day > until && (!registered || !isTakenOn(registered, day))) return "Boleto vencido.";
  // The payer chooses the amount of a code without a value.
  if (!registered || registered.value === 0) return undefined;
  const { total } = amountDue(registered, day);
  if (value === total) return undefined;
  return value < total
    ? "Valor menor que o do registro do boleto."
    : "Valor maior que o do registro do boleto.";
}

function settlementOf(order: PaymentOrder, settings: RailSettings, acceptedAt: Date): Date {
  const { method, boleto, value } = order;
  if (boleto) {
    const starts = boletoMoment(null, closesEarly({ barcode: boleto.barcode, value }), acceptedAt);
    return new Date(starts.getTime() + settings.pix_latency_ms);
  }
  if (method !== "TED") return new Date(acceptedAt.getTime() + settings.pix_latency_ms);
  const opens = tedOpens(tedExecutionDate(acceptedAt));
  return new Date(Math.max(acceptedAt.getTime(), opens.getTime()) + tedTakesMs);
}

function atTime(day: ReturnType<typeof saoPauloDate>, ms: number): Date {
  return new Date(startOfDay(day).getTime() + ms);
}

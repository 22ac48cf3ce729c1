/** Texts about the payment day of boletos, by the domain's calendar and cut-offs. Only forms load this part. */
import { boletoRunDay, closesEarly, largeBoletoCents } from "@malote/domain/boleto";
import { type CalendarDate, parseDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { formatDate, formatMoney } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";

/** Returns when a boleto without a payment date is paid if its batch closes now. */
export function withoutDateText(boleto: Parameters<typeof closesEarly>[0]): string {
  const { runsOn, today } = runDayOf(null, closesEarly(boleto));
  return `Sem data, o boleto é pago ${runsOn === today ? "hoje" : `no próximo dia útil, ${formatDate(runsOn)}`}.`;
}

/** Returns when boletos that get one new day are paid, and the amount of the overdue ones. No day means today. */
export function dayForAllText(day: string | null): string {
  const overdue = "De um boleto vencido, vale o que o registro pede no dia em que é pago.";
  const wanted = parseDate(day ?? "") ?? null;
  if (day !== null && wanted === null) return overdue;
  const [usual, early] = [runDayOf(wanted, false), runDayOf(wanted, true)];
  const isOnDay = usual.runsOn === (wanted ?? usual.today);
  const paid = `o boleto é pago ${isOnDay ? "hoje" : `no próximo dia útil, ${formatDate(usual.runsOn)}`}.`;
  return [
    wanted === null ? `Sem data, ${paid}` : isOnDay ? "" : `Não há pagamento nesse dia: ${paid}`,
    early.runsOn === usual.runsOn
      ? ""
      : `O de concessionária ou tributo, ou a partir de ${formatMoney(largeBoletoCents)}, em ${formatDate(early.runsOn)}.`,
    overdue,
  ]
    .filter(Boolean)
    .join(" ");
}

function runDayOf(wanted: CalendarDate | null, isEarly: boolean) {
  const now = systemNow();
  const today = saoPauloDate(now);
  return { today, runsOn: boletoRunDay(wanted, isEarly, { today, now: saoPauloTime(now) }) };
}

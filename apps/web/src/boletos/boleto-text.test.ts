/** Texts about the day on which a boleto is paid. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { buildBoleto } from "../testing/payments.ts";
import { daysText, payDayText } from "./boleto-text.ts";
import { dayForAllText, withoutDateText } from "./pay-day-text.ts";

const overdue = "De um boleto vencido, vale o que o registro pede no dia em que é pago.";
const early = "O de concessionária ou tributo, ou a partir de R$\u00a0250.000,00, em";
/** A Thursday before a holiday, in São Paulo. */
const at = (time: string) => vi.setSystemTime(`2026-11-19T${time}-03:00`);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));

describe("a boleto without a date", () => {
  const usual = { barcode: null, value: 100_00 };
  it.each([
    ["today until the cut-off", "22:00:00", usual, "hoje"],
    ["on the next business day after it", "22:00:01", usual, "no próximo dia útil, 23/11/2026"],
    ["a large one today until its own hour", "17:00:00", { barcode: null, value: 250_000_00 }, "hoje"],
    [
      "a large one on the next business day after it",
      "17:00:01",
      { barcode: null, value: 250_000_00 },
      "no próximo dia útil, 23/11/2026",
    ],
  ])("BIL-018 is paid %s", (_when, time, boleto, day) => {
    at(time);
    expect(withoutDateText(boleto)).toBe(`Sem data, o boleto é pago ${day}.`);
  });

  it("BIL-018 shows 'Hoje', or the day that the server announces", () => {
    expect(payDayText(buildBoleto())).toBe("Hoje");
    const warnings = [
      { code: "billet_next_business_day", field: "payment_date", data: { date: "23/11/2026" } },
    ];
    const boleto = buildBoleto({ due_date: "2026-11-30", warnings });
    expect(payDayText(boleto)).toBe("23/11/2026");
    expect(daysText(boleto)).toBe("paga 23/11/2026 · vence 30/11/2026");
  });
});

describe("one day for several boletos", () => {
  it.each([
    ["none, by day", "12:00:00", null, `Sem data, o boleto é pago hoje. ${overdue}`],
    [
      "none, when the early ones have closed",
      "18:00:00",
      null,
      `Sem data, o boleto é pago hoje. ${early} 23/11/2026. ${overdue}`,
    ],
    [
      "none, when all have closed",
      "22:30:00",
      null,
      `Sem data, o boleto é pago no próximo dia útil, 23/11/2026. ${overdue}`,
    ],
    ["a business day", "22:30:00", "2026-11-24", overdue],
    [
      "a holiday",
      "12:00:00",
      "2026-11-20",
      `Não há pagamento nesse dia: o boleto é pago no próximo dia útil, 23/11/2026. ${overdue}`,
    ],
    ["text that is no day", "12:00:00", "31/11/2026", overdue],
  ])("shows when they are paid: %s", (_what, time, day, text) => {
    at(time);
    expect(dayForAllText(day)).toBe(text);
  });
});

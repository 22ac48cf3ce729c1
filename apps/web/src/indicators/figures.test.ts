import { expect, describe as group, it } from "vitest";
import {
  describe,
  figureByStatus,
  figureOfFailedBanks,
  figurePerBank,
  figurePerDay,
  figurePerMonth,
  figurePerReason,
  formatPercentage,
  isBlank,
} from "./figures.ts";

const banks = (...quantities: number[]) => ({
  data: quantities.map((quantity, index) => ({ name: `Banco ${index + 1}`, percentage: 0, quantity })),
});

group("from answers to figures", () => {
  it("IND-001 months are bars, with short names on the axis and full ones in the table", () => {
    const figure = figurePerMonth({
      data: [
        { date: "2026-10-01", quantity: 0 },
        { date: "2026-11-01", quantity: 12 },
      ],
    });
    expect(figure.kind).toBe("bar");
    expect(figure.lines).toEqual([
      { label: "out/26", name: "outubro de 2026", values: [0] },
      { label: "nov/26", name: "novembro de 2026", values: [12] },
    ]);
  });

  it("IND-001 SES-072 days are a line, which ends today unless a later day has payments", () => {
    const data = ["19", "20", "21", "22", "23"].map((day) => ({ date: `2026-11-${day}`, quantity: 1 }));
    const quiet = data.map((one) => (one.date > "2026-11-20" ? { ...one, quantity: 0 } : one));
    const labels = (quantities: typeof data) =>
      figurePerDay({ data: quantities }, "2026-11-21").lines.map(({ label }) => label);
    expect(figurePerDay({ data }, "2026-11-21").kind).toBe("line");
    expect(labels(quiet)).toEqual(["19/11", "20/11", "21/11"]);
    expect(labels(data)).toEqual(["19/11", "20/11", "21/11", "22/11", "23/11"]);
  });

  it("IND-012 IND-013 shows four banks and the rest as one, with percentages of two decimals", () => {
    const figure = figurePerBank(banks(30, 20, 10, 5, 3, 2));
    expect(figure.kind).toBe("doughnut");
    expect(figure.lines.map(({ name, values, percentage }) => [name, values[0], percentage])).toEqual([
      ["Banco 1", 30, "42,86%"],
      ["Banco 2", 20, "28,57%"],
      ["Banco 3", 10, "14,29%"],
      ["Banco 4", 5, "7,14%"],
      ["Outros", 5, "7,14%"],
    ]);
    expect(figure.tones?.at(-1)).toBe("grey");
    expect(new Set(figure.tones).size).toBe(5);
  });

  it("IND-011 IND-012 compares arrived and returned money of the five banks with the most returns", () => {
    const figure = figureOfFailedBanks(banks(1, 2, 3, 4, 5, 6, 7), banks(1, 9));
    expect(figure.kind).toBe("stacked");
    expect(figure.series.map(({ name }) => name)).toEqual(["Finalizados", "Devolvidos"]);
    expect(figure.lines.map(({ name, values }) => [name, ...values])).toEqual([
      ["Banco 2", 2, 9],
      ["Banco 1", 1, 1],
      ["Banco 7", 7, 0],
      ["Banco 6", 6, 0],
      ["Banco 5", 5, 0],
      ["Outros", 7, 0],
    ]);
  });

  it("IND-013 cuts a reason after ten characters, and keeps its full text in the table", () => {
    const figure = figurePerReason({
      data: [
        { description: "Chave PIX não encontrada.", percentage: 75, quantity: 3 },
        { description: "Sem limite", percentage: 25, quantity: 1 },
      ],
    });
    expect(figure.kind).toBe("doughnut");
    expect(figure.lines).toEqual([
      { label: "Chave PIX...", name: "Chave PIX não encontrada.", values: [3], percentage: "75,00%" },
      { label: "Sem limite", name: "Sem limite", values: [1], percentage: "25,00%" },
    ]);
    expect(
      figurePerReason({ data: [{ description: "Conta bloqueada.", percentage: 100, quantity: 1 }] }).lines,
    ).toMatchObject([{ label: "Conta bloq..." }]);
  });

  it("IND-001 IND-013 compares finished and returned payments", () => {
    const figure = figureByStatus({ finished: 2, returned: 1 });
    expect(figure.kind).toBe("doughnut");
    expect(figure.lines.map(({ name, values, percentage }) => [name, values[0], percentage])).toEqual([
      ["Finalizado", 2, "66,67%"],
      ["Devolvido", 1, "33,33%"],
    ]);
  });

  it("IND-014 detects that there is nothing to draw", () => {
    expect(isBlank(figureByStatus({ finished: 0, returned: 0 }))).toBe(true);
    expect(isBlank(figureByStatus({ finished: 0, returned: 1 }))).toBe(false);
    expect(isBlank(figureByStatus({ finished: 1, returned: 0 }))).toBe(false);
    expect(isBlank(figurePerMonth({ data: [{ date: "2026-11-01", quantity: 0 }] }))).toBe(true);
    expect(isBlank(figurePerBank({ data: [] }))).toBe(true);
    expect(isBlank(figureOfFailedBanks({ data: [] }, banks(1)))).toBe(false);
  });

  it("describes in words what a chart shows", () => {
    expect(describe(figureOfFailedBanks(banks(1200, 34), banks(5)))).toBe(
      "Gráfico de barras empilhadas. Finalizados: 1.234; Devolvidos: 5. Os números estão também em tabela.",
    );
    expect(formatPercentage(0)).toBe("0,00%");
  });
});

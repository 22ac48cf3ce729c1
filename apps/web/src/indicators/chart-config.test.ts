import { describe, expect, it, vi } from "vitest";
import { type Colours, chartConfig, pointedAt } from "./chart-config.ts";
import { type Figure, figureByStatus, figureOfFailedBanks, figurePerDay, figurePerMonth } from "./figures.ts";

const colours: Colours = {
  of: (tone) => `rgb(${tone.length}, 0, 0)`,
  surface: "white",
  line: "silver",
  text: "black",
  font: "Inter",
  striped: (colour) => `striped ${colour}`,
};
const draw = (figure: Figure, onPoint = vi.fn()) => chartConfig(figure, colours, onPoint);
const month = figurePerMonth({ data: [{ date: "2026-11-01", quantity: 3 }] });
const day = figurePerDay({ data: [{ date: "2026-11-01", quantity: 3 }] }, "2026-11-30");
const bank = (quantity: number) => ({ data: [{ name: "Inter", percentage: 100, quantity }] });

describe("chart configuration", () => {
  it("IND-001 draws bars, a line, a doughnut, and stacked bars", () => {
    expect(draw(month).type).toBe("bar");
    expect(draw(day).type).toBe("line");
    expect(draw(figureByStatus({ finished: 1, returned: 1 })).type).toBe("doughnut");
    const stacked = draw(figureOfFailedBanks(bank(4), bank(2)));
    expect(stacked.type).toBe("bar");
    expect(stacked.options?.scales).toMatchObject({ x: { stacked: true }, y: { stacked: true } });
    expect(draw(month).options?.scales).toMatchObject({ x: { stacked: false }, y: { beginAtZero: true } });
    expect(stacked.data.datasets.map(({ label, data }) => [label, data])).toEqual([
      ["Finalizados", [4]],
      ["Devolvidos", [2]],
    ]);
    expect(stacked.data.labels).toEqual(["Inter"]);
  });

  it("distinguishes two series without colour, and takes all colours from the theme", () => {
    const stacked = draw(figureOfFailedBanks(bank(4), bank(2))).data.datasets;
    expect(stacked.map(({ backgroundColor }) => backgroundColor)).toEqual([
      "rgb(9, 0, 0)",
      "striped rgb(3, 0, 0)",
    ]);
    const slices = draw(figureByStatus({ finished: 1, returned: 1 })).data.datasets[0];
    expect(slices?.backgroundColor).toEqual(["rgb(5, 0, 0)", "rgb(3, 0, 0)"]);
    expect(slices?.borderColor).toBe("white");
    expect(pointedAt("rgb(1, 2, 3)")).toBe("rgba(1, 2, 3, 0.75)");
  });

  it("draws without animation, whether or not the system is set to reduced motion", () => {
    expect(draw(month).options?.animation).toBe(false);
  });

  it("shows the name of each bank, with room for it", () => {
    const { indexAxis, scales } = draw(figureOfFailedBanks(bank(4), bank(2))).options ?? {};
    expect(indexAxis).toBe("y");
    expect(scales?.["y"]).toMatchObject({ ticks: { autoSkip: false } });
  });

  it("counts payments in whole numbers, and shows a single day as a point", () => {
    const y = draw(month).options?.scales?.["y"] as {
      ticks: { precision: number; callback: (value: number) => string };
    };
    expect(y.ticks.precision).toBe(0);
    expect(y.ticks.callback(12_000)).toBe("12.000");
    expect(draw(day).data.datasets[0]).toMatchObject({ pointRadius: 4 });
  });

  it("reports what the pointer is on, and when it leaves", () => {
    const onPoint = vi.fn();
    const { onHover } = draw(month, onPoint).options ?? {};
    onHover?.({ x: 5, y: 7 } as never, [{ index: 0 }] as never, {} as never);
    onHover?.({ x: 6, y: 8 } as never, [], {} as never);
    expect(onPoint.mock.calls).toEqual([
      [0, 5, 7],
      [undefined, 6, 8],
    ]);
  });
});

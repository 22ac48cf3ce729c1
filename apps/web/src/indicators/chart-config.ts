/** Configuration of each kind of chart. Pure: takes figures and colours, knows no canvas and no page. */
import type { ChartConfiguration, ChartDataset, ChartOptions } from "chart.js";
import { color } from "chart.js/helpers";
import { formatCount } from "../ui/format.ts";
import type { Figure, Tone } from "./figures.ts";

/** Tokens of the theme, as the page shows them now. */
export interface Colours {
  of(tone: Tone): string;
  surface: string;
  line: string;
  text: string;
  font: string;
  /** Stripes of a colour distinguish two series in one bar without colour vision. */
  striped(colour: string): CanvasPattern | string;
}

/** The element under the pointer is slightly faded. */
export const pointedAt = (colour: string): string => color(colour).alpha(0.75).rgbString();

type OnPoint = (index: number | undefined, x: number, y: number) => void;

/** No animation, for all people and so for those who prefer reduced motion. */
export function chartConfig(figure: Figure, colours: Colours, onPoint: OnPoint): ChartConfiguration {
  const isDoughnut = figure.kind === "doughnut";
  return {
    type: figure.kind === "stacked" ? "bar" : figure.kind,
    data: { labels: figure.lines.map(({ label }) => label), datasets: datasets(figure, colours) },
    options: {
      ...(isDoughnut ? { cutout: "62%" } : axes(figure, colours)),
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      events: ["mousemove", "mouseout", "click", "touchstart"],
      interaction: isDoughnut
        ? { mode: "nearest", intersect: true }
        : { mode: "index", intersect: false, axis: figure.kind === "stacked" ? "y" : "x" },
      onHover: ({ x, y }, [first]) => onPoint(first?.index, x ?? 0, y ?? 0),
    } as ChartOptions,
  } as ChartConfiguration;
}

function datasets(figure: Figure, colours: Colours): ChartDataset[] {
  return figure.series.map(({ name, tone }, at) => {
    const colour = colours.of(tone);
    const data = figure.lines.map(({ values }) => values[at] ?? 0);
    switch (figure.kind) {
      case "doughnut": {
        const slices = (figure.tones ?? []).map((slice) => colours.of(slice));
        return {
          label: name,
          data,
          backgroundColor: slices,
          hoverBackgroundColor: slices.map(pointedAt),
          borderColor: colours.surface,
          hoverBorderColor: colours.surface,
          borderWidth: 2,
        };
      }
      case "line":
        return {
          label: name,
          data,
          borderColor: colour,
          borderWidth: 2,
          // A single day is a point, because it has no line.
          pointRadius: data.length === 1 ? 4 : 0,
          pointHoverRadius: 4,
          pointBackgroundColor: colour,
          pointHoverBackgroundColor: colour,
        };
      default:
        return {
          label: name,
          data,
          borderColor: colour,
          backgroundColor: at === 0 ? colour : colours.striped(colour),
          ...(at === 0 && { hoverBackgroundColor: pointedAt(colour) }),
          borderWidth: at === 0 ? 0 : 1,
          borderRadius: 4,
          maxBarThickness: 40,
        };
    }
  }) as ChartDataset[];
}

/** Bars of banks are horizontal, so that the names can be read. */
function axes({ kind }: Figure, colours: Colours) {
  const stacked = kind === "stacked";
  const ticks = {
    color: colours.text,
    font: { family: colours.font, size: 12 },
    maxRotation: 0,
    autoSkipPadding: 12,
  };
  const names = {
    stacked,
    grid: { display: false },
    border: { color: colours.line },
    ticks: { ...ticks, autoSkip: !stacked },
  };
  const quantities = {
    stacked,
    beginAtZero: true,
    grid: { color: colours.line },
    border: { display: false },
    // Payments are counted in whole numbers.
    ticks: { ...ticks, precision: 0, callback: (value: number | string) => formatCount(Number(value)) },
  };
  return stacked
    ? { indexAxis: "y" as const, scales: { x: quantities, y: names } }
    : { scales: { x: names, y: quantities } };
}

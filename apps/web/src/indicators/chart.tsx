import type { Chart as LibraryChart } from "chart.js";
import { useEffect, useRef, useState } from "react";
import { loadPart } from "../shell/load-part.ts";
import { formatCount } from "../ui/format.ts";
import { readColours, useTheme } from "./chart-colours.ts";
import { chartConfig } from "./chart-config.ts";
import { describe, type Figure } from "./figures.ts";
import styles from "./indicators.module.css";

interface Pointed {
  index: number;
  x: number;
  y: number;
  /** Position from 0 at the left edge of the drawing to 1 at the right one. */
  along: number;
}

const loadLibrary = () => loadPart(() => import("./chart-library.ts"));

interface ChartProps {
  title: string;
  figure: Figure;
  load?: typeof loadLibrary;
}

/** Drawing of a figure. Its label, legend and table give the same in words. */
export function Chart({ title, figure, load = loadLibrary }: ChartProps) {
  const [missing, setMissing] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const [pointed, setPointed] = useState<Pointed>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours that are read are other ones when the theme changed
  useEffect(() => {
    let chart: LibraryChart | undefined;
    let gone = false;
    setPointed(undefined);
    const draw = ({ Chart }: Awaited<ReturnType<typeof loadLibrary>>) => {
      const place = canvas.current;
      // A browser that cannot draw still shows the table.
      if (gone || !place?.parentElement || !place.getContext("2d")) return;
      const onPoint = (index: number | undefined, x: number, y: number) =>
        setPointed(index === undefined ? undefined : { index, x, y, along: x / place.clientWidth });
      chart = new Chart(place, chartConfig(figure, readColours(place.parentElement), onPoint));
    };
    load().then(draw, () => gone || setMissing(true));
    return () => {
      gone = true;
      chart?.destroy();
    };
  }, [figure, theme]);

  if (missing)
    return <p role="status">Não foi possível desenhar o gráfico. Os mesmos números estão na tabela.</p>;
  return (
    <div className={styles.drawing} onPointerLeave={() => setPointed(undefined)}>
      <canvas ref={canvas} role="img" aria-label={`${title}. ${describe(figure)}`} />
      {pointed ? <Tip figure={figure} pointed={pointed} /> : null}
    </div>
  );
}

/** Above the pointer, and always inside the drawing. */
function Tip({ figure, pointed: { index, x, y, along } }: { figure: Figure; pointed: Pointed }) {
  const line = figure.lines[index];
  if (!line) return null;
  const place = { left: x, top: y, transform: `translate(${-100 * along}%, calc(-100% - 12px))` };
  return (
    <div className={styles.tip} style={place} aria-hidden>
      <strong>{line.name}</strong>
      {figure.series.map(({ name }, at) => (
        <span key={name} className="num">
          {name}: {formatCount(line.values[at] ?? 0)}
          {line.percentage ? ` (${line.percentage})` : ""}
        </span>
      ))}
    </div>
  );
}

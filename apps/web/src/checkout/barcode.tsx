import { barsOf } from "./barcode-bars.ts";

/** Draws 44 digits, always dark on white, with the quiet zones that a reader needs. */
export function Barcode({ digits }: { digits: string }) {
  const { bars, width } = barsOf(digits);
  const quiet = 10;
  return (
    <svg
      viewBox={`0 0 ${width + 2 * quiet} 60`}
      preserveAspectRatio="none"
      width="100%"
      height="100%"
      shapeRendering="crispEdges"
      role="img"
      aria-label="Código de barras do boleto"
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      {bars.map((bar) => (
        <rect key={bar.at} x={quiet + bar.at} y={4} width={bar.width} height={52} fill="#000000" />
      ))}
    </svg>
  );
}

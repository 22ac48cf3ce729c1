import { type ReactNode, Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { Bone } from "../ui/loading-state.tsx";
import { BatchTransfers } from "./batch-transfers.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

/** A batch holds transfers or boletos; the code for boletos is loaded with the first batch of them. */
const BatchBoletos = lazyPart(async () => ({ default: (await import("./batch-boletos.tsx")).BatchBoletos }));

/** Lists the payments of a batch with their filters (BAT-036 to BAT-038), and opens one. */
export function BatchPayments(props: { desk: BatchDesk; head?: ReactNode }) {
  if (props.desk.batch.type !== "BILLET") return <BatchTransfers {...props} />;
  return (
    <Suspense fallback={<Bone height={240} />}>
      <BatchBoletos {...props} />
    </Suspense>
  );
}

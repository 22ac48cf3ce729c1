import { type ReactNode, Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { Bone } from "../ui/loading-state.tsx";
import { BatchTransfers } from "./batch-transfers.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

/** A batch holds one kind or the other: what reads boletos arrives with the first batch of them. */
const BatchBoletos = lazyPart(async () => ({ default: (await import("./batch-boletos.tsx")).BatchBoletos }));

/** The payments of a batch with their filters (BAT-036 to BAT-038), and the one that is open. */
export function BatchPayments(props: { desk: BatchDesk; head?: ReactNode }) {
  if (props.desk.batch.type !== "BILLET") return <BatchTransfers {...props} />;
  return (
    <Suspense fallback={<Bone height={240} />}>
      <BatchBoletos {...props} />
    </Suspense>
  );
}

import type { ReactNode } from "react";
import { BatchBillets } from "./batch-billets.tsx";
import { BatchTransfers } from "./batch-transfers.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

/** The payments of a batch with their filters (BAT-036 to BAT-038), and the one that is open. */
export function BatchPayments(props: { desk: BatchDesk; head?: ReactNode }) {
  return props.desk.batch.type === "BILLET" ? <BatchBillets {...props} /> : <BatchTransfers {...props} />;
}

import { Gauge } from "prom-client";
import { metrics } from "../../platform/http/metrics.ts";
import type { Services } from "../../platform/services.ts";
import { listOverdueClosings } from "./release-store.ts";

const pendingBatchOldestSeconds = new Gauge({
  name: "malote_pending_batch_oldest_seconds",
  help: "Age of the oldest closed batch whose money is reserved and whose payments wait; 0 when there is none",
  registers: [metrics],
});

/** Updates the gauge by the system's clock, by which batches are closed. */
export async function measurePendingBatches({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const [oldest] = await db.withSystem((tx) => listOverdueClosings(tx, now));
  pendingBatchOldestSeconds.set(oldest ? (now.getTime() - oldest.closed_at.getTime()) / 1_000 : 0);
}
